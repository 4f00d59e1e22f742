package gantry.control.routes;

import gantry.base.Published;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.Heard;
import gantry.wire.body.Registration;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The route table at one moment.
///
/// For:   answering requests without asking the owner.
/// Owner: none (immutable, but for when processes were heard: that is read as it is now, so that a heartbeat makes no
///        new image).
public final class RouteImage {
    private final List<Map<String, TopicEntry>> shelves;
    private final NavigableMap<String, BrokerAddresses> brokers;
    private final NavigableMap<BrokerKey, LivingProcess> processes;
    private final long listeningNanos;

    /// What an image knows of one living process.
    ///
    /// @param body what it registered last
    /// @param heard when it was heard last
    record LivingProcess(long fingerprint, Registration body, Published heard, boolean suspect) {}

    /// The maps must not change any more.
    RouteImage(
            List<Map<String, TopicEntry>> shelves,
            NavigableMap<String, BrokerAddresses> brokers,
            NavigableMap<BrokerKey, LivingProcess> processes,
            long listeningNanos) {
        this.shelves = shelves;
        this.brokers = brokers;
        this.processes = processes;
        this.listeningNanos = listeningNanos;
    }

    static RouteImage empty(long listeningNanos) {
        return new RouteImage(
                new TopicShelves().image(),
                Collections.emptyNavigableMap(),
                Collections.emptyNavigableMap(),
                listeningNanos);
    }

    /// Since when brokers are heard here without a gap.
    public long listeningNanos() {
        return listeningNanos;
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

    /// The master of this broker name is there, but was not heard for too long to write to it.
    public boolean isMasterSuspect(BrokerAddresses broker) {
        String master = broker.addresses().get(BrokerAddresses.MASTER_ID);
        LivingProcess process = master == null ? null : processes.get(new BrokerKey(broker.cluster(), master));
        return process != null && process.suspect();
    }

    /// How many processes are suspect.
    public int suspects() {
        return (int) processes.values().stream().filter(LivingProcess::suspect).count();
    }

    /// The ids of a broker whose processes are suspect.
    Set<Long> suspects(BrokerAddresses broker) {
        Set<Long> suspects = new TreeSet<>();
        broker.addresses().forEach((id, address) -> {
            LivingProcess process = processes.get(new BrokerKey(broker.cluster(), address));
            if (process != null && process.suspect()) {
                suspects.add(id);
            }
        });
        return suspects;
    }

    /// When the processes of a broker were heard, by id.
    public SortedMap<Long, Heard> heard(BrokerAddresses broker, long nowNanos) {
        SortedMap<Long, Heard> heard = new TreeMap<>();
        broker.addresses().forEach((id, address) -> {
            LivingProcess process = processes.get(new BrokerKey(broker.cluster(), address));
            if (process != null) {
                Duration ago =
                        Duration.ofNanos(Math.max(0, nowNanos - process.heard().read()));
                heard.put(id, new Heard(ago.toMillis(), process.suspect()));
            }
        });
        return heard;
    }

    /// The registration that this process sent last, if its bytes had that fingerprint. Whoever registers it again
    /// spares the reading, and the route table the comparing.
    public @Nullable Registration known(BrokerKey key, long fingerprint) {
        LivingProcess process = processes.get(key);
        return process != null && process.fingerprint() == fingerprint ? process.body() : null;
    }
}
