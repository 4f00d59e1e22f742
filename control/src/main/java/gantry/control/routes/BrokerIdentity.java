package gantry.control.routes;

import gantry.wire.body.BrokerAddresses;

/// Who a broker process says it is.
///
/// For:   the four fields that every request of a broker carries.
/// Owner: none (immutable).
public record BrokerIdentity(String cluster, String brokerName, long brokerId, String address) {
    public BrokerKey key() {
        return new BrokerKey(cluster, address);
    }

    public boolean isMaster() {
        return brokerId == BrokerAddresses.MASTER_ID;
    }

    /// As operators see it: `b-a:1 (10.0.0.1:10911)`.
    @Override
    public String toString() {
        return brokerName + ":" + brokerId + " (" + address + ")";
    }
}
