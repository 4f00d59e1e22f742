package gantry.broker.facts;

import gantry.base.Invariant;
import gantry.wire.body.Body;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.json.Dialect;
import gantry.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What a folded state is, in four numbers: SHA-256 of each of its parts, written in one order and form.
///
/// ```
///   topics   {"T":{…TopicConfig…},…}             by name, without those that every broker has
///   groups   {"G":{…SubscriptionGroup…},…}       by name
///   offsets  {"T@G":{"0":5,"1":7},…}             by key and queue, of topics and groups that are there
///   delays   {"3":17,…}                          by level
/// ```
/// For:   telling whether two members have folded the same.
/// Owner: none (immutable).
/// Never: versions, and members of files that only a newer RocketMQ knows: they are each member's own.
public record StateDigest(String topics, String groups, String offsets, String delays) {
    /// Of a state point of the log.
    ///
    /// @param point  its queueOffset in the facts queue
    /// @param logEnd where its record ends
    public record At(long point, long logEnd, StateDigest digest) {}

    /// @param given the topics that every broker has, of which no fact need speak
    public static StateDigest of(State state, Predicate<String> given) {
        Map<String, Body> topics = new TreeMap<>();
        state.topics().forEach((name, topic) -> {
            if (!given.test(name)) {
                // Attributes are a set: their order says nothing.
                topics.put(name, topic.with(new TreeMap<>(topic.attributes())));
            }
        });
        return new StateDigest(
                entities(topics), entities(new TreeMap<>(state.groups())), offsets(state, given), delays(state));
    }

    /// The parts that are not the same, in words; empty when all are.
    public List<String> differing(StateDigest other) {
        List<String> parts = new ArrayList<>();
        if (!topics.equals(other.topics)) {
            parts.add("topics");
        }
        if (!groups.equals(other.groups)) {
            parts.add("groups");
        }
        if (!offsets.equals(other.offsets)) {
            parts.add("offsets");
        }
        if (!delays.equals(other.delays)) {
            parts.add("delays");
        }
        return List.copyOf(parts);
    }

    private static String entities(Map<String, ? extends Body> sorted) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD).beginObject();
        sorted.forEach((name, entity) -> entity.write(out.name(name)));
        return digest(out);
    }

    /// A commit may get into the log behind the end of its topic or group: some members have let it go, others not yet.
    private static String offsets(State state, Predicate<String> given) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD).beginObject();
        new TreeMap<>(state.offsets()).forEach((key, queues) -> {
            int at = key.indexOf(ConsumerOffsets.SEPARATOR);
            String topic = at < 0 ? key : key.substring(0, at);
            boolean isKnown = state.topics().containsKey(topic) || given.test(topic);
            if (isKnown && state.groups().containsKey(key.substring(at + 1)) && !queues.isEmpty()) {
                out.name(key).beginObject();
                queues.forEach(
                        (queueId, offset) -> out.name(Integer.toString(queueId)).whole(offset));
                out.endObject();
            }
        });
        return digest(out);
    }

    private static String delays(State state) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD).beginObject();
        state.delay().forEach((level, offset) -> {
            if (offset > 0) {
                out.name(Integer.toString(level)).whole(offset);
            }
        });
        return digest(out);
    }

    private static String digest(JsonWriter out) {
        byte[] bytes = out.endObject().toString().getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw Invariant.broken("STATE-1 every Java has SHA-256: " + e.getMessage());
        }
    }
}
