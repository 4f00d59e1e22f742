package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Notices;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.delay.DelayLevels;
import gantry.broker.facts.ConfirmedState;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Found;
import gantry.broker.facts.State;
import gantry.broker.facts.StateDigest;
import gantry.broker.facts.StateFile;
import gantry.broker.group.Groups;
import gantry.broker.replica.StateComparison;
import gantry.broker.topic.Catalogue;
import gantry.store.OpenFailed;
import gantry.wire.body.DataVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows that no digest is taken of a state that is of no one moment: after a loss of power a member's files may hold
/// facts that its log does not show yet, and until those are folded again the state is some of before and some of
/// after.
class WholeStateTest {
    private static final StateDigest ANY = new StateDigest("a", "b", "c", "d");
    private static final State EMPTY =
            new State(DataVersion.NONE, DataVersion.NONE, Map.of(), Map.of(), Map.of(), new TreeMap<>());

    @TempDir
    private Path folder;

    private FactKit kit;

    @BeforeEach
    void open() throws OpenFailed {
        kit = new FactKit(folder);
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private static Fact.Offsets commit(long offset) {
        return new Fact.Offsets("g", "t", Map.of(0, offset));
    }

    private static Found whole(long position, Fact... facts) {
        return new Found.Whole(List.of(facts), OptionalLong.of(position));
    }

    /// A member as it starts: its files hold commits up to fact 4, its log shows those below 2.
    private final class Start {
        private final Notices notices = (level, text) -> kit.told.add(level + " " + text);
        private final Catalogue catalogue = new Catalogue(
                BrokerConfig.named("DefaultCluster", "broker-a", "127.0.0.1", List.of())
                        .catalogue(),
                kit.facts,
                kit.store,
                kit.clock,
                Runnable::run,
                FactKit.FAULTS);
        private final Groups groups = new Groups(kit.facts, kit.clock, Runnable::run, FactKit.FAULTS);
        private final FactFold fold = new FactFold(
                kit.store,
                catalogue,
                groups,
                new DelayDelivery(
                        kit.store,
                        catalogue,
                        kit.facts,
                        DelayLevels.DEFAULT,
                        kit.clock,
                        Runnable::run,
                        notices,
                        FactKit.FAULTS));
        private final Recovery recovery = new Recovery(kit.store, kit.facts, catalogue, groups, fold, notices);
        private final StateCheck check = new StateCheck(Duration.ofHours(1), kit.clock, notices);

        Start() throws FactLog.Unreadable {
            kit.add(commit(1));
            kit.add(commit(2));
            recovery.run(Map.of(
                    StateFile.TOPICS, whole(4),
                    StateFile.GROUPS, whole(4),
                    StateFile.OFFSETS, whole(4, commit(4)),
                    StateFile.DELAY, whole(4)));
        }

        FactFollower follower() {
            return new FactFollower(
                    kit.store,
                    kit.facts,
                    fold,
                    catalogue,
                    recovery.foldedTo(),
                    recovery.wholeFrom(),
                    taker -> taker.accept(ANY),
                    check,
                    Runnable::run,
                    notices,
                    FactKit.FAULTS);
        }
    }

    @Test
    void startKnowsUpToWhereItsFilesMayBeAheadOfItsLog() throws FactLog.Unreadable {
        Start start = new Start();
        assertThat(start.recovery.foldedTo()).isEqualTo(2);
        assertThat(start.recovery.wholeFrom()).isEqualTo(4);
    }

    /// The point at 2 is one at which the leader had committed 2, and this member's files say 4.
    @Test
    void followerTakesNoDigestBelowWhatItsFilesHoldAndTakesTheNext() throws FactLog.Unreadable {
        Start start = new Start();
        FactFollower follower = start.follower();
        kit.add(new Fact.StatePoint());
        kit.add(new Fact.StateTold(2, new StateDigest("a", "b", "x", "d")));
        follower.tick(true);
        assertThat(follower.folded()).isEqualTo(4);
        assertThat(start.check.seen()).isEqualTo(StateComparison.NONE);

        kit.add(new Fact.StatePoint());
        kit.add(new Fact.StateTold(4, ANY));
        follower.tick(true);
        follower.tick(true);
        assertThat(start.check.seen().outcome()).isEqualTo(StateComparison.Outcome.SAME);
    }

    @Test
    void leaderTellsNoneEither() throws FactLog.Unreadable {
        Start start = new Start();
        ConfirmedState state = new ConfirmedState(kit.facts, _ -> false);
        state.begin(start.recovery.foldedTo(), start.recovery.wholeFrom(), EMPTY);
        kit.add(new Fact.StatePoint());
        kit.add(commit(4));
        assertThat(state.advance(kit.facts.end())).isNull();
        assertThat(state.newest()).isEmpty();

        kit.add(new Fact.StatePoint());
        assertThat(state.advance(kit.facts.end())).isNull();
        assertThat(state.newest())
                .hasValueSatisfying(at -> assertThat(at.point()).isEqualTo(4));
    }
}
