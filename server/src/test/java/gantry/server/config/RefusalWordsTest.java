package gantry.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// R071: an operator finds every word with which a refusal begins, and what to do, in docs/disk.md.
class RefusalWordsTest {
    @Test
    void everyKindOfRefusalIsExplained() throws IOException {
        String page = Files.readString(Path.of("../docs/disk.md"));
        for (Refusal.Kind kind : Refusal.Kind.values()) {
            assertThat(page).contains("\n| `" + kind + "` | ");
            assertThat(new Refusal(kind, "why").remark()).startsWith(kind + ": ");
        }
    }
}
