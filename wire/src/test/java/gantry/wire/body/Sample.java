package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One body with no field at its default, and what each peer makes of it.
///
/// For:   golden tests: a field that a peer did not read would come back as its default.
/// Owner: none (immutable).
///
/// @param peerType the peer's class
/// @param old what a 4.9 peer gives back, which knows fewer fields; null when it does not know the type
record Sample(String peerType, Body ours, @Nullable Body old, Reading reading) {
    interface Reading {
        Body read(Json json) throws JsonFault;
    }

    private static final DataVersion VERSION = new DataVersion(7, 1_700_000_000_000L, 1L << 60);
    private static final DataVersion OLD_VERSION = new DataVersion(0, 1_700_000_000_000L, 1L << 60);
    private static final QueueMapping MAPPING =
            new QueueMapping("T", "__global__", 4, "b-a", 3, true, new TreeMap<>(Map.of(0, 1, 2, 3)));
    private static final TopicConfig TOPIC =
            new TopicConfig("T", 3, 4, 7, TopicConfig.MULTI_TAG, 2, true, Map.of("queue.type", "SimpleCQ"));
    private static final TopicConfig OLD_TOPIC =
            new TopicConfig("T", 3, 4, 7, TopicConfig.MULTI_TAG, 2, true, Map.of());
    private static final BrokerAddresses BROKER = new BrokerAddresses(
            "C", "b-a", new TreeMap<>(Map.of(0L, "10.0.0.1:10911", 5_000_000_000L, "[::1]:10911")), true, "east");
    private static final BrokerAddresses OLD_BROKER = new BrokerAddresses("C", "b-a", BROKER.addresses(), false, null);
    private static final Subscription TAGS =
            new Subscription("T", "A || B", "TAG", List.of("A", "B"), List.of(65, 66), 1_700_000_000_001L, true);
    private static final MessageQueueRef QUEUE = new MessageQueueRef("T", "b-a", 2);
    private static final SubscriptionGroup GROUP = new SubscriptionGroup(
            "CG",
            false,
            false,
            false,
            true,
            3,
            5,
            new RetryPolicy.Exponential(1_000, 9_000, 3),
            4,
            6,
            false,
            1,
            30,
            read("[{\"expression\":\"A\",\"expressionType\":\"TAG\",\"topic\":\"T\",\"version\":5}]"),
            Map.of("k", "v"));
    private static final SubscriptionGroup OLD_GROUP = new SubscriptionGroup(
            "CG", false, false, false, false, 3, 5, RetryPolicy.BUILT_IN, 4, 6, false, 0, 15, null, Map.of());

    static List<Sample> all() {
        return List.of(
                of("DataVersion", VERSION, OLD_VERSION, DataVersion::fromJson),
                same("QueueData", new QueueLayout("b-a", 3, 4, 6, 2), QueueLayout::fromJson),
                of("BrokerData", BROKER, OLD_BROKER, BrokerAddresses::fromJson),
                of("TopicQueueMappingInfo", MAPPING, null, QueueMapping::fromJson),
                route(),
                of("TopicConfig", TOPIC, OLD_TOPIC, TopicConfig::fromJson),
                of("TopicConfigAndMappingSerializeWrapper", table(), null, TopicTable::fromJson),
                of("TopicConfigSerializeWrapper", plainTable(), oldTable(), TopicTable::fromJson),
                registration(),
                same("ProducerData", new ProducerMembership("PG"), ProducerMembership::fromJson),
                same("SubscriptionData", TAGS, Subscription::fromJson),
                same("ConsumerData", consumer(), ConsumerMembership::fromJson),
                heartbeat(),
                clusterInfo(),
                same("TopicList", new TopicList(List.of("T", "ü"), "x:1"), TopicList::fromJson),
                same("KVTable", new KeyValueTable(Map.of("k", "v\"\n")), KeyValueTable::fromJson),
                same(
                        "GetConsumerListByGroupResponseBody",
                        new ConsumerList(List.of("10.0.0.9@4711#1")),
                        ConsumerList::fromJson),
                same("MessageQueue", QUEUE, MessageQueueRef::fromJson),
                of("LockBatchRequestBody", lock(true), lock(false), LockRequest::fromJson),
                of("UnlockBatchRequestBody", lock(true), lock(false), LockRequest::fromJson),
                same("LockBatchResponseBody", new LockAnswer(List.of(QUEUE)), LockAnswer::fromJson),
                of(
                        "GetBrokerMemberGroupResponseBody",
                        new BrokerMemberGroup("C", "b-a", BROKER.addresses()),
                        null,
                        BrokerMemberGroup::fromJson),
                of("SubscriptionGroupConfig", GROUP, OLD_GROUP, SubscriptionGroup::fromJson),
                groups(),
                offsets());
    }

    private static Sample of(String peerType, Body ours, @Nullable Body old, Reading reading) {
        return new Sample(peerType, ours, old, reading);
    }

    private static Sample same(String peerType, Body ours, Reading reading) {
        return new Sample(peerType, ours, ours, reading);
    }

    private static Json read(String text) {
        try {
            return Json.read(text);
        } catch (JsonFault e) {
            throw new AssertionError(text, e);
        }
    }

    private static Sample route() {
        List<QueueLayout> queues = List.of(new QueueLayout("b-a", 3, 4, 6, 2));
        Map<String, List<String>> filters = Map.of("10.0.0.1:10911", List.of("f:1"));
        return of(
                "TopicRouteData",
                new TopicRoute(queues, List.of(BROKER), filters, "b-a:4", Map.of("b-a", MAPPING)),
                new TopicRoute(queues, List.of(OLD_BROKER), filters, "b-a:4", Map.of()),
                TopicRoute::fromJson);
    }

    private static TopicTable table() {
        return new TopicTable(VERSION, Map.of("T", TOPIC), new DataVersion(1, 2, 3), Map.of("T", MAPPING));
    }

    private static TopicTable plainTable() {
        return new TopicTable(VERSION, Map.of("T", TOPIC));
    }

    private static TopicTable oldTable() {
        return new TopicTable(OLD_VERSION, Map.of("T", OLD_TOPIC));
    }

    private static Sample registration() {
        return of(
                "RegisterBrokerBody",
                new Registration(table(), List.of("f:1")),
                new Registration(oldTable(), List.of("f:1")),
                Registration::fromJson);
    }

    private static ConsumerMembership consumer() {
        return new ConsumerMembership(
                "CG",
                ConsumeType.CONSUME_ACTIVELY,
                MessageModel.BROADCASTING,
                ConsumeFromWhere.CONSUME_FROM_TIMESTAMP,
                List.of(TAGS),
                true);
    }

    private static Sample heartbeat() {
        List<ProducerMembership> producers = List.of(new ProducerMembership("PG"));
        return of(
                "HeartbeatData",
                new Heartbeat("10.0.0.9@4711#1", producers, List.of(consumer()), -5, true),
                new Heartbeat("10.0.0.9@4711#1", producers, List.of(consumer()), 0, false),
                Heartbeat::fromJson);
    }

    private static Sample clusterInfo() {
        return of(
                "ClusterInfo",
                new ClusterInfo(Map.of("b-a", BROKER), Map.of("C", List.of("b-a"))),
                new ClusterInfo(Map.of("b-a", OLD_BROKER), Map.of("C", List.of("b-a"))),
                ClusterInfo::fromJson);
    }

    private static LockRequest lock(boolean onlyThisBroker) {
        return new LockRequest("10.0.0.9@4711#1", "CG", List.of(QUEUE), onlyThisBroker);
    }

    private static Sample groups() {
        return of(
                "SubscriptionGroupWrapper",
                new SubscriptionGroupTable(VERSION, Map.of("CG", GROUP), Map.of("CG", Map.of("T", 4))),
                new SubscriptionGroupTable(OLD_VERSION, Map.of("CG", OLD_GROUP), Map.of()),
                SubscriptionGroupTable::fromJson);
    }

    private static Sample offsets() {
        var table = Map.of("T@CG", new TreeMap<>(Map.of(0, 5L, 7, Long.MAX_VALUE)));
        return of(
                "ConsumerOffsetSerializeWrapper",
                new ConsumerOffsets(VERSION, Map.copyOf(table)),
                new ConsumerOffsets(DataVersion.NONE, Map.copyOf(table)),
                ConsumerOffsets::fromJson);
    }

    @Override
    public String toString() {
        return peerType;
    }
}
