package gantry.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import gantry.base.Notices;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// An event loop that hangs is named, with the line it hangs in, and so is its return.
class WatchdogTest {
    private final Logger log = (Logger) LoggerFactory.getLogger(Watchdog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.setLevel(ch.qos.logback.classic.Level.INFO);
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(lines);
    }

    @Test
    void stuckEventLoopIsNamedWithItsPlaceAndItsReturnIsTold() throws Exception {
        Notices quiet = (level, text) -> {};
        CountDownLatch release = new CountDownLatch(1);
        try (NettyNetwork network = new NettyNetwork(NetConfig.DEFAULT.withEventLoops(2), quiet, (name, cause) -> {});
                Watchdog watchdog = new Watchdog(Duration.ofMillis(300), Duration.ofMillis(50))) {
            watchdog.watch("loop 0", answer -> network.probe(0, answer));
            watchdog.watch("loop 1", answer -> network.probe(1, answer));
            CountDownLatch known = new CountDownLatch(1);
            watchdog.watch("the first round", answer -> known.countDown());
            watchdog.start();
            known.await();
            network.probe(1, thread -> hangUntil(release));

            await().atMost(Duration.ofSeconds(30)).until(() -> told("loop 1 has not answered"));
            assertThat(messages()).anySatisfy(line -> assertThat(line).contains("WatchdogTest.hangUntil"));
            assertThat(told("loop 0 has not answered")).isFalse();
            await().until(() -> watchdog.stalled().stream().anyMatch(one -> one.startsWith("loop 1 has not answered")));

            release.countDown();
            await().atMost(Duration.ofSeconds(30)).until(() -> told("loop 1 answers again"));
            await().until(() -> watchdog.stalled().stream().noneMatch(one -> one.startsWith("loop 1")));
        }
    }

    private static void hangUntil(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean told(String part) {
        return messages().stream().anyMatch(line -> line.contains(part));
    }

    private List<String> messages() {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
