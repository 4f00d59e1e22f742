package gantry.broker.topic;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules and the reserved names of topics and consumer groups (messages.md §5).
///
/// For:   saying what is wrong with a name, in a sentence a client's user understands.
/// Owner: none (stateless).
/// Never: what exists.
public final class TopicNames {
    public static final String RETRY_PREFIX = "%RETRY%";
    public static final String DEAD_LETTER_PREFIX = "%DLQ%";
    public static final String SYSTEM_PREFIX = "rmq_sys_";

    /// Its settings are inherited by topics that a send creates.
    public static final String DEFAULT_TOPIC = "TBW102";

    public static final String SCHEDULE_TOPIC = "SCHEDULE_TOPIC_XXXX";

    /// Gantry's own state: see design page 001 §3.
    public static final String FACTS_TOPIC = "rmq_sys_gantry_facts";

    public static final int MOST_TOPIC_BYTES = 127;
    public static final int MOST_RETRY_TOPIC_BYTES = 255;
    public static final int MOST_GROUP_CHARS = 255;

    private static final Set<String> CLOSED_TO_SENDERS = Set.of(
            SCHEDULE_TOPIC,
            "RMQ_SYS_TRANS_HALF_TOPIC",
            "RMQ_SYS_TRANS_OP_HALF_TOPIC",
            "TRANS_CHECK_MAX_TIME_TOPIC",
            "SELF_TEST_TOPIC",
            "OFFSET_MOVED_EVENT",
            FACTS_TOPIC);

    private TopicNames() {}

    /// @return what is wrong with the name, or null
    public static @Nullable String faultOfTopic(String topic) {
        if (topic.isBlank()) {
            return "the topic name is empty: give it a name of letters, digits, '_', '-', '%' or '|'";
        }
        int most = isRetry(topic) || isDeadLetter(topic) ? MOST_RETRY_TOPIC_BYTES : MOST_TOPIC_BYTES;
        if (topic.length() > most) {
            return "the topic name has " + topic.length() + " characters, at most " + most + " are allowed";
        }
        return faultOfCharacters("topic", topic);
    }

    /// @return what is wrong with the name, or null
    public static @Nullable String faultOfGroup(String group) {
        if (group.isBlank()) {
            return "the group name is empty: give it a name of letters, digits, '_', '-', '%' or '|'";
        }
        if (group.length() > MOST_GROUP_CHARS) {
            return "the group name has " + group.length() + " characters, at most " + MOST_GROUP_CHARS + " are allowed";
        }
        return faultOfCharacters("group", group);
    }

    private static @Nullable String faultOfCharacters(String what, String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '-'
                    || c == '%'
                    || c == '|';
            if (!allowed) {
                return "the " + what + " name \"" + name + "\" has a character that is not allowed at position " + i
                        + ": use letters, digits, '_', '-', '%' or '|'";
            }
        }
        return null;
    }

    public static boolean isRetry(String topic) {
        return topic.startsWith(RETRY_PREFIX);
    }

    public static boolean isDeadLetter(String topic) {
        return topic.startsWith(DEAD_LETTER_PREFIX);
    }

    public static String retryTopicOf(String group) {
        return RETRY_PREFIX + group;
    }

    public static String deadLetterTopicOf(String group) {
        return DEAD_LETTER_PREFIX + group;
    }

    /// Topics that the broker writes itself and no client may send to.
    public static boolean isClosedToSenders(String topic) {
        return CLOSED_TO_SENDERS.contains(topic);
    }

    public static boolean isSystem(String topic) {
        return topic.startsWith(SYSTEM_PREFIX) || CLOSED_TO_SENDERS.contains(topic) || topic.equals(DEFAULT_TOPIC);
    }
}
