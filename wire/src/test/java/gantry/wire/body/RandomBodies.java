package gantry.wire.body;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Bodies of every kind, from a seed.
final class RandomBodies {
    private static final String CHARS = "abZ019_-%@|: \"\\{}\n\u20acü";

    private final SplittableRandom random;

    RandomBodies(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /// One of each kind that arrives at a nameserver or broker, or stands in a file, with its reader.
    List<Sample> all() {
        return List.of(
                sample(route(), TopicRoute::fromJson),
                sample(new Registration(table(), texts()), Registration::fromJson),
                sample(heartbeat(), Heartbeat::fromJson),
                sample(new ClusterInfo(map(this::broker), map(this::texts)), ClusterInfo::fromJson),
                sample(new FreshRoute(route(), map(this::heard)), FreshRoute::fromJson),
                sample(new TopicList(texts(), textOrNull()), TopicList::fromJson),
                sample(new KeyValueTable(map(this::text)), KeyValueTable::fromJson),
                sample(new KeyValueSpaces(map(() -> map(this::text))), KeyValueSpaces::fromJson),
                sample(new ConsumerList(texts()), ConsumerList::fromJson),
                sample(new LockRequest(text(), text(), list(this::queue), coin()), LockRequest::fromJson),
                sample(new LockAnswer(list(this::queue)), LockAnswer::fromJson),
                sample(new BrokerMemberGroup(text(), text(), addresses()), BrokerMemberGroup::fromJson),
                sample(groups(), SubscriptionGroupTable::fromJson),
                sample(new ConsumerOffsets(version(), map(this::byQueue)), ConsumerOffsets::fromJson));
    }

    private static Sample sample(Body body, Sample.Reading reading) {
        return new Sample(body.getClass().getSimpleName(), body, null, reading);
    }

    TopicTable table() {
        return new TopicTable(version(), map(this::topic), version(), map(this::mapping));
    }

    private TopicRoute route() {
        return new TopicRoute(
                list(this::layout), list(this::broker), map(this::texts), textOrNull(), map(this::mapping));
    }

    private SortedMap<Long, Heard> heard() {
        SortedMap<Long, Heard> heard = new TreeMap<>();
        list(() -> heard.put(random.nextLong(), new Heard(random.nextLong(), coin())));
        return heard;
    }

    private Heartbeat heartbeat() {
        return new Heartbeat(
                text(), list(() -> new ProducerMembership(text())), list(this::consumer), random.nextInt(), coin());
    }

    private ConsumerMembership consumer() {
        return new ConsumerMembership(
                text(),
                one(ConsumeType.values()),
                one(MessageModel.values()),
                one(ConsumeFromWhere.values()),
                list(this::subscription),
                coin());
    }

    private Subscription subscription() {
        return new Subscription(text(), text(), text(), texts(), list(random::nextInt), random.nextLong(), coin());
    }

    private SubscriptionGroupTable groups() {
        return new SubscriptionGroupTable(version(), map(this::group), map(() -> map(random::nextInt)));
    }

    private SubscriptionGroup group() {
        RetryPolicy policy = coin()
                ? new RetryPolicy.Steps(list(random::nextLong))
                : new RetryPolicy.Exponential(random.nextLong(), random.nextLong(), random.nextLong());
        return new SubscriptionGroup(
                text(),
                coin(),
                coin(),
                coin(),
                coin(),
                random.nextInt(),
                random.nextInt(),
                policy,
                random.nextLong(),
                random.nextLong(),
                coin(),
                random.nextInt(),
                random.nextInt(),
                null,
                map(this::text));
    }

    private DataVersion version() {
        return new DataVersion(random.nextLong(), random.nextLong(), random.nextLong());
    }

    private QueueLayout layout() {
        return new QueueLayout(text(), random.nextInt(), random.nextInt(), random.nextInt(), random.nextInt());
    }

    private BrokerAddresses broker() {
        return new BrokerAddresses(text(), text(), addresses(), coin(), textOrNull());
    }

    private TopicConfig topic() {
        return new TopicConfig(
                text(),
                random.nextInt(),
                random.nextInt(),
                random.nextInt(),
                text(),
                random.nextInt(),
                coin(),
                map(this::text));
    }

    private QueueMapping mapping() {
        SortedMap<Integer, Integer> current = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            current.put(random.nextInt(), random.nextInt());
        }
        return new QueueMapping(text(), textOrNull(), random.nextInt(), text(), random.nextLong(), coin(), current);
    }

    private MessageQueueRef queue() {
        return new MessageQueueRef(text(), text(), random.nextInt());
    }

    private SortedMap<Long, String> addresses() {
        SortedMap<Long, String> addresses = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            addresses.put(random.nextLong(), text());
        }
        return addresses;
    }

    private SortedMap<Integer, Long> byQueue() {
        SortedMap<Integer, Long> offsets = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            offsets.put(random.nextInt(), random.nextLong());
        }
        return offsets;
    }

    private <T> List<T> list(Supplier<T> one) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            list.add(one.get());
        }
        return list;
    }

    private <T> Map<String, T> map(Supplier<T> one) {
        Map<String, T> map = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            map.put(text(), one.get());
        }
        return map;
    }

    private List<String> texts() {
        return list(this::text);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(CHARS.charAt(random.nextInt(CHARS.length())));
        }
        return text.toString();
    }

    private @Nullable String textOrNull() {
        return coin() ? text() : null;
    }

    private <E> E one(E[] values) {
        return values[random.nextInt(values.length)];
    }

    private boolean coin() {
        return random.nextBoolean();
    }
}
