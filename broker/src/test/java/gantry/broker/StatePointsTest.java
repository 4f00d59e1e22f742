package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.StateDigest;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.member.CompareLimits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.store.OpenFailed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows when a leader asks for its followers' state and tells its own, and that what keeps it from that has a name.
class StatePointsTest {
    private static final Duration EVERY = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final StateDigest DIGEST = new StateDigest("a", "b", "c", "d");

    @TempDir
    private Path folder;

    private FactKit kit;
    private StatePoints points;
    private Optional<StateDigest.At> digest = Optional.empty();
    private MemberState follower = new MemberState.InSync();
    private boolean settled = true;

    @BeforeEach
    void open() throws OpenFailed {
        kit = new FactKit(folder);
        points = new StatePoints(
                kit.facts,
                () -> digest,
                CompareLimits.DEFAULTS,
                kit.clock,
                Runnable::run,
                (level, text) -> kit.told.add(level + " " + text),
                FactKit.FAULTS);
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private void pass(Duration time) {
        kit.clock.advance(time);
        tick();
    }

    private void tick() {
        MemberStatus member =
                new MemberStatus(1, "", follower, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        Promise promise = new Promise(1, false);
        points.tick(
                new ReplicaStatus(
                        ReplicaRole.LEADER, 0, promise, 5, 0, 0, 0, 0, null, List.of(member), new TreeMap<>(), 0),
                settled);
    }

    /// An export takes in what is confirmed.
    private void export() {
        digest = Optional.of(new StateDigest.At(kit.facts.end() - 1, 1_000, DIGEST));
    }

    private void isNamed(String why) {
        assertThat(points.seen().missing())
                .startsWith("For 10 minutes this master")
                .contains(why);
        assertThat(kit.told)
                .filteredOn(text -> text.startsWith("ALARM"))
                .singleElement()
                .asString()
                .contains(why);
    }

    @Test
    void pointComesSoonAfterAFollowerIsInSyncAndThenEveryHour() throws FactLog.Unreadable {
        tick();
        assertThat(kit.confirmed()).isEmpty();
        pass(SOON);
        kit.confirm();
        tick();
        assertThat(kit.confirmed()).containsExactly(new Fact.StatePoint());
        assertThat(points.seen()).isEqualTo(StateComparison.NONE);

        export();
        tick();
        kit.confirm();
        assertThat(kit.confirmed()).containsExactly(new Fact.StatePoint(), new Fact.StateTold(0, DIGEST));
        assertThat(points.seen())
                .returns(StateComparison.Outcome.TOLD, StateComparison::outcome)
                .returns(1_000L, StateComparison::logOffset);

        pass(EVERY.minus(SOON));
        kit.confirm();
        assertThat(kit.confirmed()).hasSize(2);
        pass(SOON);
        kit.confirm();
        assertThat(kit.confirmed()).hasSize(3).last().isEqualTo(new Fact.StatePoint());
        assertThat(points.seen().isLate()).isFalse();
    }

    @Test
    void digestOfAnEarlierPointIsNotTold() throws FactLog.Unreadable {
        export();
        digest = Optional.of(new StateDigest.At(0, 500, DIGEST));
        kit.add(new Fact.Adopted());
        tick();
        pass(SOON);
        kit.confirm();
        tick();
        kit.confirm();
        assertThat(kit.confirmed()).containsExactly(new Fact.Adopted(), new Fact.StatePoint());
    }

    @Test
    void withoutAFollowerInSyncThereIsNoPointAndNothingIsLate() throws FactLog.Unreadable {
        follower = new MemberState.CatchingUp(7);
        tick();
        for (int i = 0; i < 5; i++) {
            pass(EVERY);
        }
        kit.confirm();
        assertThat(kit.confirmed()).isEmpty();
        assertThat(points.seen()).isEqualTo(StateComparison.NONE);
    }

    @Test
    void exportThatFailsIsNamedUntilTheStateIsTold() {
        tick();
        pass(SOON);
        kit.confirm();
        pass(StateComparison.LATE.minusSeconds(1));
        assertThat(points.seen().isLate()).isFalse();
        pass(Duration.ofSeconds(1));
        isNamed("no export of config/ has come to the state point");
        pass(EVERY);
        isNamed("no export of config/");

        export();
        tick();
        kit.confirm();
        assertThat(points.seen())
                .returns(StateComparison.Outcome.TOLD, StateComparison::outcome)
                .returns(false, StateComparison::isLate);
        assertThat(kit.told).last().asString().startsWith("OVER ");
    }

    @Test
    void pointThatIsNotConfirmedIsNamed() {
        tick();
        pass(SOON);
        pass(StateComparison.LATE);
        isNamed("the record of a state point has not been confirmed");
    }

    @Test
    void wordThatIsNotConfirmedIsNamed() {
        tick();
        pass(SOON);
        kit.confirm();
        export();
        tick();
        pass(StateComparison.LATE);
        isNamed("the record that tells what the state was has not been confirmed");
    }

    @Test
    void changesThatDoNotComeIntoTheLogAreNamed() {
        settled = false;
        tick();
        pass(SOON);
        pass(StateComparison.LATE);
        isNamed("changes of topics and groups have not come into the log");
    }

    @Test
    void recordThatIsRefusedIsAskedForAgainAndNamed() {
        tick();
        kit.close();
        for (int minute = 0; minute <= 1 + StateComparison.LATE.toMinutes(); minute++) {
            pass(SOON);
        }
        isNamed("its record was refused, CLOSED");
    }

    @Test
    void whatIsLateIsForgottenWithTheLastFollower() {
        exportThatFailsIsNamed();
        follower = new MemberState.CatchingUp(7);
        tick();
        assertThat(points.seen().isLate()).isFalse();
    }

    private void exportThatFailsIsNamed() {
        tick();
        pass(SOON);
        kit.confirm();
        pass(StateComparison.LATE);
        assertThat(points.seen().isLate()).isTrue();
    }
}
