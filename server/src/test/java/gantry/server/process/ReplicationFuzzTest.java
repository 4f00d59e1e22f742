package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.CallFailed;
import gantry.client.RemotingClient;
import gantry.client.Routes;
import gantry.client.SimpleProducer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Frames that no member would send, on the replication port of a leader that works: strangers' bytes, changed frames
/// of every step of the hello, and a peer that knows the secret and lies.
///
/// `-Dfuzz.frames=3000000` for more of it, `-Dfuzz.seed=N` for the one that failed.
class ReplicationFuzzTest {
    private static final int FRAMES = Integer.getInteger("fuzz.frames", 3_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130L);
    private static final String SECRET = "the secret of these members";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
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
        FalsePeer peer = new FalsePeer(
                leader.address("replication"), SECRET.getBytes(StandardCharsets.US_ASCII), new SplittableRandom(SEED));
        peer.sayFrames(200);
        long residentBefore = resident(leader);

        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Thread sender = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                if (isAnswered("beside lies " + answered)) {
                    answered.incrementAndGet();
                }
            }
        });
        peer.sayFrames(FRAMES);
        await("sends go on").atMost(PATIENCE).until(() -> answered.get() > 20);
        over.set(true);
        sender.join();

        assertThat(peer.accepted()).as("hellos that succeeded").isPositive();
        assertThat(peer.leftOpen())
                .as("links of strangers that stayed open, replay with -Dfuzz.seed=" + SEED)
                .isEmpty();
        assertThat(resident(leader) - residentBefore).isLessThan(MOST_GROWTH_BYTES);
        await("equal logs").atMost(PATIENCE).until(() -> Arrays.equals(log("leader"), log("follower")));
        signal("STOP", follower);
        peer.sayFrames(100);
        assertThat(isAnswered("to a follower that hangs")).isFalse();
        signal("CONT", follower);
        await("it goes on").atMost(PATIENCE).until(() -> isAnswered("last"));
        assertThat(leader.terminate().exitCode()).isZero();
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

    private byte[] log(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name + "/commitlog/00000000000000000000"));
    }

    private static long resident(Spawned process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new AssertionError("no RssAnon");
    }

    private static void signal(String name, Spawned process) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private Spawned broker(String name, int id, String role) throws Exception {
        return spawn(
                "broker",
                name,
                "brokerClusterName=c",
                "brokerName=a",
                "brokerId=" + id,
                "brokerRole=" + role,
                "namesrvAddr=" + routes,
                "listenPort=0",
                "brokerIP1=127.0.0.1",
                "replicaSecret=" + SECRET,
                "replicaMembers=0,1,2",
                "storePathRootDir=" + folder.resolve(name),
                "mappedFileSizeCommitLog=67108864",
                "diskMaxUsedSpaceRatio=95");
    }

    private Spawned spawn(String role, String name, String... lines) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
        Spawned process = Spawned.gantry(folder, role, "-c", file.toString());
        open.add(process);
        return process.ready();
    }
}
