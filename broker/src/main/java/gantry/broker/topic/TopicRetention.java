package gantry.broker.topic;

import gantry.base.Clock;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Store;
import gantry.wire.body.TopicConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Lets topics keep messages for as long as they say (attribute `reserve.time`).
///
/// For:   topics whose messages are of no use, or not to be shown, after a time.
/// Owner: its sequencer.
/// Never: messages; the store finds them.
public final class TopicRetention {
    /// Between two looks; a message is shown for so much longer at most.
    static final long PERIOD_NANOS = 10_000_000_000L;

    private final Catalogue catalogue;
    private final Store store;
    private final Clock clock;
    private final Sequencer sequencer;
    private long nextNanos;

    public TopicRetention(Catalogue catalogue, Store store, Clock clock, Offload offload, Sequencer.Faults faults) {
        this.catalogue = catalogue;
        this.store = store;
        this.clock = clock;
        this.sequencer = new Sequencer("topic retention", offload, faults);
        this.nextNanos = clock.nanos();
    }

    /// At start, before anybody is served.
    public void start() {
        store.topicEnds().expireNow(kept());
    }

    public void tick() {
        sequencer.submitAlways(() -> {
            if (clock.nanos() - nextNanos >= 0) {
                nextNanos = clock.nanos() + PERIOD_NANOS;
                store.topicEnds().expire(kept());
            }
        });
    }

    private Map<String, Duration> kept() {
        Map<String, Duration> kept = new LinkedHashMap<>();
        for (TopicConfig topic : catalogue.topicConfigs().values()) {
            Duration time = TopicAttributes.keptFor(topic.attributes());
            if (time != null && !TopicNames.isSystem(topic.topic())) {
                kept.put(topic.topic(), time);
            }
        }
        return kept;
    }
}
