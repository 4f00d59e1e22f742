package gantry.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Shows what a `Sequencer` promises between threads, by beating on one for a few seconds: many threads submit
/// numbered commands, which touch plain fields that only mutual exclusion keeps whole.
class SequencerStressTest {
    private static final int THREADS = 6;
    private static final Duration LONG = Duration.ofMillis(1500);

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Semaphore aftersRun = new Semaphore(0);

    // What follows has no protection but the sequencer.
    private final long[] lastOf = new long[THREADS];
    private int depth;
    private long ran;
    private int aftersAsked;

    @Test
    void commandsOfManyThreadsNeverOverlapAndKeepTheOrderOfTheirThread() throws InterruptedException {
        beat(Integer.MAX_VALUE, Sequencer.DEFAULT_SLICE_COMMANDS);
        assertThat(refused.get()).isZero();
    }

    @Test
    void handingOnEverySecondCommandKeepsThemApartAndInOrder() throws InterruptedException {
        beat(1000, 1);
    }

    @Test
    void fullSequencerKeepsItsLimitAndLosesNothingThatItTook() throws InterruptedException {
        beat(1, 2);
        assertThat(refused.get()).as("the limit was met").isPositive();
    }

    private void beat(int limit, int slice) throws InterruptedException {
        Sequencer sequencer = new Sequencer(
                "stress",
                limit,
                slice,
                work -> Thread.ofVirtual().start(work),
                (name, cause) -> wrong.add(name + ": " + cause));
        long end = System.nanoTime() + LONG.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int self = i;
            threads.add(Thread.ofPlatform().start(() -> submitUntil(end, self, sequencer, limit)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        CountDownLatch last = new CountDownLatch(1);
        sequencer.submitAlways(last::countDown);
        assertThat(last.await(10, TimeUnit.SECONDS)).as("the last command runs").isTrue();

        assertThat(wrong.stream().distinct().limit(5)).isEmpty();
        assertThat(ran).isEqualTo(taken.get());
        assertThat(aftersRun.tryAcquire(aftersAsked, 10, TimeUnit.SECONDS))
                .as("every after runs")
                .isTrue();
        assertThat(aftersRun.availablePermits()).as("no after runs twice").isZero();
    }

    private void submitUntil(long end, int self, Sequencer sequencer, int limit) {
        long number = 1;
        long tries = 0;
        while (System.nanoTime() < end) {
            long mine = number;
            if (sequencer.submit(() -> run(sequencer, self, mine, limit))) {
                number++;
                taken.incrementAndGet();
            } else {
                refused.incrementAndGet();
            }
            // Idle now and then: races live on the way from running to idle and back.
            if (++tries % 64 == 0) {
                LockSupport.parkNanos(1000);
            }
        }
    }

    private void run(Sequencer sequencer, int self, long number, int limit) {
        depth++;
        if (depth != 1) {
            wrong.add("SEQ-1 two commands overlap");
        }
        sequencer.requireInside();
        if (lastOf[self] != number - 1) {
            wrong.add("SEQ-2 a command of a thread does not follow the one that it submitted before");
        }
        lastOf[self] = number;
        ran++;
        // Both counts lag behind the truth in our favour: what is above the limit here was above it.
        if (taken.get() - ran > limit) {
            wrong.add("SEQ-3 more commands wait than the limit allows");
        }
        if (number % 3 == 0) {
            aftersAsked++;
            sequencer.after(() -> {
                if (sequencer.isInside()) {
                    wrong.add("an after ran inside");
                }
                aftersRun.release();
            });
        }
        depth--;
    }
}
