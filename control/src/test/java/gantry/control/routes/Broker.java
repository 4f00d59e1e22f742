package gantry.control.routes;

import gantry.wire.body.DataVersion;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueMapping;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A broker process of a test, as it would register; every change gives another one.
record Broker(
        BrokerIdentity identity,
        @Nullable Duration timeout,
        @Nullable Boolean actingMaster,
        @Nullable String zone,
        DataVersion version,
        Map<String, TopicConfig> topics,
        Map<String, QueueMapping> mappings,
        List<String> filterServers) {
    static final DataVersion V1 = new DataVersion(0, 1_000, 1);
    static final DataVersion V2 = new DataVersion(0, 2_000, 2);

    /// With the topics that every broker has, and `T` with 4 queues.
    static Broker of(String name, long id, String address) {
        return new Broker(
                        new BrokerIdentity("C", name, id, address), null, null, null, V1, Map.of(), Map.of(), List.of())
                .with(TopicConfig.of(name, 1, 7), TopicConfig.of("T", 4, Permission.READ_WRITE));
    }

    static Broker master(String name) {
        return of(name, 0, name + ":10911");
    }

    Broker at(String address) {
        return in(new BrokerIdentity(identity.cluster(), identity.brokerName(), identity.brokerId(), address));
    }

    Broker as(long id) {
        return in(new BrokerIdentity(identity.cluster(), identity.brokerName(), id, identity.address()));
    }

    Broker in(String cluster) {
        return in(new BrokerIdentity(cluster, identity.brokerName(), identity.brokerId(), identity.address()));
    }

    private Broker in(BrokerIdentity other) {
        return new Broker(other, timeout, actingMaster, zone, version, topics, mappings, filterServers);
    }

    Broker promising(Duration other) {
        return new Broker(identity, other, actingMaster, zone, version, topics, mappings, filterServers);
    }

    Broker acting() {
        return new Broker(identity, timeout, true, zone, version, topics, mappings, filterServers);
    }

    Broker version(DataVersion other) {
        return new Broker(identity, timeout, actingMaster, zone, other, topics, mappings, filterServers);
    }

    Broker filtering(String server) {
        return new Broker(identity, timeout, actingMaster, zone, version, topics, mappings, List.of(server));
    }

    Broker with(TopicConfig... more) {
        Map<String, TopicConfig> all = new LinkedHashMap<>(topics);
        for (TopicConfig each : more) {
            all.put(each.topic(), each);
        }
        return new Broker(identity, timeout, actingMaster, zone, version, all, mappings, filterServers);
    }

    Broker only(TopicConfig... some) {
        return new Broker(identity, timeout, actingMaster, zone, version, Map.of(), mappings, filterServers).with(some);
    }

    Broker mapping(QueueMapping mapping) {
        return new Broker(
                identity,
                timeout,
                actingMaster,
                zone,
                version,
                topics,
                Map.of(mapping.topic(), mapping),
                filterServers);
    }

    BrokerKey key() {
        return identity.key();
    }

    BrokerRegistration registration() {
        TopicTable table = new TopicTable(version, topics, DataVersion.NONE, mappings);
        return registration(new Registration(table, filterServers), 0);
    }

    BrokerRegistration registration(BrokerRegistration.Gone gone) {
        BrokerRegistration plain = registration();
        return new BrokerRegistration(
                identity, plain.haAddress(), timeout, actingMaster, zone, plain.body(), plain.fingerprint(), gone);
    }

    BrokerRegistration registration(Registration body, long fingerprint) {
        return new BrokerRegistration(
                identity,
                identity.address() + "-ha",
                timeout,
                actingMaster,
                zone,
                body,
                fingerprint,
                BrokerRegistration.Gone.NONE);
    }
}
