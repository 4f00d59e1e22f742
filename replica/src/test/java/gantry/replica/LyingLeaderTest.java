package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Verdict;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.rig.FalseLeader;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.MemoryLog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A leader that knows the secret, or does not, and asks for what cannot be right.
class LyingLeaderTest {
    private static final long NOW = 1_000;
    private static final Epoch FIRST = new Epoch(1, 0, 31);
    private static final EpochTable EPOCHS = EpochTable.EMPTY.begin(FIRST);

    private final byte[] record = MemoryLog.record("one".getBytes(StandardCharsets.US_ASCII));

    /// Holds two records of epoch 1, the first of which is confirmed.
    private final Follower follower = held();

    private Follower held() {
        MemoryLog log = new MemoryLog();
        log.add(record);
        log.add(record);
        return new Follower(2, log, Leader.LOG, EPOCHS, record.length, 1, Limits.DEFAULTS, 3);
    }

    private LogView leaders(long end, long confirm) {
        return new LogView(Leader.LOG, EPOCHS, 0, end, confirm);
    }

    private FalseLeader streaming() {
        int end = follower.log.end();
        FalseLeader leader = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.CONTINUE, end, leaders(end, record.length), NOW);
        assertThat(leader.link.isEnded()).isFalse();
        return leader;
    }

    private void assertRefused(FalseLeader leader, Cause cause) {
        assertThat(leader.link.why()).isNotNull().extracting(why -> why.cause()).isEqualTo(cause);
        assertThat(follower.confirmed).isEqualTo(record.length);
        assertThat(follower.log.end()).isEqualTo(2 * record.length);
        assertThat(follower.answerOne(NOW)).isFalse();
        assertThat(follower.following.state()).isInstanceOf(MemberState.Refused.class);
    }

    @Test
    void wrongSecretIsNotFollowedAndLearnsNothing() {
        byte[] wrong = "another secret of 16 bytes".getBytes(StandardCharsets.US_ASCII);
        FalseLeader leader = new FalseLeader(follower, wrong, NOW).greet(NOW);
        leader.verdict(Verdict.TRUNCATE, 0, leaders(0, 0), NOW);

        assertRefused(leader, Cause.HELLO_ORDER);
        assertThat(leader.toLeader.frames).isEmpty();
    }

    @Test
    void aCutThatTheTwoLogsDoNotAskForIsNotMade() {
        FalseLeader leader = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.TRUNCATE, record.length, leaders(2L * record.length, 0), NOW);

        assertRefused(leader, Cause.VERDICT_FALSE);
    }

    /// R020: whatever a leader says.
    @Test
    void whatIsConfirmedIsNeverCut() {
        FalseLeader leader = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.TRUNCATE, 0, leaders(0, 0), NOW);

        assertRefused(leader, Cause.CONFIRMED_LOST);
    }

    @Test
    void aLogOfAnotherNameIsNotFollowed() {
        FalseLeader leader = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.CONTINUE, follower.log.end(), new LogView(new LogId(1, 1), EPOCHS, 0, 100, 0), NOW);

        assertRefused(leader, Cause.FOREIGN_LOG);
    }

    @Test
    void followerRefusesOlderEpoch() {
        Follower later = new Follower(2, new MemoryLog(), Leader.LOG, EpochTable.EMPTY, 0, 9, Limits.DEFAULTS, 3);
        FalseLeader leader = new FalseLeader(later, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.CONTINUE, 0, leaders(0, 0), NOW);

        assertThat(leader.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.OUTRANKED);
        assertThat(later.seen).isEqualTo(9);
    }

    /// A follower that took it could never lead: there is no number above.
    @Test
    void epochThatNobodyCanHaveReachedIsNotFollowed() {
        EpochTable newest = EPOCHS.begin(new Epoch(Epoch.MAX_NUMBER, 2L * record.length, 1));
        FalseLeader leader = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
        leader.verdict(Verdict.CONTINUE, follower.log.end(), new LogView(Leader.LOG, newest, 0, 100, 0), NOW);

        assertRefused(leader, Cause.EPOCH_FALSE);
        assertThat(follower.seen).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 0, 11, BATCH_EPOCH",
        "0, 0, 11, BATCH_EPOCH",
        "1, 1, 11, BATCH_OFFSET",
        "1, -1, 11, BATCH_OFFSET",
        "1, 9223372036854775700, 11, BATCH_OFFSET",
        "1, 0, 10, CONFIRM_FALSE"
    })
    void batchThatCannotBeIsNotTaken(long reign, long beside, long confirm, Cause cause) {
        FalseLeader leader = streaming();
        leader.batch(reign, follower.log.end() + beside, confirm, record, NOW);

        assertRefused(leader, cause);
    }

    @ParameterizedTest
    @CsvSource({"2, 0, 0, BATCH_EPOCH", "1, -1, 0, BATCH_OFFSET", "1, 0, 12, CONFIRM_FALSE", "1, 0, -1, CONFIRM_FALSE"})
    void beatThatCannotBeRaisesNothing(long reign, long beside, long confirmBeside, Cause cause) {
        FalseLeader leader = streaming();
        leader.beat(reign, follower.log.end() + beside, record.length + confirmBeside, NOW);

        assertRefused(leader, cause);
    }

    /// R015, R023.
    @Test
    void confirmOffsetNeverPassesWhatIsWritten() {
        FalseLeader leader = streaming();
        leader.batch(1, follower.log.end(), Long.MAX_VALUE, record, NOW);

        assertThat(follower.confirmed).isEqualTo(2L * record.length);
        follower.answerAll(NOW);
        assertThat(follower.confirmed).isEqualTo(3L * record.length);
    }

    @Test
    void moreThanTheCreditIsNotTaken() {
        FalseLeader leader = streaming();
        byte[] large = MemoryLog.record(new byte[3 * 1024 * 1024]);
        leader.batch(1, follower.log.end(), 11, large, NOW);
        assertThat(leader.link.isEnded()).isFalse();

        leader.batch(1, follower.log.end(), 11, large, NOW);

        assertThat(leader.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.CREDIT);
    }

    @Test
    void damagedRecordIsNotTakenAndIsFetchedAgain() {
        FalseLeader leader = streaming();
        byte[] damaged = Arrays.copyOf(record, record.length);
        damaged[9] ^= 1;
        byte[] both = Arrays.copyOf(record, 2 * record.length);
        System.arraycopy(damaged, 0, both, record.length, record.length);
        leader.batch(1, follower.log.end(), 11, both, NOW);
        follower.answerAll(NOW);

        assertThat(leader.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.RECORD_DAMAGED);
        assertThat(follower.log.end()).isEqualTo(3 * record.length);
        assertThat(follower.following.view().end()).isEqualTo(3L * record.length);
        assertThat(follower.following.wantsLink(NOW + Limits.DEFAULTS.redial().toNanos()))
                .isTrue();
    }

    /// As with a full disk: each time the leader would send up to the whole credit again.
    @Test
    void followerWhoseLogTakesNothingConnectsLessAndLessOften() {
        long now = NOW;
        byte[] damaged = Arrays.copyOf(record, record.length);
        damaged[9] ^= 1;
        for (int i = 0; i < 6; i++) {
            int end = follower.log.end();
            FalseLeader leader = new FalseLeader(follower, Leader.SECRET, now).greet(now);
            leader.verdict(Verdict.CONTINUE, end, leaders(end + record.length, record.length), now);
            leader.batch(1, end, record.length, damaged, now);
            follower.answerAll(now);
            assertThat(leader.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.RECORD_DAMAGED);
            now += Limits.DEFAULTS.redial().toNanos();
        }

        long ended = now - Limits.DEFAULTS.redial().toNanos();
        assertThat(follower.following.wantsLink(ended + Limits.DEFAULTS.redial().toNanos() - 1))
                .isFalse();
        assertThat(follower.following.wantsLink(now)).isTrue();
    }

    @Test
    void silentLeaderIsLeftWithinTheLimit() {
        FalseLeader leader = streaming();
        follower.following.tick(NOW + Limits.DEFAULTS.silence().toNanos());

        assertThat(leader.link.why()).extracting(why -> why.cause()).isEqualTo(Cause.SILENT);
        assertThat(follower.following.state()).isInstanceOf(MemberState.Silent.class);
    }

    /// R021: a member whose disk is stuck beats on, and says that it is stuck.
    @Test
    void aLogThatDoesNotAnswerIsNamed() {
        FalseLeader leader = streaming();
        leader.batch(1, follower.log.end(), 11, record, NOW);
        follower.following.tick(NOW + 9_000_000_000L);

        assertThat(follower.following.state().words())
                .contains("the log has not answered for 9 s: 11 bytes from 22 on");
    }
}
