package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
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

    private Spawned nameserver(String data) throws IOException {
        Path file = Files.writeString(
                folder.resolve(data + ".conf"), "listenPort=0\ndataDir=" + folder.resolve(data) + "\n");
        return Spawned.gantry(folder, "nameserver", "-c", file.toString());
    }
}
