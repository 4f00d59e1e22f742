package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.server.node.DataFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Whatever a user gets wrong is answered by one clear sentence and exit code 1, and nothing is left behind.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a start would stay
class RefusedStartTest {
    @TempDir
    Path folder;

    /// What the command line answered.
    private record Answer(int code, String text) {}

    @Test
    void misspeltFlagNamesTheNearestOne() {
        assertRefused(
                run("standalone", "--data-dri", "x"),
                "There is no flag --data-dri: did you mean --data-dir? (gantry standalone --help shows all)");
    }

    @Test
    void misspeltRoleNamesTheNearestOne() {
        assertRefused(run("standallone"), "There is no word standallone: did you mean standalone?");
    }

    @Test
    void noRoleAsksForOne() {
        assertRefused(run(), "Which role?");
    }

    @Test
    void misspeltKeyNamesTheNearestOne() throws IOException {
        Path file = Files.writeString(folder.resolve("ns.conf"), "listenPrt=1\ndataDir=" + folder.resolve("data"));
        assertRefused(run("nameserver", "-c", file.toString()), "listenPrt (did you mean listenPort?)");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void portThatIsNoNumberSaysWhatIs() throws IOException {
        assertRefused(
                run("standalone", "--nameserver-port", "ninety", "--data-dir", folder.toString()),
                "listenPort=ninety (--nameserver-port) is not a whole number from 0 to 65535.");
    }

    @Test
    void missingFileIsNamed() {
        assertRefused(run("broker", "-c", folder.resolve("b.conf").toString()), "There is no configuration file ");
    }

    @Test
    void folderBelowAFileCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertRefused(nameserverIn(file.resolve("data"), 0), "cannot be written to");
    }

    @Test
    void folderOfAnotherProcessIsNamedWithItsOwner() throws Exception {
        Path data = folder.resolve("data");
        try (DataFolder _ = DataFolder.open(data, "nameserver", "dataDir")) {
            assertRefused(
                    nameserverIn(data, 0),
                    "The folder " + data + " is in use by process "
                            + ProcessHandle.current().pid() + " (nameserver)");
        }
    }

    @Test
    void portInUseIsNamedAndTheFolderIsFreeAgain() throws Exception {
        Path data = folder.resolve("data");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(
                    nameserverIn(data, taken.getLocalPort()),
                    "The nameserver cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        DataFolder.open(data, "nameserver", "dataDir").close();
    }

    /// R008: two brokers on one host, the second one's port for followers is in the first one's way.
    @Test
    void replicationPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(
                    folder.resolve("b.conf"),
                    "brokerRole=SYNC_MASTER\nlistenPort=0\nhaListenPort=" + taken.getLocalPort()
                            + "\nnamesrvAddr=127.0.0.1:1\nstorePathRootDir=" + folder.resolve("store"));
            assertRefused(run("broker", "-c", file.toString()), "listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    private Answer nameserverIn(Path data, int port) throws IOException {
        Path file = Files.writeString(folder.resolve("ns.conf"), "dataDir=" + data + "\nlistenPort=" + port);
        return run("nameserver", "-c", file.toString());
    }

    private static void assertRefused(Answer answer, String part) {
        assertThat(answer.text()).contains(part).startsWith("gantry: ").doesNotContain("\tat ");
        assertThat(answer.text().lines()).hasSize(1);
        assertThat(answer.code()).isEqualTo(1);
    }

    private static Answer run(String... args) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
        int code = line.execute(args);
        return new Answer(code, err.toString());
    }
}
