package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.FrameType;
import gantry.replica.hello.Identity;
import gantry.replica.lead.StaticSet;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.replica.rig.Cable;
import gantry.replica.rig.FalseFollower;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.ListOutlet;
import gantry.replica.rig.MemoryLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A peer that knows the secret, or does not, and says what cannot be: the link ends with a name, nothing else
/// happens.
class LyingFollowerTest {
    private static final long NOW = 1_000;
    private static final int CREDIT = 1 << 20;

    private final Leader leader =
            new Leader(new MemoryLog(), EpochTable.EMPTY, 0, new Promise(2, false), Limits.DEFAULTS, new StaticSet());
    private long size;

    @BeforeEach
    void oneRecord() {
        leader.add("one", NOW);
        size = leader.log.end();
    }

    /// R002, R003: an acknowledgement beyond what was sent, before what was acknowledged, of another epoch.
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, ACK_FALSE",
        "1, 4611686018427387904, 0, ACK_FALSE",
        "1, -1, 0, ACK_FALSE",
        "1, 0, 1, ACK_FALSE",
        "1, 0, -1, ACK_FALSE",
        "2, 0, 0, ACK_EPOCH",
        "0, 0, 0, ACK_EPOCH",
        "-1, 0, 0, ACK_EPOCH"
    })
    void acknowledgementThatCannotBeEndsTheLinkAndCountsNothing(long reign, long written, long synced, Cause cause) {
        FalseFollower liar = friend(2).greet(NOW).emptyPosition(CREDIT, NOW);
        assertThat(liar.link.isEnded()).isFalse();

        long beyond = written > 0 ? size + written : written;
        liar.ack(reign, beyond, synced > 0 ? beyond + 1 : synced, CREDIT, NOW);

        assertThat(liar.link.why()).isNotNull().extracting(why -> why.cause()).isEqualTo(cause);
        assertThat(leader.confirmed).isZero();
        assertThat(leader.group.refused(cause)).isEqualTo(1);
        assertThat(leader.group.syncSet().members()).containsExactly(1L);
        assertThat(leader.group.states().get(2L)).isInstanceOf(MemberState.Refused.class);
    }

    @Test
    void acknowledgementMayNotGoBack() {
        FalseFollower liar = friend(2).greet(NOW).emptyPosition(CREDIT, NOW);
        liar.ack(1, size, 0, CREDIT, NOW);
        assertThat(leader.confirmed).isEqualTo(size);

        liar.ack(1, 0, 0, CREDIT, NOW);

        assertThat(liar.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.ACK_FALSE);
        assertThat(leader.confirmed).isEqualTo(size);
    }

    /// Weakness 11 of port 10912: two connections of one member are one member.
    @Test
    void twoConnectionsOfOneMemberCountOnce() {
        Leader three = new Leader(
                new MemoryLog(), EpochTable.EMPTY, 0, new Promise(3, false), Limits.DEFAULTS, new StaticSet());
        three.add("one", NOW);
        FalseFollower first = new FalseFollower(three, Leader.identity(2), Leader.SECRET, NOW);
        first.greet(NOW).emptyPosition(CREDIT, NOW).ack(1, three.log.end(), 0, CREDIT, NOW);
        FalseFollower second = new FalseFollower(three, Leader.identity(2), Leader.SECRET, NOW);
        second.greet(NOW).emptyPosition(CREDIT, NOW).ack(1, three.log.end(), 0, CREDIT, NOW);

        assertThat(first.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.REPLACED);
        assertThat(three.confirmed).isZero();
        assertThat(three.group.syncSet().size()).isEqualTo(2);
    }

    /// R017: the end of its old connection is told only when the new one has long been there.
    @Test
    void lateEndOfAReplacedLinkTakesNothing() {
        FalseFollower before = friend(2).greet(NOW).emptyPosition(CREDIT, NOW);
        FalseFollower after = friend(2).greet(NOW).emptyPosition(CREDIT, NOW);
        after.ack(1, size, 0, CREDIT, NOW);

        before.link.closed(NOW + 1);
        leader.group.tick(NOW + 2, 0);

        assertThat(after.link.isEnded()).isFalse();
        assertThat(leader.group.syncSet().members()).containsExactly(1L, 2L);
        assertThat(leader.group.states().get(2L)).isEqualTo(new MemberState.InSync());
    }

    @Test
    void anotherProcessWithALivingMembersNumberIsRefusedUntilThatIsQuiet() {
        Follower follower = new Follower(2, Limits.DEFAULTS);
        Cable cable = new Cable(leader, follower, NOW);
        cable.carry(follower, NOW);
        assertThat(another(NOW).link.isEnded()).isTrue();

        long beat = NOW + Limits.DEFAULTS.beat().toNanos();
        follower.following.tick(beat);
        cable.carry(follower, beat);
        FalseFollower other = another(beat);

        assertThat(other.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.DUPLICATE_MEMBER);
        assertThat(leader.notebook.lines).anyMatch(line -> line.startsWith("ALARM") && line.contains("is connected"));
        assertThat(cable.leaderEnd.isEnded()).isFalse();

        FalseFollower again = another(beat + Limits.DEFAULTS.quiet().toNanos());
        assertThat(again.link.isEnded()).isFalse();
        assertThat(cable.leaderEnd.why()).extracting(why -> why.cause()).isEqualTo(Cause.REPLACED);
    }

    /// Its machine lost power and is back before its old connection is known to be dead: no two processes lived.
    @Test
    void memberThatIsBackBeforeItsOldConnectionIsSilentTakesItsPlaceWithoutAnAlarm() {
        Follower follower = new Follower(2, Limits.DEFAULTS);
        new Cable(leader, follower, NOW).carry(follower, NOW);
        long quiet = Limits.DEFAULTS.quiet().toNanos();

        FalseFollower early = another(NOW + quiet / 2);
        assertThat(early.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.ENDED);
        FalseFollower back = another(NOW + quiet);

        assertThat(back.link.isEnded()).isFalse();
        assertThat(leader.group.refused(Cause.DUPLICATE_MEMBER)).isZero();
        assertThat(leader.notebook.lines).noneMatch(line -> line.startsWith("ALARM"));
    }

    private FalseFollower another(long now) {
        return new FalseFollower(leader, new Identity("c1", "b1", 2, 4711), Leader.SECRET, now).greet(now);
    }

    /// R001: not a byte of the log, not a word, no state.
    @Test
    void wrongSecretGetsNoWordAndNoState() {
        byte[] wrong = "another secret of 16 bytes".getBytes(StandardCharsets.US_ASCII);
        FalseFollower liar = new FalseFollower(leader, Leader.identity(2), wrong, NOW);
        liar.hello.start(liar.writer);
        liar.deliver(NOW);
        int challenge = liar.toFollower.frames.size();
        liar.goOn(NOW);

        assertThat(challenge).isEqualTo(1);
        assertThat(liar.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.PROOF_WRONG);
        assertThat(liar.toFollower.frames).isEmpty();
        assertThat(leader.group.states()).isEmpty();
        assertThat(leader.group.strangers()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"c2, b1, 2, OTHER_CLUSTER", "c1, b2, 2, OTHER_GROUP", "c1, b1, 1, SAME_ID"})
    void whoProvesItselfButBelongsElsewhereIsToldWhy(String cluster, String group, long id, Cause cause) {
        FalseFollower other =
                new FalseFollower(leader, new Identity(cluster, group, id, 5), Leader.SECRET, NOW).greet(NOW);

        assertThat(other.link.why()).extracting(why -> why.cause()).isEqualTo(cause);
        assertThat(other.toFollower.frames).hasSize(1);
        assertThat(other.toFollower.take()[9]).isEqualTo((byte) FrameType.REFUSAL.code());
        assertThat(leader.group.states()).isEmpty();
    }

    /// R023: nor may what is confirmed lie above the end.
    @ParameterizedTest
    @CsvSource({"10, 5, 0", "0, 5, 6", "0, 5, -1"})
    void positionThatCannotBeIsRefused(long begin, long end, long confirm) {
        FalseFollower liar = friend(2).greet(NOW);
        liar.position(new LogView(Leader.LOG, EpochTable.EMPTY, begin, end, confirm), 0, CREDIT, NOW);

        assertThat(liar.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.BODY);
    }

    @Test
    void foreignLogIsRefusedWithAnAlarm() {
        friend(2).greet(NOW).position(new LogView(new LogId(1, 2), EpochTable.EMPTY, 0, 5, 0), 0, CREDIT, NOW);

        assertThat(leader.group.states().get(2L).words()).startsWith("REFUSED: its log is not a copy");
        assertThat(leader.notebook.lines).anyMatch(line -> line.startsWith("ALARM") && line.contains("log id"));
    }

    /// Nothing would be wrong with the two until the first of the shorter files is full.
    @Test
    void logInFilesOfAnotherLengthIsRefusedBeforeAnythingIsCopied() {
        leader.fileBytes = 1 << 20;
        Follower follower = new Follower(2, Limits.DEFAULTS);
        follower.fileBytes = 1 << 21;
        Cable cable = new Cable(leader, follower, NOW);
        cable.carry(follower, NOW);

        assertThat(cable.leaderEnd.why()).extracting(why -> why.cause()).isEqualTo(Cause.FILE_SIZES);
        assertThat(follower.following.state().words()).contains("they have 2097152 bytes, and the leader's 1048576");
        assertThat(follower.log.end()).isZero();
    }

    @Test
    void whoHasSeenANewerEpochIsTold() {
        EpochTable newer = EpochTable.EMPTY.begin(new Epoch(7, 0, 1));
        friend(2).greet(NOW).position(new LogView(Leader.LOG, newer, 0, 5, 0), 7, CREDIT, NOW);

        assertThat(leader.outranked).isEqualTo(List.of(7L));
        assertThat(leader.group.states().get(2L).words()).contains("epoch 7 against 1");
    }

    /// A leader that counted on from there would have no number left for its next reign.
    @Test
    void epochThatNobodyCanHaveReachedIsNotCountedOnFrom() {
        EpochTable newest = EpochTable.EMPTY.begin(new Epoch(Epoch.MAX_NUMBER, 0, 1));
        FalseFollower liar = friend(2).greet(NOW);
        liar.position(new LogView(Leader.LOG, newest, 0, 5, 0), Epoch.MAX_NUMBER, CREDIT, NOW);

        assertThat(liar.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.EPOCH_FALSE);
        assertThat(leader.outranked).isEmpty();
    }

    /// A liar that makes a leader begin reign after reign neither multiplies log lines nor puts a metric back.
    @Test
    void whatWasRefusedIsCountedAndNotToldAgainInTheNextReign() {
        Leader next = new Leader(
                new MemoryLog(), EpochTable.EMPTY, 0, new Promise(2, false), Limits.DEFAULTS, new StaticSet());
        LogView foreign = new LogView(new LogId(1, 2), EpochTable.EMPTY, 0, 5, 0);
        friend(2).greet(NOW).position(foreign, 0, CREDIT, NOW);
        next.group.countsOnFrom(leader.group);
        new FalseFollower(next, Leader.identity(2), Leader.SECRET, NOW)
                .greet(NOW)
                .position(foreign, 0, CREDIT, NOW);

        assertThat(next.group.refused(Cause.FOREIGN_LOG)).isEqualTo(2);
        assertThat(next.notebook.lines).isEmpty();
    }

    @Test
    void creditIsNeverOverdrawn() {
        for (int i = 0; i < 1_000; i++) {
            leader.add("record " + i, NOW);
        }
        FalseFollower slow = friend(2).greet(NOW).emptyPosition(100, NOW);

        int sent = slow.toFollower.frames.stream()
                .filter(frame -> frame[9] == FrameType.BATCH.code())
                .mapToInt(frame -> frame.length - 52)
                .sum();
        assertThat(sent).isBetween(1, 100);
    }

    /// R018: the leader goes on to lead, and says who is missing.
    @Test
    void silentMemberIsLeftBehindWithinTheLimit() {
        FalseFollower mute = friend(2).greet(NOW).emptyPosition(CREDIT, NOW);
        mute.ack(1, size, size, CREDIT, NOW);
        assertThat(leader.group.syncSet().size()).isEqualTo(2);

        leader.group.tick(NOW + Limits.DEFAULTS.silence().toNanos() - 1, 0);
        assertThat(mute.link.isEnded()).isFalse();
        leader.group.tick(NOW + Limits.DEFAULTS.silence().toNanos(), 0);

        assertThat(mute.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.SILENT);
        assertThat(leader.group.syncSet().size()).isEqualTo(1);
        assertThat(leader.group.refusesSends()).contains("member 2 is SILENT");
    }

    @Test
    void aMemberThatIsHeardButDoesNotKeepUpLeavesTheSet() {
        Limits quick = Limits.DEFAULTS.sending(1 << 20, 1 << 10);
        Leader other = new Leader(new MemoryLog(), EpochTable.EMPTY, 0, new Promise(2, false), quick, new StaticSet());
        FalseFollower slow = new FalseFollower(other, Leader.identity(2), Leader.SECRET, 0).greet(0);
        slow.emptyPosition(CREDIT, 0).ack(1, 0, 0, CREDIT, 0);
        assertThat(other.group.syncSet().size()).isEqualTo(2);
        other.add("one", 1);
        for (int i = 1; i <= 11; i++) {
            long now = i * 500_000_000L;
            slow.ack(1, 0, 0, CREDIT, now);
            other.group.tick(now, 0);
        }

        assertThat(slow.link.isEnded()).isFalse();
        assertThat(other.group.syncSet().size()).isEqualTo(1);
        assertThat(other.group.states().get(2L).words()).startsWith("CATCHING_UP, 11 bytes");
        assertThat(other.confirmed).isZero();
    }

    @Test
    void strangersAreBoundedByHostAndLeaveInTime() {
        for (int i = 0; i < 20; i++) {
            leader.accept(new ListOutlet(), NOW);
        }
        assertThat(leader.group.strangers()).isEqualTo(Limits.DEFAULTS.maxStrangersPerHost());
        assertThat(leader.group.refused(Cause.TOO_MANY_STRANGERS)).isEqualTo(12);
        assertThat(leader.notebook.lines).hasSize(1);

        leader.group.tick(NOW + Limits.DEFAULTS.hello().toNanos(), 0);

        assertThat(leader.group.strangers()).isZero();
    }

    private FalseFollower friend(long id) {
        return new FalseFollower(leader, Leader.identity(id), Leader.SECRET, NOW);
    }
}
