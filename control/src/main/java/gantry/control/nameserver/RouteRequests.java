package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.control.routes.RouteImage;
import gantry.control.routes.TopicEntry;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.BrokerMemberGroup;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.FreshRoute;
import gantry.wire.body.Heard;
import gantry.wire.body.TopicList;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.frame.Versions;
import gantry.wire.json.Dialect;
import java.time.Duration;
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
    private final Clock clock;
    private final NameserverConfig config;
    private final long startedNanos;

    RouteRequests(RoutesOwner routes, RouteAnswers answers, Clock clock, NameserverConfig config) {
        this.routes = routes;
        this.answers = answers;
        this.clock = clock;
        this.config = config;
        this.startedNanos = clock.nanos();
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
        boolean fresh = header.booleanOr(FieldNames.GANTRY_FRESHNESS, false);
        if (request.isRefused()) {
            return;
        }
        long now = clock.nanos();
        TopicRoute route = answers.route(image, topic, zone);
        Duration listening = Duration.ofNanos(routes.listeningNanos(now));
        Answer answer;
        if (now - startedNanos < config.silence().toNanos()) {
            answer = Answer.failed("this nameserver has just started and waits for "
                    + config.silence().toSeconds() + " s before it shows routes, see waitSecondsForService");
        } else if (route == null) {
            answer = unknown(topic, listening);
        } else if (fresh) {
            answer = Answer.of(new FreshRoute(route, heard(image, route, now)).toBytes(Dialect.STANDARD));
        } else {
            answer = Answer.of(route.toBytes(standard ? Dialect.STANDARD : Dialect.PEER));
        }
        request.answer(fresh ? answer.with(FieldNames.GANTRY_LISTENING_MILLIS, listening.toMillis()) : answer);
    }

    private Answer unknown(String topic, Duration listening) {
        return listening.compareTo(config.firstWords()) < 0
                ? Answer.failed("this nameserver has just started, or stood still, and has heard brokers for "
                        + listening.toMillis() + " ms only: it does not know yet whether there is a topic " + topic
                        + "; ask again")
                : Answer.refused(
                        ResponseCodes.TOPIC_NOT_EXIST, "no broker has registered the topic " + topic + " here");
    }

    private static Map<String, SortedMap<Long, Heard>> heard(RouteImage image, TopicRoute route, long nowNanos) {
        Map<String, SortedMap<Long, Heard>> heard = new LinkedHashMap<>();
        for (BrokerAddresses shown : route.brokers()) {
            // A master that only acts is heard under its own id.
            BrokerAddresses broker = image.broker(shown.brokerName());
            if (broker != null) {
                heard.put(shown.brokerName(), image.heard(broker, nowNanos));
            }
        }
        return heard;
    }

    private static Answer cluster(RouteImage image) {
        Map<String, List<String>> clusters = new LinkedHashMap<>();
        image.clusters().forEach((name, brokers) -> clusters.put(name, List.copyOf(brokers)));
        return Answer.of(new ClusterInfo(image.brokers(), clusters));
    }

    private Answer list(RouteImage image, Predicate<TopicEntry> wanted) {
        if (!config.topicListEnabled()) {
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
