package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Shows that ticks come on one thread, go on after a fault, and that one that hangs is named while it hangs.
final class TickerTest {
    private final List<String> notices = new CopyOnWriteArrayList<>();

    @Test
    void allTicksComeOnOneThreadAgainAndAgain() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger quick = new AtomicInteger();
        AtomicInteger slow = new AtomicInteger();
        try (Ticker ticker = new Ticker("ticks", (level, text) -> notices.add(text))) {
            ticker.every(Duration.ofMillis(1), "quick", () -> {
                threads.add(Thread.currentThread());
                quick.incrementAndGet();
            });
            ticker.every(Duration.ofMillis(20), "slow", () -> {
                threads.add(Thread.currentThread());
                slow.incrementAndGet();
            });
            await().until(() -> slow.get() >= 3);
            assertThat(quick.get()).isGreaterThanOrEqualTo(slow.get());
        }
        assertThat(threads).hasSize(1);
        assertThat(threads.iterator().next().isDaemon()).isTrue();
        assertThat(notices).isEmpty();
    }

    @Test
    void aTickThatThrowsIsToldOnceAndCalledAgain() {
        AtomicInteger calls = new AtomicInteger();
        try (Ticker ticker = new Ticker("ticks", (level, text) -> notices.add(level + " " + text))) {
            ticker.every(Duration.ofMillis(1), "store", () -> {
                calls.incrementAndGet();
                throw new IllegalStateException("broken tick");
            });
            await().until(() -> calls.get() >= 20);
        }
        assertThat(notices.getFirst())
                .startsWith("ALARM the tick of \"store\" failed with")
                .contains("broken tick");
        assertThat(notices).hasSizeLessThan(5);
    }

    @Test
    void aTickThatHangsIsNamedWhileItHangsAndWhenItIsOver() {
        CountDownLatch release = new CountDownLatch(1);
        try (Ticker ticker =
                new Ticker("ticks", Duration.ofMillis(50), (level, text) -> notices.add(level + " " + text))) {
            ticker.every(Duration.ofMillis(1), "stuck", () -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            await().until(() -> !notices.isEmpty());
            assertThat(notices.getFirst())
                    .startsWith("ALARM the tick of \"stuck\" has been running for")
                    .contains("CountDownLatch.await");
            assertThat(ticker.stalled()).startsWith("the tick of \"stuck\" has been running for");
            release.countDown();
            await().until(() -> notices.size() >= 2);
            assertThat(notices.get(1)).startsWith("OVER the tick of \"stuck\" that hung has returned");
            await("a tick that returns").until(() -> ticker.stalled() == null);
        }
    }

    /// A thread that is interrupted while it writes a file loses the file.
    @Test
    void aTickThatRunsWhileTheTickerClosesIsNotInterrupted() {
        CountDownLatch running = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        Ticker ticker = new Ticker("ticks", Duration.ofMillis(50), (level, text) -> notices.add(text));
        ticker.every(Duration.ofMillis(1), "store", () -> {
            running.countDown();
            while (!closed.get()) {
                Thread.onSpinWait();
            }
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        await().until(() -> running.getCount() == 0);
        ticker.close();
        closed.set(true);

        await().until(() -> interrupted.get() != null);
        assertThat(interrupted).hasValue(false);
    }

    @Test
    void afterCloseNoTickComesAndNoThreadIsLeft() {
        AtomicInteger calls = new AtomicInteger();
        Ticker ticker = new Ticker("gone", (level, text) -> notices.add(text));
        ticker.every(Duration.ofMillis(1), "count", calls::incrementAndGet);
        await().until(() -> calls.get() > 0);
        ticker.close();
        int after = calls.get();
        assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
                .noneMatch(name -> name.startsWith("gone"));
        assertThat(calls).hasValue(after);
    }
}
