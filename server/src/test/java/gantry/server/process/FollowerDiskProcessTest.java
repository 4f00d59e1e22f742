package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.route.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A follower whose disk is full while it copies its leader's whole log.
///
/// It needs a mount of its own; where nobody may mount, `ReseedTest` and `SideStoreTest` show the same with a disk
/// that injects faults.
class FollowerDiskProcessTest {
    private static final int MIB = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration NAMED_WITHIN = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final RemotingClient client = RemotingClient.open();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Endpoint routes = new Endpoint("127.0.0.1", 0);

    @BeforeEach
    void nameserver() throws Exception {
        assumeTrue(Spawned.mayMount(), "this machine does not let us mount");
        Files.createDirectories(folder.resolve("disk"));
        routes = started("", "nameserver", "ns", "listenPort=0", "dataDir=" + folder.resolve("ns"))
                .address("nameserver");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        client.close();
    }

    @Test
    void diskThatFillsUpDuringACopyIsNamedKeepsTheOldLogAndTheCopyGoesOnByItself() throws Exception {
        Spawned leader = leader("SYNC_MASTER");
        Spawned follower = started(
                "mount -t tmpfs -o size=220m none disk",
                "broker",
                "follower",
                lines("disk/store", 1, "SLAVE", "diskSpaceReserveBytes=8388608", "diskSpaceEnoughBytes=0"));
        Path disk = Path.of("/proc/" + follower.pid() + "/root" + folder.toAbsolutePath() + "/disk");
        Path hog = disk.resolve("hog");
        Path first = disk.resolve("store/commitlog/00000000000000000000");
        await("a follower").atMost(PATIENCE).until(() -> isTaken(1_000));
        follower.signal("STOP");
        byte[] old = Files.readAllBytes(first);
        assertThat(leader.terminate().exitCode()).isZero();

        leader = leader("ASYNC_MASTER", "maxCommitLogBytes=" + 112 * MIB);
        for (int i = 0; i < 170; i++) {
            assertThat(isTaken(MIB)).isTrue();
        }
        await("the leader's log has lost its beginning")
                .atMost(PATIENCE)
                .until(() -> !Files.exists(folder.resolve("leader/commitlog/00000000000000000000")));
        assertThat(leader.terminate().exitCode()).isZero();
        leader = leader("SYNC_MASTER");
        leave(60 * MIB, hog);
        follower.signal("CONT");
        awaitReason(follower, "NO_ROOM", "make room on its disk");
        awaitReason(leader, "NO_ROOM", "make room on its disk");
        assertThat(isTaken(10)).as("a send that one member has").isFalse();

        Files.delete(hog);
        await("it copies")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> health(follower).contains("RESEEDING"));
        follower.signal("STOP");
        leave(0, hog);
        follower.signal("CONT");
        awaitReason(follower, "disk full", "NO_ROOM");
        awaitReason(leader, "NO_ROOM", "make room on its disk");
        assertThat(isTaken(10)).as("a send that one member has").isFalse();
        assertThat(health(leader)).contains("\"live\":true");
        assertThat(first).as("what it had before").hasBinaryContent(old);

        Files.delete(hog);
        await("it is in sync").atMost(PATIENCE).until(() -> isTaken(10));
        await("its health").atMost(NAMED_WITHIN).until(() -> health(follower).contains("\"verdict\":\"well\""));
        assertThat(newest("leader/commitlog", folder)).isEqualTo(newest("store/commitlog", disk));
        assertThat(follower.terminate().exitCode()).isZero();
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// What the newest file of a log is called.
    private static String newest(String log, Path in) {
        String[] names = in.resolve(log).toFile().list((_, name) -> name.matches("[0-9]{20}"));
        return Arrays.stream(names == null ? new String[0] : names)
                .max(String::compareTo)
                .orElse("none");
    }

    private void awaitReason(Spawned process, String... words) {
        await(String.join(" ", words))
                .atMost(NAMED_WITHIN)
                .untilAsserted(() -> assertThat(health(process)).contains(words));
    }

    /// Whether it is answered as promised.
    private boolean isTaken(int bytes) {
        try {
            new SimpleProducer(client, new Routes(client, List.of(routes)), "producers")
                    .send("orders", new byte[bytes], null, null, Duration.ofSeconds(6));
            return true;
        } catch (CallFailed refused) {
            return false;
        }
    }

    /// Takes room until no more than so much is free.
    private static void leave(long freeBytes, Path hog) throws IOException {
        byte[] block = new byte[MIB / 4];
        try (OutputStream out = Files.newOutputStream(hog)) {
            while (hog.getParent().toFile().getUsableSpace() > freeBytes) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static String health(Spawned process) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://" + process.address("admin") + "/health"))
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private Spawned leader(String role, String... more) throws Exception {
        return started("", "broker", "leader", lines("leader", 0, role, more));
    }

    private String[] lines(String store, int id, String role, String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "brokerName=a",
                "brokerId=" + id,
                "brokerRole=" + role,
                "namesrvAddr=" + routes,
                "listenPort=0",
                "brokerIP1=127.0.0.1",
                "storePathRootDir=" + folder.resolve(store),
                "mappedFileSizeCommitLog=" + 16 * MIB,
                "diskMaxUsedSpaceRatio=95"));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    private Spawned started(String mounts, String role, String name, String... lines) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
        Spawned process = mounts.isEmpty()
                ? Spawned.gantry(folder, role, "-c", file.toString())
                : Spawned.gantryBehind(mounts, folder, role, "-c", file.toString());
        open.add(process);
        return process.ready();
    }
}
