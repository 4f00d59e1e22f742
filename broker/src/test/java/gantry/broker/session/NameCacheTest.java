package gantry.broker.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Remembering by bytes.
class NameCacheTest {
    private static final byte[] NAMES = "orders,payments".getBytes(StandardCharsets.UTF_8);

    private final NameCache cache = new NameCache();

    @Test
    void whatWasRememberedIsFoundByTheSameBytesElsewhere() {
        cache.remember(NAMES, 7, 8, "P");
        assertThat(cache.find("payments".getBytes(StandardCharsets.UTF_8), 0, 8, String.class))
                .isEqualTo("P");
        assertThat(cache.find(NAMES, 0, 6, String.class)).isNull();
    }

    @Test
    void aValueOfAnotherTypeIsNotFound() {
        cache.remember(NAMES, 0, 6, 42);
        assertThat(cache.find(NAMES, 0, 6, String.class)).isNull();
        assertThat(cache.find(NAMES, 0, 6, Integer.class)).isEqualTo(42);
    }
}
