package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.server.config.AdminKeys;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.Role;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The admin port of a broker: it is on loopback, and a port that is taken does not keep the broker from serving.
class AdminPortTest {
    @TempDir
    Path folder;

    @Test
    void pagesAreThereOnceTheBrokerIsReady() throws Exception {
        try (Server server = broker("0")) {
            Endpoint admin = Objects.requireNonNull(server.addresses().get("admin"));
            assertThat(admin.host()).isEqualTo("127.0.0.1");
            assertThat(ask(admin.port(), "/health"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\"verdict\":\"well\"", "\"brokerName\":\"broker-a\"");
            assertThat(ask(admin.port(), "/health/ready")).contains("\"ready\":true");
            assertThat(ask(admin.port(), "/health/live")).contains("\"live\":true");
            assertThat(ask(admin.port(), "/metrics")).contains("gantry_healthy 1.0");
            await("the first look at the disk")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ask(admin.port(), "/metrics").contains("\ngantry_disk_free_bytes "));
            assertThat(ask(admin.port(), "/")).contains("/health/ready");
            assertThat(ask(admin.port(), "/x")).startsWith("HTTP/1.1 404 ").contains("/health/ready");
        }
    }

    @Test
    void defaultPortThatIsTakenGivesWayToAFreeOne() throws Exception {
        try (ServerSocket first = taken(8082);
                Server server = broker(null)) {
            Endpoint admin = Objects.requireNonNull(server.addresses().get("admin"));
            assertThat(admin.port()).isNotEqualTo(8082);
            assertThat(ask(admin.port(), "/health")).startsWith("HTTP/1.1 200 ");
            assertThat(first.isClosed()).isFalse();
        }
    }

    @Test
    void chosenPortThatIsTakenIsOpenedOnceItIsFree() throws Exception {
        ServerSocket taken = taken(0);
        int port = taken.getLocalPort();
        try (Server server = broker(Integer.toString(port))) {
            assertThat(server.addresses()).containsKey("broker").doesNotContainKey("admin");
            taken.close();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> ask(port, "/health/live").startsWith("HTTP/1.1 200 "));
        }
    }

    /// Somebody else may have the port already, which is as good.
    private static ServerSocket taken(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            assertThat(port).as("a free port cannot be taken: %s", e).isPositive();
        }
        return socket;
    }

    private Server broker(@Nullable String adminPort) throws Exception {
        return Server.broker(Values.of(
                Role.BROKER,
                ConfigFile.NONE,
                List.of(
                        new Flag("data", Keys.DATA_DIR, folder.toString()),
                        new Flag("port", Keys.LISTEN_PORT, "0"),
                        new Flag("name", Keys.BROKER_NAME, "broker-a"),
                        new Flag("admin", AdminKeys.PORT, adminPort))));
    }

    private static String ask(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
