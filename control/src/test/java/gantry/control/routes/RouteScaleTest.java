package gantry.control.routes;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.body.DataVersion;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Measures a table with 100,000 topics on 1,000 brokers, nine brokers to a topic; the figures stand in
/// docs/performance.md. By command only, because times are no claims.
@EnabledIfSystemProperty(named = "gantry.scale", matches = "true")
class RouteScaleTest {
    private static final long MIB = 1 << 20;
    private static final int TOPICS = 100_000;
    private static final int BROKERS = 1_000;
    private static final int TOPICS_OF_A_BROKER = 900;
    private static final Duration PROMISE = Duration.ofSeconds(10);

    private final RouteTable table = new RouteTable(RouteRules.DEFAULT, 0);
    private final List<BrokerRegistration> registrations = new ArrayList<>();

    @Test
    void figures() {
        long before = used();
        for (int i = 0; i < BROKERS; i++) {
            registrations.add(registration(i, 0, 8));
        }
        long bodies = used();
        long begin = System.nanoTime();
        for (int i = 0; i < BROKERS; i++) {
            table.register(registrations.get(i), i, 0);
            table.image();
        }
        say("all 1,000 brokers register, each with an image", begin, 1);
        say("memory of the table, MiB: " + ((used() - bodies) / MIB) + "; of what was registered: "
                + ((bodies - before) / MIB));
        assertThat(table.image().topics()).hasSize(TOPICS + BROKERS);

        measure(
                "heartbeat",
                100_000,
                i -> table.heard(registrations.get(i % BROKERS).broker().key(), i % BROKERS, 1));
        measure("full registration, nothing changed", 10_000, i -> {
            table.register(registrations.get(i % BROKERS), i % BROKERS, 1);
            table.image();
        });
        measure("full registration, one topic changed", 1_000, i -> {
            table.register(registration(i % BROKERS, 1 + i / BROKERS, 9), i % BROKERS, 1);
            table.image();
        });
        RouteImage image = table.image();
        measure("a topic of the image", 100_000, i -> {
            for (QueueLayout layout :
                    Objects.requireNonNull(image.topic("topic-" + i % TOPICS)).layouts()) {
                image.isMasterSuspect(Objects.requireNonNull(image.broker(layout.brokerName())));
            }
        });
        measure("changes for 10,000 watched topics, one broker suspect", 20, i -> {
            RouteImage earlier = table.image();
            table.heard(registrations.get(i).broker().key(), i, 1);
            table.permit("broker-" + i, permission -> permission ^ 2);
            RouteChanges changes = RouteChanges.between(earlier, table.image());
            for (int topic = 0; topic < 10_000; topic++) {
                changes.has("topic-" + topic);
            }
        });
        measure("one broker leaves, with an image", 200, i -> {
            table.closed(i, 1);
            table.image();
        });
    }

    private interface Step {
        void run(int i);
    }

    private static void measure(String what, int times, Step step) {
        long[] nanos = new long[times];
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            step.run(i);
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        say(String.format(
                Locale.ROOT,
                "%s, µs: median %.1f, p99 %.1f, most %.1f",
                what,
                nanos[times / 2] / 1e3,
                nanos[times * 99 / 100] / 1e3,
                nanos[times - 1] / 1e3));
    }

    private static void say(String what, long beginNanos, int times) {
        say(what + ", ms: " + (System.nanoTime() - beginNanos) / times / 1_000_000);
    }

    private static void say(String line) {
        System.out.println("scale: " + line);
    }

    /// The same bytes would give the same object; one of another `change` differs in one topic.
    private static BrokerRegistration registration(int broker, int change, int queues) {
        String name = "broker-" + broker;
        Map<String, TopicConfig> topics = new LinkedHashMap<>();
        topics.put(name, TopicConfig.of(name, 1, 7));
        for (int i = 0; i < TOPICS_OF_A_BROKER; i++) {
            String topic = "topic-" + (broker * 100 + i) % TOPICS;
            topics.put(topic, TopicConfig.of(topic, i == 0 ? queues : 8, 6));
        }
        BrokerIdentity identity =
                new BrokerIdentity("cluster", name, 0, "10.0." + broker / 250 + "." + broker % 250 + ":10911");
        return new BrokerRegistration(
                identity,
                "",
                PROMISE,
                false,
                null,
                new Registration(new TopicTable(new DataVersion(0, 1, change), topics), List.of()),
                change,
                new BrokerRegistration.Gone(true, List.of()));
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
