package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.route.Routes;
import gantry.replica.frame.Cause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Frames that no member would send, on the replication port of a leader that works: strangers' bytes, changed frames
/// of every step of the hello, and a peer that knows the secret and lies.
///
/// `-Dtest.jvm=-Dfuzz.frames=1000000` for more of it, `-Dfuzz.seed=N` for the one that failed.
class ReplicationFuzzTest {
    private static final int FRAMES = Integer.getInteger("fuzz.frames", 50_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130L);
    private static final String SECRET = "the secret of these members";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PEERS = 4;
    private static final int STRANGERS = 5_000;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(5);

    /// Those whom the leader lets wait for their hello, and some that are being closed.
    private static final int MOST_DESCRIPTORS_OF_STRANGERS = 200;

    private static final int MOST_DESCRIPTORS = 30;
    private static final int MOST_THREADS = 10;
    private static final long MOST_GROWTH_BYTES = 50L << 20;

    @TempDir
    Path folder;

    private final RemotingClient client = RemotingClient.open();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Endpoint routes = new Endpoint("127.0.0.1", 0);

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        client.close();
    }

    /// R001, R002, R003.
    @Test
    void nothingThatArrivesIsBelievedAndNobodyElseNotices() throws Exception {
        Spawned nameserver = spawn("nameserver", "ns", "listenPort=0", "dataDir=" + folder.resolve("ns"));
        routes = nameserver.address("nameserver");
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        await("a follower").atMost(PATIENCE).until(() -> isAnswered("first"));
        List<FalsePeer> peers = peers(leader.address("replication"));
        say(peers, 2_000);
        Footprint before = Footprint.of(leader);

        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Thread sender = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                if (isAnswered("beside lies " + answered)) {
                    answered.incrementAndGet();
                }
            }
        });
        long start = System.nanoTime();
        say(peers, FRAMES);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        await("sends go on").atMost(PATIENCE).until(() -> answered.get() > 20);
        over.set(true);
        sender.join();

        for (FalsePeer peer : peers) {
            assertThat(peer.accepted()).as("hellos that succeeded").isPositive();
            assertThat(peer.leftOpen())
                    .as("links of strangers that stayed open, replay with -Dfuzz.seed=" + SEED)
                    .isEmpty();
        }
        Footprint after = Footprint.of(leader);
        tell(peers.stream().mapToLong(FalsePeer::connections).sum(), took, answered.get(), before, after);
        after.isNoMoreThan(before, took);
        assertThat(leader.errors()).as("places that a liar asked for").doesNotContain("Bit rot");
        awaitEqualLogs();
        follower.signal("STOP");
        say(peers, 100);
        assertThat(isAnswered("to a follower that hangs")).isFalse();
        follower.signal("CONT");
        await("it goes on").atMost(PATIENCE).until(() -> isAnswered("last"));
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// The other side: behind the door at which a follower looks for its leader stands one that lies.
    @Test
    void followerBelievesNothingOfALyingLeaderAndIsInSyncOnceTheTrueOneIsBack() throws Exception {
        routes = spawn("nameserver", "ns", "listenPort=0", "dataDir=" + folder.resolve("ns"))
                .address("nameserver");
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        FalseLeaderDoor door = new FalseLeaderDoor(
                leader.address("replication"),
                SECRET.getBytes(StandardCharsets.US_ASCII),
                FRAMES,
                new SplittableRandom(SEED));
        open.add(door);
        Spawned follower = broker("follower", 1, "SLAVE", "haMasterAddress=127.0.0.1:" + door.port());
        for (int i = 0; i < 50; i++) {
            String body = "message " + i;
            await(body).atMost(PATIENCE).until(() -> isAnswered(body));
        }
        byte[] held = log("follower");
        Footprint before = Footprint.of(follower);

        long start = System.nanoTime();
        door.lies(true);
        await("it comes again, less and less often")
                .atMost(PATIENCE.plusSeconds(FRAMES / 1_000))
                .until(() -> door.conversations() > 4 && door.said() >= FRAMES);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        assertThat(door.believed()).as("leaders that it began to follow").isPositive();
        assertThat(log("follower")).as("replay with -Dfuzz.seed=" + SEED).isEqualTo(held);
        Footprint after = Footprint.of(follower);
        tell(door.conversations(), took, 0, before, after);
        after.isNoMoreThan(before, took);
        assertThat(follower.errors()).as("places that a liar asked for").doesNotContain("Bit rot");
        door.lies(false);
        await("the true leader is back").atMost(PATIENCE).until(() -> isAnswered("last"));
        awaitEqualLogs();
        assertThat(follower.terminate().exitCode()).isZero();
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// R001. A third says nothing, a third trickles what no member says, a third trickles the start of a true frame.
    @Test
    void thousandsThatSayNothingOrLittleAreGoneWithinSecondsAndNobodyElseNotices() throws Exception {
        Spawned nameserver = spawn("nameserver", "ns", "listenPort=0", "dataDir=" + folder.resolve("ns"));
        routes = nameserver.address("nameserver");
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        await("a follower").atMost(PATIENCE).until(() -> isAnswered("first"));
        for (int i = 0; i < 200; i++) {
            assertThat(isAnswered("before " + i)).isTrue();
        }
        Footprint before = Footprint.of(leader);

        try (Flood flood = new Flood(leader.address("replication"), STRANGERS)) {
            int answered = 0;
            long most = 0;
            long start = System.nanoTime();
            while (flood.leftOpen() > 0 && System.nanoTime() - start < PATIENCE.toNanos()) {
                flood.trickle();
                assertThat(isAnswered("beside a flood " + answered)).isTrue();
                answered++;
                most = Math.max(most, Footprint.of(leader).descriptors);
            }
            Footprint after = Footprint.of(leader);
            System.out.println(STRANGERS + " strangers, the last connected after "
                    + flood.connecting().toMillis()
                    + " ms, gone at most " + flood.longest().toMillis() + " ms after they came; " + answered
                    + " sends answered meanwhile; " + before + ", then " + after + "; most descriptors " + most);
            assertThat(flood.leftOpen()).isZero();
            assertThat(flood.longest()).isLessThan(GONE_WITHIN);
            assertThat(most - before.descriptors).as("descriptors").isLessThan(MOST_DESCRIPTORS_OF_STRANGERS);
            after.isNoMoreThan(before, PATIENCE);
        }
        awaitEqualLogs();
        assertThat(follower.terminate().exitCode()).isZero();
        assertThat(leader.terminate().exitCode()).isZero();
    }

    private static void tell(long connections, Duration took, int answered, Footprint before, Footprint after) {
        System.out.println(FRAMES + " false frames on " + connections + " connections in " + took.toMillis() + " ms, "
                + answered + " sends answered meanwhile; " + before + ", then " + after);
    }

    private void awaitEqualLogs() {
        await("equal logs").atMost(PATIENCE).until(() -> Arrays.equals(log("leader"), log("follower")));
    }

    private static List<FalsePeer> peers(Endpoint leader) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<FalsePeer> peers = new ArrayList<>();
        for (int number = 2; number < 2 + PEERS; number++) {
            peers.add(new FalsePeer(leader, SECRET.getBytes(StandardCharsets.US_ASCII), number, random.split()));
        }
        return peers;
    }

    /// All at the same time.
    private static void say(List<FalsePeer> peers, int frames) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(PEERS)) {
            List<Future<?>> saying = new ArrayList<>();
            for (FalsePeer peer : peers) {
                saying.add(threads.submit(() -> {
                    peer.sayFrames(frames / PEERS);
                    return null;
                }));
            }
            for (Future<?> each : saying) {
                each.get();
            }
        }
    }

    private boolean isAnswered(String body) {
        try {
            return new SimpleProducer(client, new Routes(client, List.of(routes)), "producers")
                    .send("orders", body.getBytes(StandardCharsets.UTF_8), null, null, Duration.ofSeconds(6))
                    .isReplicatedAndFlushed();
        } catch (CallFailed refused) {
            return false;
        }
    }

    /// All of it that lies in whole files, and the files that are begun.
    private byte[] log(String name) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(folder.resolve(name + "/commitlog"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.write(Files.readAllBytes(file));
            }
        }
        return all.toByteArray();
    }

    /// What a process takes of its machine.
    private record Footprint(long residentBytes, long descriptors, long threads, long lines) {
        void isNoMoreThan(Footprint before, Duration took) {
            assertThat(residentBytes - before.residentBytes).as("bytes").isLessThan(MOST_GROWTH_BYTES);
            assertThat(descriptors - before.descriptors).as("descriptors").isLessThan(MOST_DESCRIPTORS);
            assertThat(threads - before.threads).as("threads").isLessThan(MOST_THREADS);
            assertThat(lines - before.lines)
                    .as("log lines: one of a cause in a minute, and one when its trouble is over")
                    .isLessThan(2L * Cause.values().length * (1 + took.toMinutes()));
        }

        static Footprint of(Spawned process) throws IOException {
            long resident = 0;
            long threads = 0;
            Path proc = Path.of("/proc/" + process.pid());
            for (String line : Files.readAllLines(proc.resolve("status"))) {
                if (line.startsWith("RssAnon:")) {
                    resident = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                } else if (line.startsWith("Threads:")) {
                    threads = Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
            try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
                return new Footprint(resident, descriptors.count(), threads, process.lineCount());
            }
        }
    }

    private Spawned broker(String name, int id, String role, String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "brokerClusterName=c",
                "brokerName=a",
                "brokerId=" + id,
                "brokerRole=" + role,
                "namesrvAddr=" + routes,
                "listenPort=0",
                "brokerIP1=127.0.0.1",
                "replicaSecret=" + SECRET,
                "replicaMembers=0,1,2,3,4,5",
                "storePathRootDir=" + folder.resolve(name),
                "mappedFileSizeCommitLog=16777216",
                "diskMaxUsedSpaceRatio=95"));
        lines.addAll(List.of(more));
        return spawn("broker", name, lines.toArray(String[]::new));
    }

    private Spawned spawn(String role, String name, String... lines) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
        Spawned process = Spawned.gantry(folder, role, "-c", file.toString());
        open.add(process);
        return process.ready();
    }
}
