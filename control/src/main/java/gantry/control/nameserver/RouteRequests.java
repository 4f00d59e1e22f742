package gantry.control.nameserver;

import gantry.control.routes.RouteImage;
import gantry.control.routes.TopicEntry;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.BrokerMemberGroup;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.TopicList;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.frame.Versions;
import gantry.wire.json.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Questions about routes: 105 a topic's, 106 the cluster, 206, 224, 304 and 311 to 313 lists of topics, 901 members.
///
/// For:   answering from the published image, on the thread that asks.
/// Owner: none (stateless).
final class RouteRequests {
    private static final int UNIT = 1;
    private static final int UNIT_SUBSCRIPTION = 2;

    private final RoutesOwner routes;
    private final RouteAnswers answers;
    private final boolean topicListEnabled;

    RouteRequests(RoutesOwner routes, RouteAnswers answers, boolean topicListEnabled) {
        this.routes = routes;
        this.answers = answers;
        this.topicListEnabled = topicListEnabled;
    }

    void handle(Request request) {
        RouteImage image = routes.image();
        switch (request.code()) {
            case RequestCodes.GET_ROUTEINFO_BY_TOPIC -> route(request, image);
            case RequestCodes.GET_BROKER_CLUSTER_INFO -> request.answer(cluster(image));
            case RequestCodes.GET_ALL_TOPIC_LIST_FROM_NAMESERVER -> request.answer(list(image, entry -> true));
            case RequestCodes.GET_TOPICS_BY_CLUSTER -> ofCluster(request, image);
            case RequestCodes.GET_SYSTEM_TOPIC_LIST_FROM_NS -> request.answer(system(image));
            case RequestCodes.GET_UNIT_TOPIC_LIST -> request.answer(list(image, entry -> has(entry, UNIT)));
            case RequestCodes.GET_HAS_UNIT_SUB_TOPIC_LIST ->
                request.answer(list(image, entry -> has(entry, UNIT_SUBSCRIPTION)));
            case RequestCodes.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST ->
                request.answer(list(image, entry -> has(entry, UNIT_SUBSCRIPTION) && !has(entry, UNIT)));
            default -> members(request, image);
        }
    }

    private void route(Request request, RouteImage image) {
        HeaderReader header = request.header();
        String topic = request.text(FieldNames.TOPIC);
        boolean standard =
                header.version() >= Versions.V4_9_4 || header.booleanOr(FieldNames.ACCEPT_STANDARD_JSON_ONLY, false);
        String zone = header.booleanOr(FieldNames.ZONE_MODE, false) ? header.text(FieldNames.ZONE_NAME) : null;
        if (request.isRefused()) {
            return;
        }
        TopicRoute route = answers.route(image, topic, zone);
        request.answer(
                route == null
                        ? Answer.refused(
                                ResponseCodes.TOPIC_NOT_EXIST, "no broker has registered the topic " + topic + " here")
                        : Answer.of(route.toBytes(standard ? Dialect.STANDARD : Dialect.PEER)));
    }

    private static Answer cluster(RouteImage image) {
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        image.clusters().forEach((name, brokers) -> clusters.put(name, List.copyOf(brokers)));
        return Answer.of(new ClusterInfo(image.brokers(), clusters));
    }

    private Answer list(RouteImage image, Predicate<TopicEntry> wanted) {
        if (!topicListEnabled) {
            return Answer.failed("lists of topics are switched off here, see enableTopicList");
        }
        List<String> topics = new ArrayList<>();
        image.topics().values().stream().filter(wanted).forEach(entry -> topics.add(entry.topic()));
        return Answer.of(new TopicList(topics, null));
    }

    private static boolean has(TopicEntry entry, int flag) {
        return !entry.layouts().isEmpty() && (entry.layouts().get(0).topicFlags() & flag) != 0;
    }

    private void ofCluster(Request request, RouteImage image) {
        String cluster = request.text(FieldNames.CLUSTER);
        if (request.isRefused()) {
            return;
        }
        SortedSet<String> brokers = image.clusters().getOrDefault(cluster, new TreeSet<>());
        request.answer(list(
                image, entry -> entry.layouts().stream().anyMatch(layout -> brokers.contains(layout.brokerName()))));
    }

    /// Clusters and brokers have topics of their own names.
    private static Answer system(RouteImage image) {
        SortedSet<String> topics = new TreeSet<>(image.clusters().keySet());
        topics.addAll(image.brokers().keySet());
        String address = null;
        for (BrokerAddresses broker : image.brokers().values()) {
            address = broker.addresses().get(broker.addresses().firstKey());
            break;
        }
        return Answer.of(new TopicList(List.copyOf(topics), address));
    }

    private static void members(Request request, RouteImage image) {
        String cluster = request.text(FieldNames.CLUSTER_NAME);
        String brokerName = request.text(FieldNames.BROKER_NAME);
        if (request.isRefused()) {
            return;
        }
        BrokerAddresses known = image.broker(brokerName);
        SortedMap<Long, String> addresses =
                known == null || !known.cluster().equals(cluster) ? new TreeMap<>() : known.addresses();
        request.answer(Answer.of(new BrokerMemberGroup(cluster, brokerName, addresses)));
    }
}
