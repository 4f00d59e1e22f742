package gantry.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import gantry.broker.replica.ComparisonStatus;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.member.MemberState;
import gantry.store.State;
import gantry.store.Trouble;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How a group is shown to Gantry's own tools and to RocketMQ's: nothing negative, and no number for what nobody knows.
class ReplicaFiguresTest {
    private static final String NOT_COMPARED =
            "\"gantryChecks\":{\"rottenPlaces\":0,\"state\":\"none\"," + "\"stateLogOffset\":-1,\"stateParts\":[]},";
    private static final MemberState REFUSED = new MemberState.Refused(new Fault(Cause.FOREIGN_LOG, "log id 1"));

    @Test
    void leaderShowsPromiseMembersAndRefusals() {
        Map<String, String> table = new TreeMap<>();
        ReplicaFigures.put(
                table,
                GroupView.leader(
                        2, null, GroupView.member(1, new MemberState.InSync(), 0, 0), GroupView.member(2, REFUSED)));
        assertThat(table)
                .containsEntry("gantry.replica.role", "leader")
                .containsEntry("gantry.replica.promise", "answered when 2 members have it written")
                .containsEntry("gantry.replica.members", "1,2")
                .containsEntry("gantry.replica.refused.PROOF_WRONG", "3")
                .containsEntry("gantry.replica.strangers", "2")
                .containsEntry("gantry.replica.member.1.state", "IN_SYNC")
                .containsEntry("gantry.replica.member.1.well", "true")
                .containsEntry("gantry.replica.member.1.lagMessages", "0")
                .containsEntry("gantry.replica.member.1.lagSeconds", "0.0")
                .containsEntry("gantry.replica.member.1.heardSecondsAgo", "0.3")
                .containsEntry("gantry.replica.member.2.well", "false")
                .containsEntry("gantry.replica.member.2.lagBytes", "unknown")
                .containsEntry("gantry.replica.member.2.lagMessages", "unknown")
                .containsEntry("gantry.replica.member.2.lagSeconds", "unknown")
                .containsEntry("gantry.replica.member.2.heardSecondsAgo", "never")
                .doesNotContainKey("gantry.replica.member.2.address");
    }

    @Test
    void stateSaysThatTooFewMembersAreInSyncAndWhy() {
        Map<String, String> table = stateOf(
                List.of(new Trouble(Trouble.Kind.REBUILDING, "Queues are made again.")),
                GroupView.leader(2, "0 of them are in sync"));
        assertThat(table)
                .containsEntry("gantry.state", "rebuilding queues, too few members in sync")
                .containsEntry("gantry.stateReason", "Queues are made again. No send is taken: 0 of them are in sync.");
    }

    @Test
    void followerThatTakesNoSendsIsServing() {
        assertThat(stateOf(List.of(), GroupView.follower(GroupView.member(0, new MemberState.InSync()))))
                .containsOnly(Map.entry("gantry.state", "serving"));
    }

    private static Map<String, String> stateOf(List<Trouble> troubles, ReplicaStatus view) {
        Map<String, String> table = new TreeMap<>();
        StatusHandler.putState(table, new State.Serving(), troubles, Optional.of(view));
        return table;
    }

    /// R004: also of a lag that is more than there is.
    @Test
    void toolsOfRocketMqSeeOnlyWhoProvedItsPlaceAndNothingNegative() {
        ReplicaStatus view = GroupView.leader(
                2,
                null,
                GroupView.member(1, new MemberState.InSync(), 0, 0),
                GroupView.member(2, new MemberState.CatchingUp(400), 5_000, 3),
                GroupView.member(3, REFUSED),
                GroupView.member(4, new MemberState.NeverSeen()));
        assertThat(json(view))
                .isEqualTo("{" + NOT_COMPARED + "\"haConnectionInfo\":["
                        + "{\"addr\":\"10.0.0.7:40000 (brokerId 1)\",\"diff\":0,\"inSync\":true,\"slaveAckOffset\":1000,"
                        + "\"transferFromWhere\":1000},"
                        + "{\"addr\":\"10.0.0.7:40000 (brokerId 2)\",\"diff\":1000,\"inSync\":false,\"slaveAckOffset\":0,"
                        + "\"transferFromWhere\":0}],"
                        + "\"inSyncSlaveNums\":1,\"master\":true,\"masterCommitLogMaxOffset\":1000}");
    }

    @Test
    void toolsOfRocketMqSeeAFollowersMaster() {
        ReplicaStatus view = GroupView.follower(GroupView.member(0, new MemberState.CatchingUp(5), 5, 3));
        assertThat(json(view))
                .isEqualTo("{" + NOT_COMPARED
                        + "\"haClientRuntimeInfo\":{\"lastReadTimestamp\":9750,\"masterAddr\":\"10.0.0.7:40000\","
                        + "\"masterFlushOffset\":1005,\"maxOffset\":1000},\"haConnectionInfo\":[],"
                        + "\"inSyncSlaveNums\":0,\"master\":false,\"masterCommitLogMaxOffset\":0}");
    }

    @Test
    void haStatusShowsWhatComparingHasComeTo() {
        ReplicaStatus view = GroupView.leader(2, null, GroupView.member(1, new MemberState.InSync(), 0, 0))
                .comparing(new ComparisonStatus(
                        30,
                        4,
                        2,
                        "",
                        List.of(new ComparisonStatus.Of(
                                1, 20, 3, 1, 200, 300, OptionalLong.empty(), OptionalLong.of(2_500), 400, 700)),
                        StateComparison.told(750, 9_000)));
        assertThat(json(view))
                .contains("\"gantryChecks\":{\"rottenPlaces\":2,\"state\":\"told\",\"stateLogOffset\":750,")
                .contains("\"gantryComparison\":{\"at\":400,\"differingRanges\":1,\"endedMillis\":7500,\"goesTo\":700,"
                        + "\"rottenRanges\":3}");
    }

    @Test
    void healthOfTheToolsNamesWhatComparingHasFound() {
        ReplicaStatus group = GroupView.follower(GroupView.member(0, new MemberState.InSync(), 0, 0));
        Map<String, String> table = stateOf(
                List.of(),
                group.comparing(group.comparison().with(StateComparison.NONE.next(800, 1, List.of("groups")))));
        assertThat(table).containsEntry("gantry.state", "state differs");
        assertThat(table.get("gantry.stateReason"))
                .contains("The groups of this slave", "at log offset 800", "an empty folder");
    }

    @Test
    void comparisonOfTheStateThatDoesNotTakePlaceIsNamed() {
        ReplicaStatus group = GroupView.follower(GroupView.member(0, new MemberState.InSync(), 0, 0));
        ReplicaStatus late = group.comparing(group.comparison()
                .with(StateComparison.NONE.next(800, 1, List.of()).lacking("For 10 minutes nothing was told")));
        Map<String, String> table = stateOf(List.of(), late);
        assertThat(table).containsEntry("gantry.state", "state is not compared");
        assertThat(table.get("gantry.stateReason"))
                .contains("For 10 minutes nothing was told. Topics, groups", "look at");
        assertThat(json(late))
                .contains("\"state\":\"same\",\"stateLogOffset\":800,\"stateParts\":[],"
                        + "\"stateMissing\":\"For 10 minutes nothing was told\"}");
    }

    private static String json(ReplicaStatus view) {
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public long wallMillis() {
                return 10_000;
            }
        };
        HaStatusHandler handler = new HaStatusHandler(() -> Optional.of(view), () -> 0, clock);
        return new String(handler.of(view).toBytes(), StandardCharsets.UTF_8);
    }
}
