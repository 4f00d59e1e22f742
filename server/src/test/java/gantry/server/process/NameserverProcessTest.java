package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A nameserver as a process: it says when it is ready, and ends as it should.
class NameserverProcessTest {
    private static final Duration STOP_PROMISE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void readyLineNamesThePortAndSigtermIsACleanStop() throws Exception {
        try (Spawned nameserver = nameserver("data").ready()) {
            int port = nameserver.address("nameserver").port();
            assertThat(port).isPositive();
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(open.isConnected()).isTrue();
                long before = System.nanoTime();
                assertThat(nameserver.terminate().exitCode()).isZero();
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(STOP_PROMISE);
            }
            assertThat(nameserver.errors()).isEmpty();
        }
        assertThat(folder.resolve("data/logs/nameserver.log")).content().contains("nameserver has stopped");
    }

    @Test
    void secondOneOnTheSameFolderIsRefusedAndTheFirstGoesOn() throws Exception {
        try (Spawned first = nameserver("data").ready();
                Spawned second = nameserver("data")) {
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.errors())
                    .contains("is in use by process " + first.pid() + " (nameserver)")
                    .doesNotContain("\tat ");
            assertThat(first.terminate().exitCode()).isZero();
        }
    }

    @Test
    void folderIsFreeAgainAfterAKill() throws Exception {
        try (Spawned first = nameserver("data").ready()) {
            first.kill().exitCode();
        }
        try (Spawned second = nameserver("data").ready()) {
            assertThat(second.terminate().exitCode()).isZero();
        }
    }

    @Test
    void nameserversThatAnswerAreListedByHttp() throws Exception {
        try (Spawned other = nameserver("other", "adminPort=0").ready()) {
            Endpoint peer = other.address("nameserver");
            try (Spawned lists = nameserver("lists", "adminPort=0", "nameserverPeers=" + peer)
                    .ready()) {
                Endpoint self = lists.address("nameserver");
                URI page = URI.create("http://" + lists.address("admin") + "/rocketmq/nsaddr");
                await("both answer").until(() -> get(page).equals(self + ";" + peer));
                other.kill().exitCode();
                await("one is gone").until(() -> get(page).equals(self.toString()));
            }
        }
    }

    private static String get(URI page) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private Spawned nameserver(String data, String... settings) throws IOException {
        Path file = Files.writeString(
                folder.resolve(data + ".conf"),
                "listenPort=0\ndataDir=" + folder.resolve(data) + "\n" + String.join("\n", settings) + "\n");
        return Spawned.gantry(folder, "nameserver", "-c", file.toString());
    }
}
