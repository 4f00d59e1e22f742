package gantry.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Shows what a `Sequencer` promises, on one thread: order, limit, slices, afters, failures.
/// What it promises between threads is in `SequencerStressTest`.
class SequencerTest {
    private final List<String> happened = new ArrayList<>();
    private final Queue<Runnable> handedOn = new ArrayDeque<>();
    private final List<Throwable> faults = new ArrayList<>();

    private Sequencer sequencer(int limit, int slice) {
        return new Sequencer("test", limit, slice, handedOn::add, (name, cause) -> faults.add(cause));
    }

    private Runnable note(String what) {
        return () -> happened.add(what);
    }

    @Test
    void idleSequencerRunsTheCommandBeforeSubmitReturns() {
        Sequencer sequencer = sequencer(10, 10);

        assertThat(sequencer.submit(note("a"))).isTrue();
        sequencer.submitAlways(note("b"));

        assertThat(happened).containsExactly("a", "b");
        assertThat(sequencer.isInside()).isFalse();
    }

    @Test
    void commandForAnIdleSequencerRunsAtOnceOrNeverAndBehindAllThatWasSubmittedBefore() {
        Sequencer sequencer = sequencer(10, 10);

        assertThat(sequencer.submitIfIdle(note("a"))).isTrue();
        sequencer.submit(() -> {
            sequencer.submit(note("b"));
            assertThat(sequencer.submitIfIdle(note("never"))).isFalse();
        });
        assertThat(sequencer.submitIfIdle(note("c"))).isTrue();

        assertThat(happened).containsExactly("a", "b", "c");
    }

    @Test
    void commandThatSubmitsToItselfQueuesBehindWhatWaits() {
        Sequencer sequencer = sequencer(10, 10);

        sequencer.submit(() -> {
            sequencer.submit(() -> {
                happened.add("b");
                sequencer.submit(note("d"));
            });
            sequencer.submitAlways(note("c"));
            happened.add("a");
        });

        assertThat(happened).containsExactly("a", "b", "c", "d");
    }

    @Test
    void fullSequencerRefusesExactlyWhatIsAboveItsLimit() {
        Sequencer sequencer = sequencer(3, 10);

        sequencer.submit(() -> {
            for (int i = 0; i < 5; i++) {
                happened.add(i + (sequencer.submit(note("ran " + i)) ? " taken" : " refused"));
            }
            sequencer.submitAlways(note("completion"));
        });

        assertThat(happened)
                .containsExactly(
                        "0 taken",
                        "1 taken",
                        "2 taken",
                        "3 refused",
                        "4 refused",
                        "ran 0",
                        "ran 1",
                        "ran 2",
                        "completion");
        assertThat(sequencer.submit(note("afterwards"))).isTrue();
    }

    @Test
    void placeInTheQueueIsFreeAgainOnceItsCommandStarts() {
        Sequencer sequencer = sequencer(1, 10);

        sequencer.submit(() -> sequencer.submit(() -> happened.add("inner " + sequencer.submit(note("third")))));

        assertThat(happened).containsExactly("inner true", "third");
    }

    @Test
    void fullSliceHandsTheRestOnAndStaysClosedToOthersUntilThen() {
        Sequencer sequencer = sequencer(10, 2);

        sequencer.submit(() -> {
            happened.add("own");
            for (int i = 0; i < 5; i++) {
                sequencer.submit(note("waited " + i));
            }
        });

        assertThat(happened).containsExactly("own", "waited 0", "waited 1");
        sequencer.submit(note("later"));
        assertThat(happened).as("nothing overtakes what was handed on").hasSize(3);
        while (!handedOn.isEmpty()) {
            handedOn.remove().run();
        }
        assertThat(happened)
                .containsExactly("own", "waited 0", "waited 1", "waited 2", "waited 3", "waited 4", "later");
        sequencer.submit(note("idle again"));
        assertThat(happened).last().isEqualTo("idle again");
    }

    @Test
    void fullSliceOnTheLastCommandHandsNothingOn() {
        Sequencer sequencer = sequencer(10, 2);

        sequencer.submit(() -> {
            sequencer.submit(note("a"));
            sequencer.submit(note("b"));
        });

        assertThat(handedOn).isEmpty();
        assertThat(happened).containsExactly("a", "b");
    }

    @Test
    void aftersRunInOrderOnceTheSequencerIsLeft() {
        Sequencer sequencer = sequencer(10, 10);

        sequencer.submit(() -> {
            sequencer.after(() -> happened.add("after a, inside " + sequencer.isInside()));
            sequencer.submit(() -> {
                sequencer.after(note("after b"));
                happened.add("b");
            });
            happened.add("a");
        });

        assertThat(happened).containsExactly("a", "b", "after a, inside false", "after b");
    }

    @Test
    void afterMaySubmitAgain() {
        Sequencer sequencer = sequencer(10, 10);

        sequencer.submit(() -> {
            sequencer.after(() -> sequencer.submit(note("submitted by an after")));
            happened.add("first");
        });

        assertThat(happened).containsExactly("first", "submitted by an after");
    }

    @Test
    void aftersOfAFullSliceRunOnTheThreadThatHandsOn() {
        Sequencer sequencer = sequencer(10, 1);

        sequencer.submit(() -> {
            sequencer.after(note("after"));
            sequencer.submit(note("waited 0"));
            sequencer.submit(note("waited 1"));
        });

        assertThat(happened).containsExactly("waited 0", "after");
        handedOn.remove().run();
        assertThat(happened).containsExactly("waited 0", "after", "waited 1");
    }

    @Test
    void stateTouchedFromOutsideIsABrokenInvariant() {
        Sequencer sequencer = sequencer(10, 10);

        assertThatThrownBy(sequencer::requireInside)
                .isInstanceOf(Invariant.Broken.class)
                .hasMessageContaining("SEQ-1")
                .hasMessageContaining("test");
        assertThatThrownBy(() -> sequencer.after(note("never"))).isInstanceOf(Invariant.Broken.class);
        sequencer.submit(sequencer::requireInside);
        assertThat(faults).isEmpty();
    }

    @Test
    void failedCommandIsToldAndTheNextOneRuns() {
        Sequencer sequencer = sequencer(10, 10);
        IllegalStateException failure = new IllegalStateException("command");
        AssertionError error = new AssertionError("after");

        sequencer.submit(() -> {
            sequencer.after(() -> {
                throw error;
            });
            sequencer.submit(note("next"));
            throw failure;
        });

        assertThat(faults).containsExactly(failure, error);
        assertThat(happened).containsExactly("next");
    }

    @Test
    void refusedHandOverIsToldAndNotAStandstillWithoutAName() {
        RuntimeException refusal = new RuntimeException("no thread left");
        Sequencer sequencer = new Sequencer(
                "test",
                10,
                1,
                work -> {
                    throw refusal;
                },
                (name, cause) -> faults.add(cause));

        sequencer.submit(() -> {
            sequencer.submit(note("in the slice"));
            sequencer.submit(note("beyond it"));
        });

        assertThat(faults).containsExactly(refusal);
        assertThat(happened).containsExactly("in the slice");
    }

    @Test
    void whoeverWaitsForACommandGoesOnOnceItHasRunInItsTurn() throws InterruptedException {
        Sequencer sequencer = sequencer(10, 10);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread holder = new Thread(() -> sequencer.submit(() -> {
            entered.countDown();
            awaitQuietly(goOn);
            happened.add("holder");
        }));
        holder.start();
        entered.await();
        Thread waiter = new Thread(() -> {
            sequencer.runAndWait(note("waiter"));
            happened.add("went on");
        });
        waiter.start();
        goOn.countDown();
        holder.join();
        waiter.join();

        assertThat(happened).containsExactly("holder", "waiter", "went on");
    }

    @Test
    void whoWaitsWithALimitGoesOnWithoutTheCommandWhichRunsInItsTurn() throws InterruptedException {
        Sequencer sequencer = sequencer(10, 10);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread holder = new Thread(() -> sequencer.submit(() -> {
            entered.countDown();
            awaitQuietly(goOn);
            happened.add("holder");
        }));
        holder.start();
        entered.await();

        assertThat(sequencer.runAndWait(note("late"), Duration.ofMillis(20))).isFalse();
        assertThat(happened).isEmpty();
        goOn.countDown();
        holder.join();
        assertThat(happened).containsExactly("holder", "late");
        assertThat(sequencer.runAndWait(note("in time"), Duration.ofSeconds(10)))
                .isTrue();
    }

    @Test
    void nobodyInsideMayWaitForItsOwnSequencer() {
        Sequencer sequencer = sequencer(10, 10);

        sequencer.submit(() -> sequencer.runAndWait(note("never")));

        assertThat(faults).singleElement().isInstanceOf(Invariant.Broken.class);
        assertThat(happened).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
