package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `verify` as a process beside a server.
class VerifyProcessTest {
    @TempDir
    Path folder;

    @Test
    void storeOfARunningServerIsRefusedAndAfterItsStopIsClean() throws Exception {
        String data = folder.resolve("data").toString();
        try (Spawned server = Spawned.gantry(
                        folder, "standalone", "--data-dir", data, "--nameserver-port", "0", "--broker-port", "0")
                .ready()) {
            try (Spawned early = Spawned.gantry(folder, "verify", data)) {
                assertThat(early.exitCode()).isEqualTo(2);
                assertThat(early.errors()).contains("the store is in use").hasLineCount(1);
            }
            assertThat(server.terminate().exitCode()).isZero();
        }
        try (Spawned after = Spawned.gantry(folder, "verify", data)) {
            assertThat(after.lineWith("clean: ")).endsWith("nothing is damaged.");
            assertThat(after.exitCode()).isZero();
        }
    }
}
