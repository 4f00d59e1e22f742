package gantry.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Disk.Done.Kind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shows which of the operating system's words mean a disk that is left alone until there is room (also a quota, which
/// its free bytes do not show), and which mean one that is not to be believed any more.
class FailuresTest {
    @ParameterizedTest
    @CsvSource({
        "No space left on device, FULL",
        "Disk quota exceeded, FULL",
        "Read-only file system, READ_ONLY",
        "Input/output error, IO",
        "Permission denied, READ_ONLY",
        "Stale file handle, IO"
    })
    void kindFollowsTheSystemsWordsAndTheSentenceNamesPathAndDeed(String words, Kind kind) {
        assertThat(Failures.failure(Path.of("/d/file"), "writing 5 bytes at 7", new IOException(words)))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(kind))
                .satisfies(failed -> assertThat(failed.sentence())
                        .startsWith("/d/file: writing 5 bytes at 7 failed")
                        .contains(words));
    }
}
