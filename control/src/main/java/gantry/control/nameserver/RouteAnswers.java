package gantry.control.nameserver;

import gantry.control.routes.RouteImage;
import gantry.control.routes.TopicEntry;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.KeyValueSpaces;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.QueueMapping;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Puts a topic's route together out of an image.
///
/// For:   what a client gets to see: the order of queues, the acting master, its zone.
/// Owner: none (stateless).
final class RouteAnswers {
    /// Topics by which members of a broker find one another; these show who really is there.
    private static final String MEMBER_TOPIC_PREFIX = "rmq_sys_SYNC_BROKER_MEMBER_";

    private final KeyValues values;
    private final boolean orderedTopics;
    private final boolean actingMaster;

    RouteAnswers(KeyValues values, NameserverConfig config) {
        this.values = values;
        this.orderedTopics = config.orderedTopics();
        this.actingMaster = config.actingMaster();
    }

    /// @param zone where the client is, when it wants brokers of its zone only
    /// @return null when nobody has the topic
    @Nullable
    TopicRoute route(RouteImage image, String topic, @Nullable String zone) {
        TopicEntry entry = image.topic(topic);
        if (entry == null) {
            return null;
        }
        List<QueueLayout> queues = new ArrayList<>();
        List<BrokerAddresses> brokers = new ArrayList<>();
        Map<String, List<String>> filterServers = new LinkedHashMap<>();
        for (QueueLayout layout : entry.layouts()) {
            BrokerAddresses broker = image.broker(layout.brokerName());
            if (broker == null || !isInZone(broker, zone)) {
                continue;
            }
            queues.add(image.isMasterSuspect(broker) ? forReading(layout) : layout);
            brokers.add(acts(topic, broker, layout) ? withActingMaster(broker) : broker);
            for (String address : broker.addresses().values()) {
                List<String> servers = image.filterServers(broker.cluster(), address);
                if (!servers.isEmpty()) {
                    filterServers.put(address, servers);
                }
            }
        }
        if (brokers.isEmpty() && zone == null) {
            return null;
        }
        Map<String, QueueMapping> mappings = new LinkedHashMap<>();
        entry.mappings().forEach(mapping -> mappings.put(mapping.brokerName(), mapping));
        return new TopicRoute(queues, brokers, filterServers, order(topic), mappings);
    }

    private static QueueLayout forReading(QueueLayout layout) {
        return layout.withPermission(layout.permission() & ~Permission.WRITE);
    }

    /// Brokers without a master are of every zone: nobody could write to them anyway, and reading must go on.
    private static boolean isInZone(BrokerAddresses broker, @Nullable String zone) {
        return zone == null || zone.equalsIgnoreCase(broker.zone()) || !broker.hasMaster();
    }

    /// The smallest id acts where it may, and where nobody could write anyway.
    private boolean acts(String topic, BrokerAddresses broker, QueueLayout layout) {
        return actingMaster
                && broker.actingMaster()
                && !broker.hasMaster()
                && !Permission.isWriteable(layout.permission())
                && !topic.startsWith(MEMBER_TOPIC_PREFIX);
    }

    /// With the smallest id in the master's place.
    private static BrokerAddresses withActingMaster(BrokerAddresses broker) {
        long smallest = broker.addresses().firstKey();
        String address = broker.addresses().get(smallest);
        return broker.with(smallest, null).with(BrokerAddresses.MASTER_ID, address);
    }

    private @Nullable String order(String topic) {
        Map<String, String> orders = orderedTopics ? values.space(KeyValueSpaces.ORDER_TOPIC_CONFIG) : null;
        return orders == null ? null : orders.get(topic);
    }
}
