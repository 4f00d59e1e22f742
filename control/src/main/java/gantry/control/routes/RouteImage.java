package gantry.control.routes;

import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.Registration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The route table at one moment.
///
/// For:   answering requests without asking the owner.
/// Owner: none (immutable).
public final class RouteImage {
    static final RouteImage EMPTY = new RouteImage(
            new TopicShelves().image(), Collections.emptyNavigableMap(), Collections.emptyNavigableMap());

    private final List<Map<String, TopicEntry>> shelves;
    private final NavigableMap<String, BrokerAddresses> brokers;
    private final NavigableMap<BrokerKey, LivingProcess> processes;

    /// What an image knows of one living process.
    ///
    /// @param body what it registered last
    record LivingProcess(long fingerprint, Registration body) {}

    /// The maps must not change any more.
    RouteImage(
            List<Map<String, TopicEntry>> shelves,
            NavigableMap<String, BrokerAddresses> brokers,
            NavigableMap<BrokerKey, LivingProcess> processes) {
        this.shelves = shelves;
        this.brokers = brokers;
        this.processes = processes;
    }

    public @Nullable TopicEntry topic(String topic) {
        return shelves.get(TopicShelves.shelf(topic)).get(topic);
    }

    /// All topics in alphabetical order.
    public NavigableMap<String, TopicEntry> topics() {
        NavigableMap<String, TopicEntry> all = new TreeMap<>();
        shelves.forEach(all::putAll);
        return all;
    }

    public @Nullable BrokerAddresses broker(String brokerName) {
        return brokers.get(brokerName);
    }

    /// By broker name.
    public NavigableMap<String, BrokerAddresses> brokers() {
        return brokers;
    }

    /// Cluster name → broker names.
    public NavigableMap<String, SortedSet<String>> clusters() {
        NavigableMap<String, SortedSet<String>> clusters = new TreeMap<>();
        brokers.values()
                .forEach(broker -> clusters.computeIfAbsent(broker.cluster(), name -> new TreeSet<>())
                        .add(broker.brokerName()));
        return clusters;
    }

    /// Legacy filter servers of a living process, nearly always none.
    public List<String> filterServers(String cluster, String address) {
        LivingProcess process = processes.get(new BrokerKey(cluster, address));
        return process == null ? List.of() : process.body().filterServers();
    }

    /// The registration that this process sent last, if its bytes had that fingerprint. Whoever registers it again
    /// spares the reading, and the route table the comparing.
    public @Nullable Registration known(BrokerKey key, long fingerprint) {
        LivingProcess process = processes.get(key);
        return process != null && process.fingerprint() == fingerprint ? process.body() : null;
    }
}
