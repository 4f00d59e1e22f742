package gantry.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shows where `syncfs` is believed, and that it is called.
class WholeSyncTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "Linux, 6.18.44-fc, true",
        "Linux, 5.8.0, true",
        "Linux, 5.7.19-generic, false",
        "Linux, 4.19.0, false",
        "Linux, unknown, false",
        "Mac OS X, 14.5, false",
    })
    void onlyALinuxWhoseAnswerTellsOfErrorsIsBelieved(String system, String version, boolean believed) {
        assertThat(WholeSync.isLinuxThatTells(system, version)).isEqualTo(believed);
    }

    @Test
    void fileSystemIsSyncedAndOnlyItsOwnFilesAreCovered() throws IOException {
        WholeSync sync = WholeSync.open(folder);
        assumeTrue(sync != null, "the folder for temporary files lies on a file system whose syncfs is not believed");
        Path file = Files.writeString(folder.resolve("file"), "text");

        boolean _ = sync.sync();

        assertThat(sync.sync()).isTrue();
        assertThat(sync.covers(file)).isTrue();
        assertThat(sync.covers(folder.resolve("missing"))).isFalse();
        assertThat(sync.covers(Path.of("/proc/self/stat"))).isFalse();
        sync.close();
    }
}
