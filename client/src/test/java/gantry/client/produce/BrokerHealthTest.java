package gantry.client.produce;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Shows when a broker is left out, and how it comes back.
final class BrokerHealthTest {
    private static final Endpoint A = new Endpoint("a", 1);
    private static final Endpoint B = new Endpoint("b", 1);

    private final BrokerHealth health = new BrokerHealth();
    private long now = 1_000_000_000_000L;

    private static long millis(long count) {
        return Duration.ofMillis(count).toNanos();
    }

    @Test
    void aBrokerThatFailedIsLeftOutTwiceAsLongEachTime() {
        for (long seconds : new long[] {1, 2, 4, 8, 15, 15}) {
            health.failed(A, now);
            now += millis(seconds * 1000 - 1);
            assertThat(health.isWell(A, now)).isFalse();
            now += millis(1);
            assertThat(health.isWell(A, now)).isTrue();
            health.begins(A);
        }
    }

    @Test
    void afterItsTimeOneRequestIsLetThroughAndItsAnswerDecides() {
        health.failed(A, now);
        now += millis(1000);
        assertThat(health.isWell(A, now)).isTrue();
        health.begins(A);
        assertThat(health.isWell(A, now)).as("one probe is enough").isFalse();
        health.answered(A, millis(3), now);
        assertThat(health.isWell(A, now)).isTrue();
    }

    @Test
    void aBrokerMuchSlowerThanTheOthersIsLeftOutForAWhile() {
        health.answered(A, millis(5), now);
        health.answered(B, millis(5), now);
        health.answered(A, millis(700), now);
        assertThat(health.isWell(A, now)).isFalse();
        assertThat(health.isWell(B, now)).isTrue();
        now += millis(1400);
        assertThat(health.isWell(A, now)).isTrue();
    }

    @Test
    void aBrokerIsNotSlowWhereAllAre() {
        for (int i = 0; i < 50; i++) {
            health.answered(A, millis(700), now);
            health.answered(B, millis(700), now);
        }
        assertThat(health.isWell(A, now)).isTrue();
    }

    @Test
    void aBrokerGetsEightTimesItsUsualTime() {
        assertThat(health.patience(A)).isEqualTo(Duration.ofMillis(600));
        health.answered(A, millis(200), now);
        assertThat(health.patience(A)).isEqualTo(Duration.ofMillis(1600));
        health.answered(B, millis(400), now);
        assertThat(health.patience(B)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aSlowBrokerIsTriedBeforeOneThatFails() {
        health.answered(B, millis(5), now);
        health.answered(A, millis(5_000), now);
        health.failed(B, now);
        assertThat(health.isWell(A, now)).isFalse();
        assertThat(health.lessUnwell(A, B)).isEqualTo(A);
        assertThat(health.lessUnwell(B, A)).isEqualTo(A);
        health.failed(A, now);
        health.failed(A, now);
        assertThat(health.lessUnwell(A, B)).isEqualTo(B);
    }
}
