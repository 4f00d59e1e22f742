package gantry.control.routes;

import java.util.Comparator;

/// One broker process, as the nameserver tells processes apart.
///
/// For:   keys of what is known about living brokers.
/// Owner: none (immutable).
public record BrokerKey(String cluster, String address) implements Comparable<BrokerKey> {
    private static final Comparator<BrokerKey> ORDER =
            Comparator.comparing(BrokerKey::cluster).thenComparing(BrokerKey::address);

    @Override
    public int compareTo(BrokerKey other) {
        return ORDER.compare(this, other);
    }
}
