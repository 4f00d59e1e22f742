package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.EpochTable;
import gantry.replica.frame.Cause;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.RangeDigest;
import gantry.replica.frame.RangeLayout;
import gantry.replica.lead.CompareFigures;
import gantry.replica.lead.StaticSet;
import gantry.replica.member.CompareLimits;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.replica.range.Mending;
import gantry.replica.range.RottenRange;
import gantry.replica.rig.Cable;
import gantry.replica.rig.FalseFollower;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.MemoryLog;
import gantry.replica.rig.RotLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A leader and one follower whose logs are compared: what is rotten on one is fetched from the other, what nobody can
/// mend has a name, and a liar gains nothing.
class RangesTest {
    private static final long TICK = 100_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int RECORD = 20;
    private static final Limits LIMITS =
            Limits.DEFAULTS.comparing(new CompareLimits(Duration.ofMinutes(10), 4 << 20, 3 * RECORD));

    private final Leader leader = new Leader(
            new MemoryLog(),
            EpochTable.EMPTY,
            1,
            0,
            0,
            new Promise(2, false),
            LIMITS,
            new StaticSet(),
            new TreeSet<>(),
            1);
    private final Follower follower = new Follower(2, LIMITS);
    private final RotLog ours = new RotLog(leader.log);
    private final RotLog theirs = new RotLog(follower.log);
    private Cable cable;
    private long now;

    @BeforeEach
    void connect() {
        leader.group.comparesRanges(ours);
        follower.following.comparesRanges(theirs);
        for (int i = 0; i < 20; i++) {
            leader.add("%012d".formatted(i), now);
        }
        cable = new Cable(leader, follower, now);
        cable.carry(follower, now);
        assertThat(leader.confirmed).isEqualTo(leader.log.end()).isEqualTo(20L * RECORD);
        assertThat(leader.group.states()).containsEntry(2L, new MemberState.InSync());
    }

    private void pass(long nanos) {
        for (long end = now + nanos; now < end; ) {
            now += TICK;
            tick();
        }
    }

    private void tick() {
        ours.now = now;
        theirs.now = now;
        leader.group.tick(now, 0);
        follower.following.tick(now);
        boolean more = true;
        while (more) {
            cable.carry(follower, now);
            more = ours.answerAll();
            more |= theirs.answerAll();
        }
    }

    private void passUntil(BooleanSupplier holds) {
        long end = now + 30 * SECOND;
        while (!holds.getAsBoolean()) {
            assertThat(now).isLessThan(end);
            now += TICK;
            tick();
        }
    }

    private CompareFigures figures() {
        return leader.group.comparisons().getFirst();
    }

    private static Mending mending(Mending of) {
        assertThat(of).isNotNull();
        return of;
    }

    @Test
    void wholeLogIsComparedRangeByRangeAndThenNotBeforeItIsDueAgain() {
        pass(10 * SECOND);
        assertThat(figures().wholeNanos()).isPresent();
        assertThat(figures().compared()).isEqualTo(7);
        assertThat(figures().differing()).isZero();
        assertThat(follower.following.compared()).isEqualTo(7);
        pass(500 * SECOND);
        assertThat(figures().compared()).isEqualTo(7);
        pass(110 * SECOND);
        assertThat(figures().compared()).isEqualTo(14);
        assertThat(leader.notebook.lines).isEmpty();
    }

    @Test
    void rottenRecordOfAFollowerIsFetchedFromItsLeader() {
        follower.log.flip(5 * RECORD + 12);
        passUntil(() -> theirs.mends == 1);
        assertThat(follower.log.copy()).isEqualTo(leader.log.copy());
        pass(10 * SECOND);
        assertThat(figures().rottenThere()).isEqualTo(1);
        assertThat(figures().wholeNanos()).as("not the whole log was the same").isEmpty();
        assertThat(mending(follower.following.mending()).mendedCount()).isEqualTo(1);
        assertThat(mending(follower.following.mending()).unmendedCount()).isZero();
        pass(600 * SECOND);
        assertThat(figures().wholeNanos()).isPresent();
        assertThat(cable.leaderEnd.isEnded()).isFalse();
    }

    @Test
    void rottenRecordOfALeaderIsFetchedFromAFollower() {
        leader.log.flip(5 * RECORD + 12);
        passUntil(() -> ours.mends == 1);
        assertThat(follower.log.copy()).isEqualTo(leader.log.copy());
        assertThat(mending(leader.group.mending()).mendedCount()).isEqualTo(1);
    }

    /// What a scrubber finds is not left until the walk comes by.
    @Test
    void whatAScrubberFindsIsAskedForAtOnce() {
        pass(10 * SECOND);
        int looks = ours.looks;
        follower.log.flip(5 * RECORD + 12);
        theirs.rotten.put(5L * RECORD, new RottenRange(5L * RECORD, 6L * RECORD, "found by the scrubber"));
        pass(2 * TICK);
        assertThat(theirs.mends).isEqualTo(1);
        assertThat(ours.looks).as("no comparison was needed").isEqualTo(looks);
    }

    @Test
    void whatIsRottenOnBothIsNamedAndTriedAgainEveryMinute() {
        follower.log.flip(5 * RECORD + 12);
        leader.log.flip(5 * RECORD + 13);
        pass(10 * SECOND);
        Mending mending = mending(leader.group.mending());
        assertThat(mending.unmendedCount()).isEqualTo(1);
        assertThat(mending.why()).contains("rotten, too");
        assertThat(leader.notebook.lines)
                .singleElement()
                .asString()
                .startsWith("ALARM replication: a rotten part of this member's log could not be mended");
        assertThat(cable.leaderEnd.isEnded()).as("replication goes on").isFalse();
        leader.add("more", now);
        pass(SECOND);
        assertThat(leader.confirmed).isEqualTo(leader.log.end());

        follower.log.flip(5 * RECORD + 12);
        theirs.rotten.clear();
        pass(40 * SECOND);
        assertThat(ours.mends).isZero();
        pass(30 * SECOND);
        assertThat(ours.mends).isEqualTo(1);
        assertThat(mending.why()).isEmpty();
        assertThat(follower.log.copy()).isEqualTo(leader.log.copy());
    }

    @Test
    void soundButDifferentIsAnAlarmAndNothingIsWritten() {
        byte[] other = MemoryLog.record("another body".getBytes(StandardCharsets.US_ASCII));
        assertThat(other).hasSize(RECORD);
        follower.log.put(5 * RECORD, ByteBuffer.wrap(other));
        byte[] before = follower.log.copy();
        pass(10 * SECOND);
        assertThat(figures().differing()).isEqualTo(1);
        assertThat(figures().from()).isEqualTo(3L * RECORD);
        assertThat(figures().to()).isEqualTo(6L * RECORD);
        assertThat(leader.notebook.lines).singleElement().asString().contains("differs", "log offset 60 and 120");
        assertThat(follower.log.copy()).isEqualTo(before);
        assertThat(cable.leaderEnd.isEnded()).isFalse();
        assertThat(leader.group.states()).containsEntry(2L, new MemberState.InSync());
    }

    @Test
    void whoDoesNotAnswerIsNotWaitedForForEver() {
        follower.log.flip(5 * RECORD + 12);
        theirs.rotten.put(5L * RECORD, new RottenRange(5L * RECORD, 6L * RECORD, "found by the scrubber"));
        for (long end = now + 31 * SECOND; now < end; now += TICK) {
            // The leader's disk hangs: its log answers nothing.
            leader.group.tick(now, 0);
            follower.following.tick(now);
            cable.carry(follower, now);
        }
        assertThat(mending(follower.following.mending()).why()).contains("has not answered for 30 s");
        assertThat(cable.followerEnd.isEnded()).isFalse();
    }

    @Test
    void comparisonGoesOnBehindWhatRetentionHasDropped() {
        leader.log.dropBelow(10 * RECORD);
        pass(10 * SECOND);
        assertThat(figures().wholeNanos()).isPresent();
        assertThat(figures().compared()).isEqualTo(4);
    }

    @Test
    void comparisonGoesOnWithTheNextLink() {
        ours.now = now;
        leader.group.tick(now += TICK, 0);
        cable.leaderEnd.closed(now);
        cable.followerEnd.closed(now);
        ours.answerAll();
        now += 6 * SECOND;
        cable = new Cable(leader, follower, now);
        cable.carry(follower, now);
        pass(10 * SECOND);
        assertThat(figures().wholeNanos()).isPresent();
        assertThat(figures().compared()).isEqualTo(7);
    }

    private FalseFollower liar() {
        FalseFollower liar = new FalseFollower(leader, Leader.identity(3), Leader.SECRET, now).greet(now);
        liar.emptyPosition(1 << 20, now);
        assertThat(liar.link.isEnded()).isFalse();
        return liar;
    }

    private static void assertEndsFor(FalseFollower liar, Cause cause) {
        assertThat(liar.link.why())
                .isNotNull()
                .satisfies(why -> assertThat(why.cause()).isEqualTo(cause));
    }

    @Test
    void answersThatNobodyAskedForEndTheLink() {
        FalseFollower one = liar();
        RangeLayout.writeCompared(one.writer, 0, RECORD, 0, RangeDigest.NONE);
        one.writer.send(FrameType.COMPARED);
        one.deliver(now);
        assertEndsFor(one, Cause.RANGE_FALSE);

        FalseFollower two = liar();
        RangeLayout.writeRange(two.writer, 0, 0, RangeDigest.NONE);
        two.writer.send(FrameType.RANGE, ByteBuffer.wrap(new byte[RECORD]));
        two.deliver(now);
        assertEndsFor(two, Cause.RANGE_FALSE);
    }

    @Test
    void secondRequestBeforeTheFirstIsAnsweredEndsTheLink() {
        FalseFollower greedy = liar();
        for (int i = 0; i < 2; i++) {
            RangeLayout.writeRequest(greedy.writer, 0, 1 << 20);
            greedy.writer.send(FrameType.RANGE_REQUEST);
        }
        greedy.deliver(now);
        assertEndsFor(greedy, Cause.NOT_NOW);
    }

    @Test
    void nothingIsGivenThatIsNotConfirmed() {
        leader.add("not confirmed", now);
        FalseFollower curious = liar();
        curious.toFollower.frames.clear();
        RangeLayout.writeRequest(curious.writer, leader.confirmed, 1 << 20);
        curious.writer.send(FrameType.RANGE_REQUEST);
        curious.deliver(now);
        ours.answerAll();
        assertThat(curious.toFollower.frames).hasSize(1);
        byte[] frame = curious.toFollower.take();
        assertThat(frame[28]).as("found: gone").isEqualTo((byte) 2);
        assertThat(frame).hasSize(20 + RangeLayout.RANGE_PAYLOAD);
    }
}
