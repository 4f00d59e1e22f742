package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.client.call.RemotingClient;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many topics of 8 queues, a message in each queue: memory, open files and mappings stay within what
/// docs/disk.md says, a stop keeps its promise, and a start does not take longer than it may, after a stop and
/// after a kill.
///
/// `-Dgantry.manyTopics=10000` runs it in full; what it measured is printed.
class ManyTopicsProcessTest {
    private static final int TOPICS = Integer.getInteger("gantry.manyTopics", 400);
    private static final int QUEUES = 8;
    private static final int IN_FLIGHT = 256;
    private static final int TOPICS_PER_REQUEST = 100;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_PROMISE = Duration.ofSeconds(10);

    /// Jars, sockets, the log's files, and what Java holds open by itself.
    private static final int OTHER_OPEN_FILES = 200;

    /// What docs/disk.md says: the whole process without mapped files, for a heap of 192 MB.
    private static final long BASE_ANONYMOUS_BYTES = 360L << 20;

    @TempDir
    Path folder;

    private final RemotingClient client = RemotingClient.open();

    @AfterEach
    void close() {
        client.close();
    }

    /// @param anonymousBytes of memory, without mapped files
    private record Measured(long anonymousBytes, long residentBytes, long openFiles, long mappings) {
        static Measured of(Spawned process) throws IOException {
            Path proc = Path.of("/proc/" + process.pid());
            try (Stream<Path> files = Files.list(proc.resolve("fd"));
                    Stream<String> maps = Files.lines(proc.resolve("maps"), StandardCharsets.ISO_8859_1)) {
                return new Measured(
                        status(proc, "RssAnon"),
                        status(proc, "VmRSS"),
                        files.count(),
                        maps.filter(line -> line.contains("/store/")).count());
            }
        }

        private static long status(Path proc, String key) throws IOException {
            for (String line : Files.readAllLines(proc.resolve("status"))) {
                if (line.startsWith(key + ":")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
            throw new IOException("no " + key);
        }
    }

    private Spawned start() throws Exception {
        return Spawned.gantry(
                        folder, "standalone", "--data-dir", "data", "--nameserver-port", "0", "--broker-port", "0")
                .ready();
    }

    private void createTopics(Endpoint broker) throws Exception {
        for (int from = 0; from < TOPICS; from += TOPICS_PER_REQUEST) {
            List<String> items = new ArrayList<>();
            for (int i = from; i < Math.min(TOPICS, from + TOPICS_PER_REQUEST); i++) {
                items.add("{\"topicName\":\"T" + i + "\",\"readQueueNums\":8,\"writeQueueNums\":8,\"perm\":6}");
            }
            byte[] body = ("{\"topicConfigList\":[" + String.join(",", items) + "]}").getBytes(StandardCharsets.UTF_8);
            client.callOk(
                    broker,
                    Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST).withBody(body),
                    LIMIT);
        }
    }

    /// One message to each queue.
    private void sendToAll(Endpoint broker) throws Exception {
        ArrayDeque<CompletableFuture<Command>> inFlight = new ArrayDeque<>();
        for (int i = 0; i < TOPICS * QUEUES; i++) {
            inFlight.add(client.ask(broker, message("T" + i / QUEUES, i % QUEUES), LIMIT));
            if (inFlight.size() >= IN_FLIGHT) {
                assertThat(inFlight.remove().get().code()).isEqualTo(ResponseCodes.SUCCESS);
            }
        }
        for (CompletableFuture<Command> each : inFlight) {
            assertThat(each.get().code()).isEqualTo(ResponseCodes.SUCCESS);
        }
    }

    private static Command message(String topic, int queueId) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", "PG")
                .with("b", topic)
                .with("c", "TBW102")
                .with("d", "8")
                .with("e", Integer.toString(queueId))
                .with("f", "0")
                .with("g", "1800000000000")
                .with("h", "0")
                .with("i", "")
                .withBody(new byte[128]);
    }

    private void assertEachQueueHas(Endpoint broker, long count) throws Exception {
        for (int i = 0; i < TOPICS; i += 1 + TOPICS / 50) {
            for (int queueId = 0; queueId < QUEUES; queueId++) {
                Command max = client.callOk(
                        broker,
                        Command.request(RequestCodes.GET_MAX_OFFSET)
                                .with(FieldNames.TOPIC, "T" + i)
                                .with(FieldNames.QUEUE_ID, queueId),
                        LIMIT);
                assertThat(max.field(FieldNames.OFFSET)).isEqualTo(Long.toString(count));
            }
        }
    }

    private void assertBounded(Spawned process, String when) throws IOException {
        Measured measured = Measured.of(process);
        System.out.println(TOPICS + " topics of " + QUEUES + " queues, " + when + ": anonymous "
                + (measured.anonymousBytes() >> 20) + " MiB, resident " + (measured.residentBytes() >> 20)
                + " MiB, open files " + measured.openFiles() + ", mappings of the store " + measured.mappings());
        assertThat(measured.openFiles()).as(when).isLessThan(FileDisk.DEFAULT_OPEN_FILES + OTHER_OPEN_FILES);
        assertThat(measured.mappings())
                .as("%s: files of the log and index only", when)
                .isLessThan(20);
        assertThat(measured.anonymousBytes()).as(when).isLessThan(BASE_ANONYMOUS_BYTES);
    }

    private void stopCleanly(Spawned process, String when) throws Exception {
        long before = System.nanoTime();
        assertThat(process.terminate().exitCode()).as(when).isZero();
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        System.out.println(when + ": stopped in " + took.toMillis() + " ms");
        assertThat(took).as(when).isLessThan(STOP_PROMISE);
    }

    private Spawned timedStart(String when) throws Exception {
        long before = System.nanoTime();
        Spawned process = start();
        System.out.println(when + ": ready after "
                + Duration.ofNanos(System.nanoTime() - before).toMillis() + " ms");
        return process;
    }

    @Test
    void manyTopicsStayWithinBoundsAndStopsAndStartsInTime() throws Exception {
        try (Spawned first = start()) {
            Endpoint broker = first.address("broker");
            long before = System.nanoTime();
            createTopics(broker);
            System.out.println(
                    "created in " + Duration.ofNanos(System.nanoTime() - before).toMillis() + " ms");
            sendToAll(broker);
            assertBounded(first, "after a message to each");
            stopCleanly(first, "with all queue files new");
        }
        try (Spawned second = timedStart("after a clean stop")) {
            Endpoint broker = second.address("broker");
            assertEachQueueHas(broker, 1);
            sendToAll(broker);
            assertBounded(second, "after another message to each");
            second.kill().exitCode();
        }
        try (Spawned third = timedStart("after a kill")) {
            assertEachQueueHas(third.address("broker"), 2);
            assertBounded(third, "after a kill");
            stopCleanly(third, "after a kill");
        }
    }
}
