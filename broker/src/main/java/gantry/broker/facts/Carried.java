package gantry.broker.facts;

import gantry.wire.body.TopicConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which of RocketMQ's kinds of topics can be taken over.
///
/// For:   saying no before anything is changed.
/// Owner: none (stateless).
public final class Carried {
    private Carried() {}

    /// Why the topic cannot be; null when it can.
    public static @Nullable String whyNot(TopicConfig topic) {
        Map<String, String> attributes = topic.attributes();
        if ("COMPACTION".equalsIgnoreCase(attributes.get("cleanup.policy"))) {
            return "is compacted (cleanup.policy=COMPACTION), which Gantry does not do";
        }
        if ("BatchCQ".equalsIgnoreCase(attributes.get("queue.type"))) {
            return "has queues of batches (queue.type=BatchCQ), which Gantry does not read";
        }
        return null;
    }
}
