package gantry.broker.query;

import gantry.broker.replica.ReplicaStatus;
import gantry.broker.session.Traffic;
import gantry.store.State;
import gantry.store.StoreFigures;
import gantry.store.Trouble;
import java.util.List;
import java.util.Optional;

/// A broker at one moment, as its parts have published it.
///
/// For:   health and metrics; making one waits for nobody.
/// Owner: none (immutable).
///
/// @param clients connections of clients that are open
/// @param parked  pulls that wait for a message
/// @param group   how it stands in its replica group; empty when it stands alone
public record BrokerView(
        String brokerName,
        long brokerId,
        State state,
        List<Trouble> troubles,
        StoreFigures store,
        Optional<ReplicaStatus> group,
        Nameservers nameservers,
        int clients,
        long parked,
        int topics,
        Traffic.Figures traffic) {
    /// Who knows the broker.
    ///
    /// @param count    how many it registers with
    /// @param known    how many of them know it
    /// @param troubles why the others do not, a sentence each
    public record Nameservers(int count, long known, List<String> troubles) {}

    /// `broker a/0`.
    public String part() {
        return "broker " + brokerName + "/" + brokerId;
    }
}
