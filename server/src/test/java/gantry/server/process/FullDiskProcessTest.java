package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.pull.SimplePuller;
import gantry.client.route.Routes;
import gantry.wire.frame.ResponseCodes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole process on a small file system of its own that fills up, and on one that loses what was written to
/// it. What it shows is shown with a fault-injecting disk too, by `RetentionTest` and `AppendTest`, where
/// nobody may mount.
class FullDiskProcessTest {
    private static final int MIB = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final RemotingClient client = RemotingClient.open();

    @BeforeEach
    void makeMountPoint() throws Exception {
        assumeTrue(Spawned.mayMount(), "this machine does not let us mount; see RetentionTest and AppendTest");
        Files.createDirectories(folder.resolve("disk"));
        Files.createDirectories(folder.resolve("backing"));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private Spawned standalone(String mounts, String settings) throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("broker.conf"),
                "brokerName=b\nmappedFileSizeCommitLog=1048576\nmappedFileSizeConsumeQueue=20000\nlogDir=logs\n"
                        + settings);
        return Spawned.gantryBehind(
                        mounts,
                        folder,
                        "standalone",
                        "--data-dir",
                        "disk/data",
                        "--nameserver-port",
                        "0",
                        "--broker-port",
                        "0",
                        "-c",
                        "broker.conf")
                .ready();
    }

    private Routes routes(Spawned process) {
        return new Routes(client, List.of(process.address("nameserver")));
    }

    /// R063, R065, R066, R047
    @Test
    void fullDiskRefusesSendsOnlyAndIsLeftByItself() throws Exception {
        try (Spawned process = standalone(
                "mount -t tmpfs -o size=64m none disk", "diskSpaceReserveBytes=8388608\ndiskSpaceEnoughBytes=0\n")) {
            Routes routes = routes(process);
            SimpleProducer producer = new SimpleProducer(client, routes, "PG");
            SimplePuller puller = new SimplePuller(client, routes, "CG");
            producer.send("T", new byte[1000], null, null, LIMIT);
            SimplePuller.Queue queue = puller.queues("T", LIMIT).getFirst();

            Path hog = Path.of("/proc/" + process.pid() + "/root" + folder.toAbsolutePath() + "/disk/hog");
            fill(hog, 4 * MIB);
            CallFailed refused = refusal(producer);

            assertThat(refused.code()).isEqualTo(ResponseCodes.SERVICE_NOT_AVAILABLE);
            assertThat(refused.sentence())
                    .contains("DISK_FULL", "disk/data/store/commitlog", "bytes are free", "diskSpaceReserveBytes");
            puller.commit(queue, 0, LIMIT);
            assertThat(puller.committed(queue, LIMIT)).isZero();
            assertThat(puller.maxOffset(queue, LIMIT)).isBetween(0L, 1000L);

            Files.delete(hog);
            long freed = System.nanoTime();
            awaitSend(producer);
            assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(Duration.ofSeconds(10));
            assertThat(process.terminate().exitCode()).isZero();
        }
    }

    /// A disk that takes writes and then loses them, as a thin volume that cannot grow: the sync fails.
    @Test
    void diskThatLosesWhatWasWrittenFencesTheBrokerWhichStaysAliveAndReadable() throws Exception {
        String mounts = "mount -t tmpfs -o size=24m none backing\ntruncate -s 256M backing/image\n"
                + "mkfs.ext4 -q -F -E lazy_itable_init=1 -J size=4 backing/image\nmount -o loop backing/image disk";
        try (Spawned process = standalone(mounts, "diskSpaceReserveBytes=8388608\ndiskSpaceEnoughBytes=0\n")) {
            Routes routes = routes(process);
            SimpleProducer producer = new SimpleProducer(client, routes, "PG");
            SimplePuller puller = new SimplePuller(client, routes, "CG");
            producer.send("T", "the first".getBytes(StandardCharsets.UTF_8), null, null, LIMIT);

            CallFailed refused = null;
            for (int i = 0; i < 400 && refused == null; i++) {
                refused = catchThrowableOfType(
                        CallFailed.class, () -> producer.send("T", new byte[512 * 1024], null, null, LIMIT));
            }

            assertThat(refused).isNotNull();
            assertThat(refused.code()).isEqualTo(ResponseCodes.SERVICE_NOT_AVAILABLE);
            assertThat(refused.sentence()).contains("FENCED", "disk/data/store", "check the disk");
            assertReadable(puller, "the first");
            assertThat(process.terminate().exitCode()).as("not a clean stop").isEqualTo(71);
        }
    }

    /// The kernel turns a file system read-only when it finds an error in it; files that are open stay open.
    @Test
    void fileSystemThatBecomesReadOnlyFencesTheBrokerWhichStaysAliveAndReadable() throws Exception {
        String mounts = """
                mount -t tmpfs -o size=200m none backing
                truncate -s 160M backing/image
                mkfs.ext4 -q -F -E lazy_itable_init=1 -J size=4 backing/image
                mount -o loop,errors=remount-ro backing/image disk""";
        try (Spawned process = standalone(mounts, "diskSpaceReserveBytes=8388608\ndiskSpaceEnoughBytes=0\n")) {
            Routes routes = routes(process);
            SimpleProducer producer = new SimpleProducer(client, routes, "PG");
            SimplePuller puller = new SimplePuller(client, routes, "CG");
            producer.send("T", "the first".getBytes(StandardCharsets.UTF_8), null, null, LIMIT);
            Path trigger = Path.of("/sys/fs/ext4", deviceOf(process), "trigger_fs_error");
            assumeTrue(Files.isWritable(trigger), "this kernel has no " + trigger);
            Files.writeString(trigger, "1");

            CallFailed refused = refusal(producer);

            assertThat(refused.code()).isEqualTo(ResponseCodes.SERVICE_NOT_AVAILABLE);
            assertThat(refused.sentence()).contains("FENCED", "disk/data/store", "check the disk");
            assertReadable(puller, "the first");
            assertThat(process.terminate().exitCode()).as("not a clean stop").isEqualTo(71);
        }
    }

    /// The block device that is mounted at `disk` in the process's namespace.
    private String deviceOf(Spawned process) throws IOException {
        String place = folder.toAbsolutePath() + "/disk";
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/mounts"))) {
            String[] words = line.split(" ", -1);
            if (words[1].equals(place)) {
                return Path.of(words[0]).getFileName().toString();
            }
        }
        throw new AssertionError(place + " is not mounted");
    }

    /// A client pulls the first message of the topic, whichever queue it is in.
    private static void assertReadable(SimplePuller puller, String body) throws CallFailed {
        List<String> bodies = new ArrayList<>();
        for (SimplePuller.Queue queue : puller.queues("T", LIMIT)) {
            puller.pull(queue, 0, 1, "*", Duration.ZERO)
                    .messages()
                    .forEach(message -> bodies.add(new String(message.body(), StandardCharsets.UTF_8)));
        }
        assertThat(bodies).contains(body);
    }

    /// Leaves so many bytes free.
    private static void fill(Path hog, long leftBytes) throws IOException {
        byte[] block = new byte[MIB / 4];
        try (OutputStream out = Files.newOutputStream(hog)) {
            while (hog.getParent().toFile().getUsableSpace() > leftBytes) {
                out.write(block);
            }
        }
    }

    private static CallFailed refusal(SimpleProducer producer) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            CallFailed failed =
                    catchThrowableOfType(CallFailed.class, () -> producer.send("T", new byte[1000], null, null, LIMIT));
            if (failed != null) {
                return failed;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("sends are taken though the disk is full");
    }

    private static void awaitSend(SimpleProducer producer) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            if (catchThrowableOfType(CallFailed.class, () -> producer.send("T", new byte[1000], null, null, LIMIT))
                    == null) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("sends are refused though there is room");
    }
}
