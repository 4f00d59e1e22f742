package gantry.broker.facts;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Permission;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Equal states have equal digests, however they came to be; every difference is in the part where it lies.
class StateDigestTest {
    private final Map<String, TopicConfig> topics = new LinkedHashMap<>();
    private final Map<String, SubscriptionGroup> groups = new LinkedHashMap<>();
    private final Map<String, SortedMap<Integer, Long>> offsets = new LinkedHashMap<>();
    private final SortedMap<Integer, Long> delay = new TreeMap<>();

    StateDigestTest() {
        for (String topic : List.of("b", "a")) {
            topics.put(topic, TopicConfig.of(topic, 4, Permission.READ_WRITE));
        }
        groups.put("g", SubscriptionGroup.named("g"));
        offsets.put(ConsumerOffsets.key("b", "g"), new TreeMap<>(Map.of(0, 5L)));
        offsets.put(ConsumerOffsets.key("a", "g"), new TreeMap<>(Map.of(0, 5L, 10, 7L)));
        delay.put(3, 17L);
    }

    private StateDigest digest() {
        return StateDigest.of(
                new State(DataVersion.NONE, DataVersion.NONE, topics, groups, offsets, delay), "given"::equals);
    }

    @Test
    void orderVersionsAndWhatEveryBrokerHasSayNothing() {
        TopicConfig plain = TopicConfig.of("a", 4, Permission.READ_WRITE);
        topics.put("a", plain.with(attributes("x", "y")));
        StateDigest one = digest();
        topics.remove("a");
        topics.put("a", plain.with(attributes("y", "x")));
        topics.put("given", TopicConfig.of("given", 16, Permission.READ_WRITE));
        Map<String, SortedMap<Integer, Long>> shuffled = new HashMap<>(offsets);
        offsets.clear();
        offsets.putAll(new TreeMap<>(shuffled));
        delay.put(4, 0L);
        StateDigest other = StateDigest.of(
                new State(
                        new DataVersion(1, 2, 3),
                        new DataVersion(4, 5, 6),
                        new TreeMap<>(topics),
                        groups,
                        offsets,
                        delay),
                "given"::equals);
        assertThat(other).isEqualTo(one);
        assertThat(other.differing(one)).isEmpty();
    }

    private static Map<String, String> attributes(String first, String second) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(first, "1");
        attributes.put(second, "1");
        return attributes;
    }

    /// A commit may stand in the log behind the end of its topic or group.
    @Test
    void offsetsOfWhatIsNotThereSayNothing() {
        StateDigest one = digest();
        offsets.put(ConsumerOffsets.key("gone", "g"), new TreeMap<>(Map.of(0, 5L)));
        offsets.put(ConsumerOffsets.key("a", "gone"), new TreeMap<>(Map.of(0, 5L)));
        assertThat(digest()).isEqualTo(one);
        groups.put("gone", SubscriptionGroup.named("gone"));
        assertThat(digest().differing(one)).containsExactly("groups", "offsets");
    }

    @Test
    void eachDifferenceIsInItsPart() {
        StateDigest one = digest();
        topics.put("a", TopicConfig.of("a", 5, Permission.READ_WRITE));
        assertThat(digest().differing(one)).containsExactly("topics");
        topics.put("a", TopicConfig.of("a", 4, Permission.READ_WRITE));
        offsets.put(ConsumerOffsets.key("a", "g"), new TreeMap<>(Map.of(0, 5L, 10, 8L)));
        assertThat(digest().differing(one)).containsExactly("offsets");
        offsets.put(ConsumerOffsets.key("a", "g"), new TreeMap<>(Map.of(0, 5L, 10, 7L)));
        delay.put(3, 18L);
        assertThat(digest().differing(one)).containsExactly("delays");
        groups.remove("g");
        assertThat(digest().differing(one)).containsExactly("groups", "offsets", "delays");
    }
}
