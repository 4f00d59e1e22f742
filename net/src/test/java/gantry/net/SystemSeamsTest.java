package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Clock;
import gantry.base.Entropy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Shows that the machine's clock and random numbers keep what their seams promise, and that bad limits are refused.
final class SystemSeamsTest {
    @Test
    void theClockNeverGoesBackAndKnowsTheYear() {
        Clock clock = new SystemClock();
        long before = clock.nanos();
        for (int i = 0; i < 1000; i++) {
            long now = clock.nanos();
            assertThat(now - before).isNotNegative();
            before = now;
        }
        assertThat(clock.wallMillis()).isGreaterThan(1_700_000_000_000L);
    }

    @Test
    void everyForkIsAStreamOfItsOwn() {
        Entropy entropy = new SystemEntropy();
        long one = entropy.fork("jitter").nextLong();
        assertThat(entropy.fork("jitter").nextLong()).isNotEqualTo(one);
        assertThat(new SystemEntropy().fork("jitter").nextLong()).isNotEqualTo(one);
    }

    @Test
    void limitsThatContradictEachOtherAreRefusedWithTheirKey() {
        NetConfig good = NetConfig.DEFAULT;
        assertThat(good.idleLimit()).isEqualTo(Duration.ofMinutes(2));
        assertThat(good.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(good.eventLoops()).isBetween(1, 2);
        assertThatThrownBy(() -> good.withEventLoops(0)).hasMessageContaining("net.event-loops");
        assertThatThrownBy(() -> good.withMaxConnections(0)).hasMessageContaining("net.max-connections");
        assertThatThrownBy(() -> withOutbox(2048, 1024, 4096)).hasMessageContaining("net.outbox-hard-bytes");
        assertThatThrownBy(() -> withOutbox(1024, 4096, 2048)).hasMessageContaining("net.outbox-total-bytes");
        assertThatThrownBy(() -> withOutbox(100, 4096, 8192)).hasMessageContaining("net.outbox-high-bytes");
    }

    private static NetConfig withOutbox(int high, int hard, long total) {
        NetConfig d = NetConfig.DEFAULT;
        return new NetConfig(
                1,
                1,
                high,
                hard,
                total,
                d.gatherTotalBytes(),
                d.idleLimit(),
                d.firstFrameLimit(),
                d.connectTimeout(),
                d.drainTimeout(),
                d.stopTimeout());
    }
}
