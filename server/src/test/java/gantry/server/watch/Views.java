package gantry.server.watch;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.broker.query.BrokerView;
import gantry.broker.replica.ComparisonStatus;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.broker.session.Traffic;
import gantry.net.NetFigures;
import gantry.replica.frame.Cause;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.store.Disk;
import gantry.store.ScrubState;
import gantry.store.State;
import gantry.store.StoreFigures;
import gantry.store.Trouble;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Views for tests: a broker whose log goes from 100 to 1000.
///
/// For:   the tests of this package.
/// Owner: none (stateless).
final class Views {
    private Views() {}

    static Sources sources(@Nullable BrokerView broker, List<String> stuck) {
        return new Sources(
                "broker",
                () -> Optional.of(new RoutesView(
                        3, 1, 2, List.of(new Endpoint("10.0.0.1", 9876), new Endpoint("10.0.0.2", 9876)))),
                () -> Optional.ofNullable(broker),
                () -> stuck,
                List::of,
                () -> new NetFigures(1, 2, 3, 4, Map.of("HTTP", 5L), 6, 7, 8, 9, 10),
                new Clock() {
                    @Override
                    public long nanos() {
                        return 0;
                    }

                    @Override
                    public long wallMillis() {
                        return 0;
                    }
                });
    }

    static BrokerView notRegistered(int nameservers, long known, String trouble) {
        return broker(
                new State.Serving(), List.of(), null, new BrokerView.Nameservers(nameservers, known, List.of(trouble)));
    }

    static BrokerView broker(State state, List<Trouble> troubles, @Nullable ReplicaStatus group) {
        return broker(state, troubles, group, new BrokerView.Nameservers(1, 1, List.of()));
    }

    private static BrokerView broker(
            State state, List<Trouble> troubles, @Nullable ReplicaStatus group, BrokerView.Nameservers nameservers) {
        return new BrokerView(
                "a",
                0,
                state,
                troubles,
                new StoreFigures(
                        100, 1_000, 800, 900, 700, new Disk.Space(10_000, 4_000), new ScrubState("off", 0, 0, 0, null)),
                Optional.ofNullable(group),
                nameservers,
                11,
                12,
                13,
                new Traffic.Figures(14, 15, 16, 17, 18));
    }

    static ReplicaStatus leader(@Nullable String refuses, MemberStatus... members) {
        TreeMap<Cause, Long> refused = new TreeMap<>(Map.of(Cause.PROOF_WRONG, 3L));
        return new ReplicaStatus(
                        ReplicaRole.LEADER,
                        0,
                        new Promise(2, false),
                        5,
                        100,
                        1_000,
                        900,
                        800,
                        refuses,
                        List.of(members),
                        refused,
                        2)
                .comparing(new ComparisonStatus(
                        30,
                        4,
                        1,
                        "",
                        List.of(
                                new ComparisonStatus.Of(
                                        1, 20, 1, 0, -1, -1, OptionalLong.of(5_500), OptionalLong.of(2_500), 300, 700),
                                new ComparisonStatus.Of(
                                        2, 10, 0, 0, -1, -1, OptionalLong.empty(), OptionalLong.empty(), -1, -1)),
                        StateComparison.told(750, 9_000)));
    }

    static ReplicaStatus follower(MemberStatus leader) {
        return new ReplicaStatus(
                ReplicaRole.FOLLOWER,
                1,
                new Promise(1, false),
                5,
                100,
                1_000,
                900,
                800,
                "this broker follows",
                List.of(leader),
                new TreeMap<>(),
                0);
    }

    static MemberStatus unknown(long id, MemberState state) {
        return new MemberStatus(id, "", state, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    static MemberStatus known(long id, MemberState state, long lagBytes, long lagMillis, long heardMillis) {
        return new MemberStatus(
                id,
                "10.0.0.7:40000",
                state,
                OptionalLong.of(lagBytes),
                OptionalLong.of(lagBytes / 20),
                OptionalLong.of(lagMillis),
                OptionalLong.of(heardMillis));
    }
}
