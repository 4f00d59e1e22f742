package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Shows that works run at once up to the limit and not beyond, and that none is lost, faults included.
final class ThreadOffloadTest {
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final ThreadOffload offload =
            new ThreadOffload("cold reads", 3, (level, text) -> notices.add(level + " " + text));

    @Test
    void atMostTheLimitRunsAtOnceAndAllRun() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        CountDownLatch threeInside = new CountDownLatch(3);
        for (int i = 0; i < 500; i++) {
            offload.run(() -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                threeInside.countDown();
                awaitQuietly(threeInside);
                inside.decrementAndGet();
                done.incrementAndGet();
            });
        }
        await().until(() -> done.get() == 500 && offload.pending() == 0);
        assertThat(most).hasValue(3);
        assertThat(notices).isEmpty();
    }

    @Test
    void worksRunOnNamedThreadsThatKeepNoProcessAlive() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        offload.run(() -> threads.add(Thread.currentThread()));
        await().until(() -> threads.size() == 1);
        assertThat(threads.getFirst().isDaemon()).isTrue();
        assertThat(threads.getFirst().isVirtual()).isFalse();
        assertThat(threads.getFirst().getName()).isEqualTo("cold reads-1");
    }

    @Test
    void aWorkThatThrowsIsToldAndTakesNobodysPlace() {
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            offload.run(() -> {
                throw new IllegalStateException("broken work");
            });
            offload.run(done::incrementAndGet);
        }
        await().until(() -> done.get() == 20 && offload.pending() == 0);
        assertThat(notices.getFirst())
                .startsWith("ALARM a work of \"cold reads\" failed")
                .contains("broken work");
    }

    @Test
    void aLongQueueIsTold() {
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < 3 + ThreadOffload.LONG_QUEUE_WORKS + 10; i++) {
            offload.run(() -> awaitQuietly(release));
        }
        assertThat(notices).hasSize(1);
        assertThat(notices.getFirst()).startsWith("WARN \"cold reads\" is behind: 1024 works wait while 3 run");
        release.countDown();
        await().until(() -> offload.pending() == 0);
    }

    @Test
    void aWorkThatHangsIsNamedOnceWithItsPlaceAndSoIsItsEndWhileOthersGoOn() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        ThreadOffload watched =
                new ThreadOffload("disk", 2, Duration.ofMillis(50), (level, text) -> notices.add(level + " " + text));
        watched.run(() -> awaitQuietly(release));
        for (int i = 0; i < 100; i++) {
            watched.run(others::incrementAndGet);
        }
        await().until(() -> others.get() == 100);
        await().until(() -> {
            watched.tick();
            return !notices.isEmpty();
        });
        watched.tick();
        assertThat(notices)
                .singleElement()
                .asString()
                .startsWith("ALARM A work of \"disk\" has not come back for")
                .contains("awaitQuietly");
        assertThat(watched.stalled()).startsWith("a work of \"disk\" has not come back for");

        release.countDown();
        await().until(() -> watched.pending() == 0);
        watched.tick();
        watched.tick();
        assertThat(notices).hasSize(2).last().asString().startsWith("OVER A work of \"disk\" that hung has come back");
        assertThat(watched.stalled()).isNull();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
