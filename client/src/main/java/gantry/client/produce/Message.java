package gantry.client.produce;

import gantry.wire.message.PropertyNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message to be sent.
///
/// For:   saying what goes where.
/// Owner: none (immutable; the body's array is shared and must not be changed).
/// Never: checked against a broker's limits; the broker does that.
public final class Message {
    private final String topic;
    private final byte[] body;
    private final @Nullable String orderKey;
    private final Map<String, String> properties;

    private Message(Builder of) {
        this.topic = of.topic;
        this.body = of.body;
        this.orderKey = of.orderKey;
        this.properties = Collections.unmodifiableMap(new LinkedHashMap<>(of.properties));
    }

    public static Message of(String topic, byte[] body) {
        return to(topic).body(body).build();
    }

    public static Builder to(String topic) {
        return new Builder(topic);
    }

    public String topic() {
        return topic;
    }

    public byte[] body() {
        return body;
    }

    /// Messages with the same key go to the same queue, one behind the other; null: to any queue.
    public @Nullable String orderKey() {
        return orderKey;
    }

    public Map<String, String> properties() {
        return properties;
    }

    /// Whether it may share a request with others: a delayed message has a request of its own.
    boolean mayShare() {
        return !properties.containsKey(PropertyNames.DELAY.text());
    }

    /// What a message costs beside its body, about.
    int sizeBytes() {
        int size = body.length;
        for (Map.Entry<String, String> each : properties.entrySet()) {
            size += each.getKey().length() + each.getValue().length() + 2;
        }
        return size;
    }

    /// Puts a message together.
    public static final class Builder {
        private final String topic;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private byte[] body = {};
        private @Nullable String orderKey;

        private Builder(String topic) {
            if (topic.isEmpty()) {
                throw new IllegalArgumentException("a message needs a topic");
            }
            this.topic = topic;
        }

        public Builder body(byte[] bytes) {
            this.body = bytes;
            return this;
        }

        /// What consumers can select by.
        public Builder tags(String tags) {
            return property(PropertyNames.TAGS.text(), tags);
        }

        /// What it can be found by, with spaces between.
        public Builder keys(String keys) {
            return property(PropertyNames.KEYS.text(), keys);
        }

        /// Consumers get it later: 1 to 18 for 1 s to 2 h, unless the broker's levels are others.
        public Builder delayLevel(int level) {
            if (level < 1) {
                throw new IllegalArgumentException("a delay level is 1 or more, not " + level);
            }
            return property(PropertyNames.DELAY.text(), Integer.toString(level));
        }

        /// Messages with the same key are stored in the order in which they were sent.
        public Builder orderedBy(String key) {
            this.orderKey = key;
            return this;
        }

        public Builder property(String name, String value) {
            if (name.isEmpty() || value.isEmpty()) {
                throw new IllegalArgumentException("a property needs a name and a value");
            }
            if (hasSeparator(name) || hasSeparator(value)) {
                throw new IllegalArgumentException(
                        "the property \"" + name + "\" contains a character 1 or 2, which separates properties");
            }
            properties.put(name, value);
            return this;
        }

        private static boolean hasSeparator(String text) {
            return text.indexOf(1) >= 0 || text.indexOf(2) >= 0;
        }

        public Message build() {
            return new Message(this);
        }
    }
}
