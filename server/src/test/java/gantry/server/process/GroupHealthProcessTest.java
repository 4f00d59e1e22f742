package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.call.RemotingClient;
import gantry.ops.cli.AdminCommand;
import gantry.ops.cli.HealthCommand;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Nobody can miss that a copy is not made: `gantry health` names each member's trouble with its next step, in time.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupHealthProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// P4: so late a stall has its name.
    private static final Duration NAMED_WITHIN = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Endpoint routes = new Endpoint("127.0.0.1", 0);

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void healthTellsOfAGroupFromItsFirstStartToADeadFollower() throws Exception {
        routes = started("nameserver", "ns", "listenPort=0", "dataDir=" + folder.resolve("ns"))
                .address("nameserver");
        Spawned leader = broker("leader", 0, "SYNC_MASTER", "the secret of this group");
        awaitHealth(
                PATIENCE,
                1,
                "broker a/0 .*NOT WELL +too few members in sync: .*answered when 2 members have it written");

        Spawned stranger = broker("follower", 1, "SLAVE", "another secret altogether");
        awaitHealth(NAMED_WITHIN, 1, "broker a/1: its master .*NOT WELL .*compare replicaSecret, brokerClusterName");
        await().atMost(NAMED_WITHIN)
                .untilAsserted(() -> assertThat(page(stranger, "/health/ready"))
                        .contains("503", "its master", "compare replicaSecret, brokerClusterName"));
        assertThat(haStatus(leader)).as("who has not proved itself is nobody").contains("\"haConnectionInfo\":[]");
        assertThat(stranger.terminate().exitCode()).isZero();

        Spawned follower = broker("follower", 1, "SLAVE", "the secret of this group");
        awaitHealth(PATIENCE, 0, "broker a/0: follower 1 .*well +IN_SYNC");
        assertThat(haStatus(leader)).contains("\"inSync\":true", "\"inSyncSlaveNums\":1", "\"diff\":0");
        assertThat(haStatus(follower)).contains("\"master\":false");

        assertThat(admin("haStatus", "-b", leader.address("broker").toString()))
                .containsPattern("master +\\d+ +127\\.0\\.0\\.1 \\(brokerId 1\\) +\\d+ +0 +true");
        assertThat(admin("haStatus", "-b", follower.address("broker").toString()))
                .containsPattern("slave +\\d+ +" + leader.address("replication") + " +\\d+ +0 +- +2\\d{3}-");
        assertThat(page(leader, "/health"))
                .contains("200", "\"verdict\":\"well\"", "\"address\":\"127.0.0.1\"")
                .contains("\"lagBytes\":0", "\"lagMessages\":0");
        assertThat(page(follower, "/health/ready")).contains("200");

        // R027: it hangs, and its connections stay open.
        follower.signal("STOP");
        await().atMost(NAMED_WITHIN).untilAsserted(() -> {
            assertThat(page(leader, "/health"))
                    .contains("503", "\"part\":\"broker a/0: follower 1\",\"state\":\"SILENT\"")
                    .contains("look whether that process runs, hangs or has no network");
            assertThat(page(leader, "/health/ready")).contains("503", "too few members in sync");
            assertThat(page(leader, "/metrics"))
                    .contains("gantry_replica_member_state{member=\"1\",state=\"SILENT\"} 1.0");
        });
        follower.signal("CONT");
        awaitHealth(PATIENCE, 0, "broker a/0: follower 1 .*well +IN_SYNC");

        leader.signal("STOP");
        await().atMost(NAMED_WITHIN)
                .untilAsserted(() -> assertThat(page(follower, "/health/ready"))
                        .contains(
                                "503",
                                "\"part\":\"broker a/1: its master\",\"state\":\"SILENT\"",
                                "hangs or has no network"));
        leader.signal("CONT");
        awaitHealth(NAMED_WITHIN, 0, "broker a/0: follower 1 .*well +IN_SYNC");

        follower.kill().exitCode();
        awaitHealth(NAMED_WITHIN, 1, "broker a/0: follower 1 .*NOT WELL +SILENT.*look whether that process runs");
        assertThat(leader.terminate().exitCode()).isZero();
    }

    private void awaitHealth(Duration within, int code, String line) {
        await(line).atMost(within).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            StringWriter out = new StringWriter();
            int answered = new CommandLine(new HealthCommand())
                    .setOut(new PrintWriter(out))
                    .execute("-n", routes.toString());
            assertThat(out.toString()).containsPattern(line);
            assertThat(answered).isEqualTo(code);
        });
    }

    private String admin(String... words) {
        StringWriter out = new StringWriter();
        int code = new CommandLine(new AdminCommand())
                .setOut(new PrintWriter(out))
                .execute(Stream.concat(Stream.of(words), Stream.of("-n", routes.toString()))
                        .toArray(String[]::new));
        assertThat(code).isZero();
        return out.toString();
    }

    /// The status and the page.
    private static String page(Spawned process, String path) throws Exception {
        Endpoint admin = process.address("admin");
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> said = http.send(
                    HttpRequest.newBuilder(URI.create("http://" + admin + path))
                            .timeout(Duration.ofSeconds(5))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return said.statusCode() + " " + said.body();
        }
    }

    private static String haStatus(Spawned broker) throws Exception {
        try (RemotingClient client = RemotingClient.open()) {
            Command request = Command.request(RequestCodes.GET_BROKER_HA_STATUS);
            return new String(
                    client.callOk(broker.address("broker"), request, Duration.ofSeconds(10))
                            .body(),
                    StandardCharsets.UTF_8);
        }
    }

    private Spawned broker(String name, int id, String role, String secret) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".secret"), secret);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return started(
                "broker",
                name,
                "brokerName=a",
                "brokerId=" + id,
                "brokerRole=" + role,
                "namesrvAddr=" + routes,
                "listenPort=0",
                "storePathRootDir=" + folder.resolve(name),
                "mappedFileSizeCommitLog=1048576",
                "replicaSecretFile=" + file);
    }

    private Spawned started(String role, String name, String... lines) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
        Spawned process = Spawned.gantry(folder, role, "-c", file.toString());
        open.add(process);
        return process.ready();
    }
}
