package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.Verdict;
import gantry.replica.lead.StaticSet;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.replica.rig.Cable;
import gantry.replica.rig.FalseFollower;
import gantry.replica.rig.FalseLeader;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.MemoryLog;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A follower whose log cannot be gone on from copies the leader's, and neither side believes what cannot be.
class ReseedTest {
    private static final long NOW = 1_000;
    private static final long SECOND = 1_000_000_000L;
    private static final int CREDIT = 1 << 20;

    private final Leader leader =
            new Leader(new MemoryLog(), EpochTable.EMPTY, 0, new Promise(1, false), Limits.DEFAULTS, new StaticSet());
    private final Follower follower = new Follower(2, Limits.DEFAULTS);

    /// The leader has dropped the head of its log.
    @BeforeEach
    void someRecords() {
        for (int i = 0; i < 100; i++) {
            leader.add("record " + i, NOW);
        }
        leader.log.dropBelow(leader.log.boundary(500));
    }

    private FalseFollower asking() {
        FalseFollower liar = new FalseFollower(leader, Leader.identity(2), Leader.SECRET, NOW).greet(NOW);
        liar.position(new LogView(LogId.NONE, EpochTable.EMPTY, 0, 0, 0), 0, CREDIT, NOW);
        return liar;
    }

    /// A frame in each direction; false when there was none.
    private static boolean carryOne(Cable cable) {
        boolean moved = cable.carryToLeader(NOW);
        return cable.carryToFollower(NOW) || moved;
    }

    /// R005: an empty follower, and one whose next byte is gone, end as a copy that goes on.
    @Test
    void aFollowerBehindTheLeadersBeginCopiesAndGoesOn() {
        Cable cable = new Cable(leader, follower, NOW);
        cable.carry(follower, NOW);
        assertThat(follower.copies).isEqualTo(1);
        assertThat(cable.leaderEnd.isEnded()).isTrue();
        assertThat(leader.group.states().get(2L).words()).startsWith("RESEEDING 100 %");
        assertThat(leader.group.syncSet().has(2)).isFalse();

        assertThat(follower.following.wantsLink(NOW)).isTrue();
        new Cable(leader, follower, NOW).carry(follower, NOW);
        leader.group.tick(NOW + SECOND, 0);

        assertThat(follower.log.begin()).isEqualTo(leader.log.begin());
        assertThat(follower.log.sameAs(leader.log, leader.log.end())).isTrue();
        assertThat(follower.confirmed).isEqualTo(leader.confirmed);
        assertThat(follower.epochs).isEqualTo(leader.epochs);
        assertThat(follower.following.state()).isInstanceOf(MemberState.InSync.class);
        assertThat(leader.keptFrom).isEqualTo(Long.MAX_VALUE);
        assertThat(leader.given).isEmpty();
        assertThat(leader.notebook.lines).hasSize(2).last().asString().startsWith("OVER");
    }

    @Test
    void whileItCopiesItIsReseedingAndRetentionKeepsWhatItNeeds() {
        Cable cable = new Cable(leader, follower, NOW);
        while (carryOne(cable)) {
            // The follower's owner does not answer.
        }
        follower.answerOne(NOW);
        cable.carryToLeader(NOW);

        assertThat(follower.following.state().words()).startsWith("RESEEDING 0 %");
        assertThat(leader.group.states().get(2L).words()).startsWith("RESEEDING 0 %");
        assertThat(leader.keptFrom).isEqualTo(leader.log.begin());

        cable.leaderEnd.closed(NOW);
        leader.group.tick(NOW + 59 * SECOND, 0);
        assertThat(leader.keptFrom).isEqualTo(leader.log.begin());
        leader.group.tick(NOW + 60 * SECOND, 0);
        assertThat(leader.keptFrom).isEqualTo(Long.MAX_VALUE);
        assertThat(leader.given).isEmpty();
    }

    @Test
    void aBrokenCopyGoesOnWhereItEnded() {
        Cable cable = new Cable(leader, follower, NOW);
        while (carryOne(cable)) {
            follower.answerOne(NOW);
            if (follower.side != null && follower.side.held > 0) {
                break;
            }
        }
        follower.answerAll(NOW);
        long held = follower.side == null ? 0 : follower.side.held;
        assertThat(held).isPositive();
        Follower again =
                new Follower(2, follower.log, LogId.NONE, EpochTable.EMPTY, 0, 0, Limits.DEFAULTS, 9, follower.side);
        new Cable(leader, again, NOW).carry(again, NOW);

        assertThat(again.goneOn).isEqualTo(1);
        assertThat(again.copies).isEqualTo(1);
        assertThat(again.log.sameAs(leader.log, leader.log.end())).isTrue();
    }

    /// Has copied the state, and some of the log.
    private Follower halfWay() {
        for (int i = 0; i < 200; i++) {
            leader.add("x".repeat(4_000), NOW);
        }
        Cable cable = new Cable(leader, follower, NOW);
        while (follower.side == null
                || follower.side.held <= follower.side.plan.snapshot().bytes()) {
            carryOne(cable);
            follower.answerOne(NOW);
        }
        assertThat(follower.copies).isZero();
        return new Follower(2, follower.log, LogId.NONE, EpochTable.EMPTY, 0, 0, Limits.DEFAULTS, 9, follower.side);
    }

    @Test
    void aHalfCopyThatIsLostBeginsAnewAndSaysSo() {
        Follower again = halfWay();
        again.losesWhatItHolds = true;
        new Cable(leader, again, NOW).carry(again, NOW);

        assertThat(again.following.state().words()).contains("its files are gone");
        assertThat(again.copies).isZero();
        int before = again.goneOn;
        new Cable(leader, again, NOW + 5 * SECOND).carry(again, NOW + 5 * SECOND);
        assertThat(again.goneOn).isEqualTo(before);
        assertThat(again.copies).as(again.following.state().words()).isEqualTo(1);
        assertThat(again.log.sameAs(leader.log, leader.log.end())).isTrue();
    }

    /// A topic was dropped since its state was gathered: whoever went on from that would bring it back.
    @Test
    void aHalfCopyWhoseStateDoesNotFitAnyMoreBeginsAnew() {
        Follower again = halfWay();
        leader.fitsFrom = Long.MAX_VALUE;
        new Cable(leader, again, NOW).carry(again, NOW);

        assertThat(again.goneOn).isZero();
        assertThat(again.copies).as(again.following.state().words()).isEqualTo(1);
        assertThat(again.log.sameAs(leader.log, leader.log.end())).isTrue();
    }

    @Test
    void withoutRoomNothingIsCopiedAndItIsAskedAgain() {
        follower.room = 100;
        long now = NOW;
        for (int i = 0; i < 10; i++) {
            new Cable(leader, follower, now).carry(follower, now);
            now += 5 * SECOND;
        }
        long needed = Leader.snapshotAt(leader.confirmed).bytes() + leader.log.end() - leader.log.begin();
        String why = "needs " + needed + " bytes, 100 are free";
        assertThat(follower.following.state().words()).contains("NO_ROOM", why);
        assertThat(leader.group.states().get(2L).words()).contains("NO_ROOM", why);
        assertThat(follower.notebook.lines)
                .filteredOn(line -> line.contains("NO_ROOM"))
                .hasSize(1);
        assertThat(leader.notebook.lines).hasSize(2);
        assertThat(follower.log.end()).isZero();

        follower.room = needed;
        new Cable(leader, follower, now).carry(follower, now);
        assertThat(follower.copies).isEqualTo(1);
    }

    /// The leader was restored without what was confirmed: an alarm on both sides, and the old data is kept.
    @Test
    void whatTheLeaderHasLostIsKeptForAnOperator() {
        MemoryLog more = leader.log.duplicate();
        more.add(MemoryLog.record(new byte[9]));
        Follower richer = new Follower(2, more, Leader.LOG, leader.epochs, more.end(), 1, Limits.DEFAULTS, 3);
        Leader restored = new Leader(
                leader.log, leader.epochs, leader.confirmed, new Promise(1, false), Limits.DEFAULTS, new StaticSet());
        new Cable(restored, richer, NOW).carry(richer, NOW);

        assertThat(richer.copies).isEqualTo(1);
        assertThat(richer.setAside).isSameAs(more);
        assertThat(richer.confirmed).isEqualTo(restored.confirmed);
        assertThat(richer.notebook.lines).anyMatch(line -> line.startsWith("ALARM") && line.contains("lacks"));
        assertThat(restored.notebook.lines).anyMatch(line -> line.startsWith("ALARM") && line.contains("lacks"));
    }

    /// Its acknowledgement and its loss of the disk lie between two answers of whoever decides the set.
    @Test
    void whoShowsAnEmptyLogIsNotCountedForWhatItHeldBefore() {
        Leader waiting = new Leader(
                leader.log,
                leader.epochs,
                leader.confirmed,
                new Promise(2, true),
                Limits.DEFAULTS,
                (wanted, asker) -> {});
        new Cable(waiting, follower, NOW).carry(follower, NOW);
        Cable cable = new Cable(waiting, follower, NOW);
        cable.carry(follower, NOW);
        long before = waiting.confirmed;
        waiting.log.add(MemoryLog.record(new byte[9]));
        waiting.group.appended(waiting.log.end(), NOW);
        cable.carry(follower, NOW);
        assertThat(follower.synced).isEqualTo(waiting.log.end());

        Cable empty = new Cable(waiting, new Follower(2, Limits.DEFAULTS), NOW);
        while (!(waiting.group.states().get(2L) instanceof MemberState.Reseeding)) {
            assertThat(carryOne(empty)).isTrue();
        }
        waiting.group.synced(waiting.log.end());

        assertThat(waiting.confirmed).isEqualTo(before);
    }

    @Test
    void copiesKeepToTheirPace() {
        Limits limits = Limits.DEFAULTS.sending(CREDIT, 100).copying(1_000);
        Leader slow =
                new Leader(leader.log, leader.epochs, leader.confirmed, new Promise(1, false), limits, new StaticSet());
        Follower other = new Follower(2, limits);
        Cable cable = new Cable(slow, other, NOW);
        cable.carry(other, NOW);
        for (int i = 1; i <= 10; i++) {
            slow.group.tick(NOW + i * SECOND / 10, 0);
            cable.carry(other, NOW + i * SECOND / 10);
        }

        assertThat(other.side == null ? 0 : other.side.held).isBetween(1_000L, 1_300L);
    }

    @ParameterizedTest
    @CsvSource({"1, 1000, ACK_FALSE", "-1, 1000, ACK_FALSE", "0, -1, ACK_FALSE"})
    void anAcknowledgementOfACopyThatCannotBeEndsTheLink(long beyond, int credit, Cause cause) {
        FalseFollower liar = asking().askForCopy(NOW);
        liar.copyAck(0, 0, NOW);
        assertThat(liar.link.isEnded()).isFalse();

        liar.copyAck(beyond, credit, NOW);

        assertThat(liar.link.why()).extracting(why -> why.cause()).isEqualTo(cause);
        assertThat(leader.group.states().get(2L)).isInstanceOf(MemberState.Refused.class);
    }

    @Test
    void whoAsksTwiceOrAcknowledgesTheLogInsteadIsRefused() {
        FalseFollower twice = asking().askForCopy(NOW).askForCopy(NOW);
        assertThat(twice.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.NOT_NOW);
        FalseFollower other = asking().askForCopy(NOW);
        other.ack(1, 0, 0, CREDIT, NOW);
        assertThat(other.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.NOT_NOW);
        assertThat(leader.group.syncSet().has(2)).isFalse();
    }

    @Test
    void nothingIsSentBeforeThereIsRoomAndNeverMoreThanTheCredit() {
        FalseFollower slow = asking().askForCopy(NOW);
        assertThat(slow.toFollower.frames.stream().filter(frame -> frame[9] == FrameType.COPY_PART.code()))
                .isEmpty();

        slow.copyAck(0, 60, NOW);

        int sent = slow.toFollower.frames.stream()
                .filter(frame -> frame[9] == FrameType.COPY_PART.code())
                .mapToInt(frame -> frame.length - 30)
                .sum();
        assertThat(sent).isEqualTo(60);
    }

    @Test
    void aMemberThatAsksAndTakesNothingIsLeftAfterAMinute() {
        FalseFollower mute = asking().askForCopy(NOW);
        for (int i = 1; i <= 59; i++) {
            mute.copyAck(0, 0, NOW + i * SECOND);
            leader.group.tick(NOW + i * SECOND, 0);
        }
        assertThat(mute.link.isEnded()).isFalse();
        leader.group.tick(NOW + 60 * SECOND, 0);

        assertThat(mute.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.COPY_STALLED);
        assertThat(leader.notebook.lines).anyMatch(line -> line.contains("the member takes nothing"));
    }

    private static final long BEGIN = 40;
    private static final Snapshot STATE = new Snapshot(3, 50, List.of(new Snapshot.Part("a", 10)));

    private FalseLeader offering(CopyOffer offer) {
        EpochTable epochs = leader.epochs;
        FalseLeader liar = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        liar.verdict(Verdict.COPY, 0, new LogView(Leader.LOG, epochs, BEGIN, 100, 60), NOW);
        assertThat(liar.link.isEnded()).isFalse();
        return liar.offer(offer, NOW);
    }

    private void assertNothingTaken(FalseLeader liar, Cause cause) {
        assertThat(liar.link.why()).isNotNull().extracting(why -> why.cause()).isEqualTo(cause);
        assertThat(follower.copies).isZero();
        assertThat(follower.log.end()).isZero();
        assertThat(follower.side == null || follower.side.held == 0).isTrue();
        assertThat(follower.following.state()).isInstanceOf(MemberState.Refused.class);
    }

    @Test
    void aCopyThatTheTwoLogsDoNotAskForIsNotMade() {
        FalseLeader liar = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        liar.verdict(Verdict.COPY, 0, new LogView(Leader.LOG, leader.epochs, 0, 100, 60), NOW);

        assertNothingTaken(liar, Cause.VERDICT_FALSE);
    }

    /// A snapshot above what is confirmed, before the log, a log that ends before it begins, parts that no copy has.
    @ParameterizedTest
    @CsvSource({
        "0, 40, 100, 60, 61, a, BODY",
        "0, 40, 100, 60, 39, a, BODY",
        "0, 40, 39, 39, 40, a, BODY",
        "0, 40, 100, 101, 50, a, BODY",
        "0, -1, 100, 60, 50, a, BODY",
        "3, 40, 100, 60, 50, a, BODY",
        "0, 40, 100, 60, 50, ../a, BODY",
        "0, 40, 100, 60, 50, .a, BODY",
        "0, 40, 4611686018427387904, 60, 50, a, BODY",
        "1, 40, 100, 60, 50, a, COPY_FALSE"
    })
    void anOfferThatCannotBeIsNotTaken(
            int kind, long begin, long end, long confirm, long at, String name, Cause cause) {
        Snapshot snapshot = new Snapshot(3, at, List.of(new Snapshot.Part(name, 10)));
        assertNothingTaken(offering(new CopyOffer(kind, begin, end, confirm, snapshot)), cause);
    }

    /// Part, offset and length of a piece of the snapshot, where part 0 from 0 is due and has 10 bytes.
    @ParameterizedTest
    @CsvSource({"1, 0, 5", "0, 1, 5", "0, -1, 5", "0, 0, 11", "65535, 0, 1", "0, 9223372036854775807, 5"})
    void aPieceThatIsNotNextIsNotTaken(int part, long offset, int length) {
        FalseLeader liar = offering(new CopyOffer(CopyRequest.ANEW, BEGIN, 100, 60, STATE));
        follower.answerAll(NOW);
        liar.copyPart(part, offset, new byte[length], NOW);

        assertNothingTaken(liar, Cause.COPY_FALSE);
    }

    @Test
    void nothingIsTakenBeforeThereIsRoomNorLogBeforeTheSnapshot() {
        FalseLeader early = offering(new CopyOffer(CopyRequest.ANEW, BEGIN, 100, 60, STATE));
        early.copyPart(0, 0, new byte[5], NOW);
        assertNothingTaken(early, Cause.COPY_FALSE);
        follower.answerAll(NOW);

        follower.following.tick(NOW + 5 * SECOND);
        FalseLeader liar = new FalseLeader(follower, Leader.SECRET, NOW + 5 * SECOND).greet(NOW + 5 * SECOND);
        liar.verdict(Verdict.COPY, 0, new LogView(Leader.LOG, leader.epochs, BEGIN, 100, 60), NOW + 5 * SECOND);
        liar.offer(new CopyOffer(CopyRequest.ANEW, BEGIN, 100, 60, STATE), NOW + 5 * SECOND);
        follower.answerAll(NOW + 5 * SECOND);
        liar.copyLog(BEGIN, MemoryLog.record(new byte[3]), NOW + 5 * SECOND);
        assertNothingTaken(liar, Cause.COPY_FALSE);
    }

    /// The copy's log is 60 bytes from 40 on.
    @ParameterizedTest
    @CsvSource({"41, 20", "39, 20", "40, 61", "-9223372036854775808, 20"})
    void logThatIsNotNextOrBeyondTheCopyIsNotTaken(long offset, int length) {
        FalseLeader liar = offering(new CopyOffer(CopyRequest.ANEW, BEGIN, 100, 60, new Snapshot(3, 50, List.of())));
        follower.answerAll(NOW);
        liar.copyLog(offset, Arrays.copyOf(MemoryLog.record(new byte[12]), length), NOW);

        assertNothingTaken(liar, Cause.COPY_FALSE);
    }

    @Test
    void anOldLogShowsNothingMoreWhileItsLeaderIsCopied() {
        MemoryLog old = new MemoryLog();
        old.add(MemoryLog.record(new byte[2]));
        old.add(MemoryLog.record(new byte[2]));
        Follower late = new Follower(2, old, Leader.LOG, leader.epochs, 10, 1, Limits.DEFAULTS, 3);
        FalseLeader peer = new FalseLeader(late, Leader.SECRET, NOW).greet(NOW);
        peer.verdict(Verdict.COPY, 0, new LogView(Leader.LOG, leader.epochs, BEGIN, 100, 60), NOW);
        peer.offer(new CopyOffer(CopyRequest.ANEW, BEGIN, 100, 60, STATE), NOW);
        late.answerAll(NOW);
        peer.beat(1, 120, 110, NOW);
        late.answerAll(NOW);

        assertThat(peer.link.isEnded()).isFalse();
        assertThat(late.confirmed).isEqualTo(10);
        assertThat(late.following.confirmOffset()).isEqualTo(10);
    }
}
