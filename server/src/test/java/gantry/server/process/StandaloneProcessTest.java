package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `standalone` as a process: what a user sees in the first minutes, and what it leaves behind.
class StandaloneProcessTest {
    private static final Duration STOP_PROMISE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void printsWhereItListensAndTheNextTwoCommands() throws Exception {
        try (Spawned standalone = standalone("--host", "127.0.0.1").ready()) {
            int nameserver = standalone.address("nameserver").port();
            assertThat(standalone.address("broker").port()).isPositive().isNotEqualTo(nameserver);
            assertThat(standalone.lineWith(" admin send ")).contains("-n 127.0.0.1:" + nameserver);
            assertThat(standalone.lineWith(" admin consume ")).contains("-n 127.0.0.1:" + nameserver);
        }
    }

    @Test
    void sigtermWithOpenConnectionsIsACleanStopInTime() throws Exception {
        try (Spawned standalone = standalone().ready();
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(),
                        standalone.address("broker").port())) {
            assertThat(client.isConnected()).isTrue();
            assertThat(folder.resolve("data/store/abort")).exists();
            long before = System.nanoTime();
            assertThat(standalone.terminate().exitCode()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(STOP_PROMISE);
        }
        assertThat(folder.resolve("data/store/abort"))
                .as("the mark of an unclean stop")
                .doesNotExist();
    }

    @Test
    void secondOneOnTheSameFolderIsRefusedAndHarmsNothing() throws Exception {
        try (Spawned first = standalone().ready();
                Spawned second = standalone()) {
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.errors())
                    .contains("is in use by process " + first.pid())
                    .hasLineCount(1);
            assertThat(folder.resolve("data/logs/standalone.log"))
                    .content()
                    .as("the log of the one that runs")
                    .doesNotContain(" " + second.pid());
            assertThat(first.terminate().exitCode()).isZero();
            assertThat(first.errors()).as("nobody is blamed for a stop").isEmpty();
        }
        assertThat(folder.resolve("data/store/abort")).doesNotExist();
    }

    @Test
    void brokerPortInUseStopsTheWholeStartAndTheStoreIsClosedCleanly() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Spawned refused = standalone("--broker-port", String.valueOf(taken.getLocalPort()))) {
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.errors())
                    .contains("The broker cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasLineCount(1);
        }
        assertThat(folder.resolve("data/store/abort")).doesNotExist();
    }

    @Test
    void killedOneStartsAgain() throws Exception {
        try (Spawned first = standalone().ready()) {
            first.kill().exitCode();
        }
        assertThat(folder.resolve("data/store/abort")).exists();
        try (Spawned second = standalone().ready()) {
            assertThat(second.terminate().exitCode()).isZero();
        }
    }

    @Test
    void brokersFileIsReadBeneathTheFlags() throws Exception {
        Path file = Files.writeString(
                folder.resolve("broker.conf"),
                "brokerName=mine\nlistenPort=1\nmappedFileSizeCommitLog=1048576\nsendMessageThreadPoolNums=4\n");
        try (Spawned standalone = standalone("-c", file.toString()).ready()) {
            assertThat(standalone.terminate().exitCode()).isZero();
            assertThat(folder.resolve("data/logs/standalone.log"))
                    .content()
                    .contains("sendMessageThreadPoolNums has no effect here");
        }
    }

    /// On free ports; a flag given twice would be refused, so these come only when the test gives none.
    @Test
    void folderThatTheFileNamesHoldsForTheWholeProcess() throws Exception {
        Path file = Files.writeString(folder.resolve("all.conf"), "dataDir=elsewhere\nlistenPort=0\n");
        String[] args = {"standalone", "-c", file.toString(), "--nameserver-port", "0"};
        try (Spawned standalone = Spawned.gantry(folder, args).ready()) {
            assertThat(folder.resolve("elsewhere/nameserver.lock")).exists();
            assertThat(folder.resolve("data")).doesNotExist();
            assertThat(standalone.terminate().exitCode()).isZero();
        }
        assertThat(folder.resolve("elsewhere/logs/standalone.log"))
                .content()
                .contains("is ready: nameserver at 127.0.0.1:", "has stopped cleanly");
    }

    private Spawned standalone(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("standalone", "--data-dir", "data", "--nameserver-port", "0"));
        if (!List.of(more).contains("--broker-port")) {
            args.addAll(List.of("--broker-port", "0"));
        }
        args.addAll(List.of(more));
        return Spawned.gantry(folder, args.toArray(String[]::new));
    }
}
