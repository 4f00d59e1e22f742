package gantry.broker.topic;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The attributes of topics, RocketMQ's names and ours being the same.
///
/// For:   reading changes of them, and what is set.
/// Owner: none (stateless).
/// Never: takes an attribute whose promise is not kept here.
///
/// ```
///   queue.type      SimpleCQ (the only one)      message.type   NORMAL, FIFO, DELAY, …: kept, not enforced
///   cleanup.policy  DELETE (the only one)        reserve.time   hours that the topic keeps messages; -1: as the log
/// ```
public final class TopicAttributes {
    public static final String RESERVE_TIME = "reserve.time";

    private static final long MOST_HOURS = 24L * 365 * 100;

    /// What came of a change.
    public sealed interface Changed {
        record To(Map<String, String> attributes) implements Changed {}

        record Refused(String sentence) implements Changed {}
    }

    private TopicAttributes() {}

    /// @param text `+key=value,-key`, as tools send it
    public static Changed change(Map<String, String> before, @Nullable String text) {
        Map<String, String> wanted = new TreeMap<>();
        if (text != null) {
            for (String part : text.split(",", -1)) {
                int equals = part.indexOf('=');
                String key = (equals < 0 ? part : part.substring(0, equals)).strip();
                if (!key.isEmpty()) {
                    wanted.put(key, equals < 0 ? "" : part.substring(equals + 1).strip());
                }
            }
        }
        return change(before, wanted);
    }

    /// @param wanted `+key` with the value to set, `-key` to take out
    public static Changed change(Map<String, String> before, Map<String, String> wanted) {
        Map<String, String> after = new TreeMap<>(before);
        for (Map.Entry<String, String> each : wanted.entrySet()) {
            String key = each.getKey();
            if (key.startsWith("-")) {
                after.remove(key.substring(1));
                continue;
            }
            String name = key.startsWith("+") ? key.substring(1) : key;
            String fault = fault(name, each.getValue());
            if (fault != null) {
                return new Changed.Refused("the attribute " + name + "=" + each.getValue() + " " + fault);
            }
            after.put(name, each.getValue());
        }
        return new Changed.To(after);
    }

    private static @Nullable String fault(String name, String value) {
        return switch (name) {
            case "queue.type" -> value.equals("SimpleCQ") ? null : "is not available: only SimpleCQ is";
            case "cleanup.policy" -> value.equals("DELETE") ? null : "is not available: only DELETE is";
            case "message.type" -> value.isEmpty() ? "has no value" : null;
            case RESERVE_TIME ->
                hours(value) == null
                        ? "is no number of hours from 1 to " + MOST_HOURS + ", or -1 for as the log"
                        : null;
            default -> "is not known here: queue.type, cleanup.policy, message.type and reserve.time are";
        };
    }

    private static @Nullable Long hours(String value) {
        if (value.equals("-1")) {
            return -1L;
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            return null;
        }
        long hours = Long.parseLong(value);
        return hours <= MOST_HOURS ? hours : null;
    }

    /// How long the topic keeps messages; null for as long as the log. A value that makes no sense, which
    /// another broker may have left, is none.
    public static @Nullable Duration keptFor(Map<String, String> attributes) {
        String value = attributes.get(RESERVE_TIME);
        Long hours = value == null ? null : hours(value);
        return hours == null || hours < 0 ? null : Duration.ofHours(hours);
    }
}
