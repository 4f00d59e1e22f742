package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.pull.SimplePuller;
import gantry.client.route.Routes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nameserver and broker together in a heap that a broker of the original could not even start with.
class SmallHeapProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int TOPICS = 20;
    private static final int MESSAGES_OF_EACH = 1_000;

    @TempDir
    Path folder;

    @Test
    void heapOf48MegabytesServesTwentyThousandSendsToTwentyTopics() throws Exception {
        try (Spawned standalone = Spawned.gantryWith(
                                List.of("-Xms16m", "-Xmx48m"),
                                folder,
                                "standalone",
                                "--data-dir",
                                "data",
                                "--nameserver-port",
                                "0",
                                "--broker-port",
                                "0")
                        .ready();
                RemotingClient client = RemotingClient.open();
                ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            Routes routes = new Routes(client, List.of(standalone.address("nameserver")));
            List<Future<Integer>> sent = new ArrayList<>();
            for (int topic = 0; topic < TOPICS; topic++) {
                String name = "T" + topic;
                Callable<Integer> sender = () -> {
                    SimpleProducer producer = new SimpleProducer(client, routes, "PG");
                    for (int i = 0; i < MESSAGES_OF_EACH; i++) {
                        producer.send(name, new byte[1024], null, null, LIMIT);
                    }
                    return MESSAGES_OF_EACH;
                };
                sent.add(senders.submit(sender));
            }
            for (Future<Integer> each : sent) {
                assertThat(each.get()).isEqualTo(MESSAGES_OF_EACH);
            }
            SimplePuller puller = new SimplePuller(client, routes, "CG");
            long stored = 0;
            for (int topic = 0; topic < TOPICS; topic++) {
                for (SimplePuller.Queue queue : puller.queues("T" + topic, LIMIT)) {
                    stored += puller.maxOffset(queue, LIMIT);
                }
            }
            assertThat(stored).isEqualTo(TOPICS * MESSAGES_OF_EACH);
            assertThat(standalone.terminate().exitCode()).isZero();
        }
    }
}
