package gantry.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A stop goes layer by layer, asks everybody, and names what hangs.
class PartsTest {
    private final Parts parts = new Parts();
    private final List<String> stopped = new ArrayList<>();

    @Test
    void layersStopInOrderAndTheYoungestOfALayerFirst() {
        add(Parts.Layer.NETWORK, "network");
        add(Parts.Layer.FOLDER, "folder");
        add(Parts.Layer.SERVICE, "nameserver");
        add(Parts.Layer.STORE, "store");
        add(Parts.Layer.SERVICE, "broker");
        add(Parts.Layer.TICKS, "ticks");
        assertThat(parts.stop(Duration.ofSeconds(60))).isEqualTo(new Parts.Outcome.Clean());
        assertThat(stopped).containsExactly("broker", "nameserver", "ticks", "network", "store", "folder");
    }

    @Test
    void failedPartIsNamedAndTheOthersStopAllTheSame() {
        add(Parts.Layer.FOLDER, "folder");
        parts.add(Parts.Layer.STORE, "the store", () -> {
            throw new IOException("no space");
        });
        assertThat(parts.stop(Duration.ofSeconds(60))).isEqualTo(new Parts.Outcome.Failed(List.of("the store")));
        assertThat(stopped).containsExactly("folder");
    }

    @Test
    void hangingPartIsNamedWhenTheTimeIsUp() {
        CountDownLatch never = new CountDownLatch(1);
        add(Parts.Layer.FOLDER, "folder");
        parts.add(Parts.Layer.NETWORK, "the network", never::await);
        assertThat(parts.stop(Duration.ofMillis(100))).isEqualTo(new Parts.Outcome.Hung("the network"));
        assertThat(stopped).isEmpty();
        never.countDown();
    }

    @Test
    void secondStopFindsNothingLeft() {
        add(Parts.Layer.STORE, "store");
        parts.stop(Duration.ofSeconds(60));
        parts.stop(Duration.ofSeconds(60));
        assertThat(stopped).containsExactly("store");
    }

    private void add(Parts.Layer layer, String name) {
        parts.add(layer, name, () -> stopped.add(name));
    }
}
