package gantry.server.node;

import gantry.base.Image;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks everything that must never wait for a sign of life, and names what gives none.
///
/// For:   a stuck event loop is in the log, with the place where it is stuck, before ten seconds have gone by.
///        (The ticker watches its own ticks.)
/// Owner: its thread.
/// Never: ends or interrupts anything.
final class Watchdog implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(8);

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration ROUND = Duration.ofSeconds(1);

    /// Something that answers at once when it is well.
    interface Probe {
        /// @param answer to be told the thread that answers, on that thread
        void ask(Consumer<Thread> answer);
    }

    /// One thing that is watched; only `answered` is written by others than the watchdog.
    private static final class Watched {
        final String name;
        final Probe probe;
        final Image<Answer> answered = new Image<>(new Answer(0, null));
        long asked;
        long askedNanos;
        boolean told;

        Watched(String name, Probe probe) {
            this.name = name;
            this.probe = probe;
        }
    }

    /// @param round the question that this answers
    private record Answer(long round, @Nullable Thread by) {}

    private final long limitNanos;
    private final Duration round;
    private final List<Watched> all = new ArrayList<>();
    private final Image<List<String>> stalled = new Image<>(List.of());
    private final Thread thread = Thread.ofPlatform().name("watchdog").daemon().unstarted(this::run);

    Watchdog() {
        this(LIMIT, ROUND);
    }

    Watchdog(Duration limit, Duration round) {
        this.limitNanos = limit.toNanos();
        this.round = round;
    }

    /// Before `start`.
    void watch(String name, Probe probe) {
        all.add(new Watched(name, probe));
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                all.forEach(this::look);
                stalled.publish(all.stream()
                        .filter(one -> one.told)
                        .map(Watchdog::sentence)
                        .toList());
                Thread.sleep(round);
            }
        } catch (InterruptedException e) {
            // `close` ends it.
            return;
        }
    }

    /// What gives no sign of life now, a sentence each; asked on any thread.
    List<String> stalled() {
        return stalled.read();
    }

    private static String sentence(Watched one) {
        return one.name + " has not answered for "
                + Duration.ofNanos(System.nanoTime() - one.askedNanos).toSeconds() + " s, and everything on it waits";
    }

    private void look(Watched one) {
        long now = System.nanoTime();
        if (one.answered.read().round() == one.asked) {
            if (one.told) {
                one.told = false;
                LOG.info(
                        ConsoleLogging.OVER,
                        "{} answers again after {} s",
                        one.name,
                        Duration.ofNanos(now - one.askedNanos).toSeconds());
            }
            long next = one.asked + 1;
            one.asked = next;
            one.askedNanos = now;
            one.probe.ask(by -> one.answered.publish(new Answer(next, by)));
        } else if (!one.told && now - one.askedNanos > limitNanos) {
            one.told = true;
            LOG.error(
                    "{} has not answered for {} s, and everything on it waits. If this stays, restart the process; it"
                            + " is at:{}",
                    one.name,
                    Duration.ofNanos(now - one.askedNanos).toSeconds(),
                    Stacks.of(one.answered.read().by()));
        }
    }
}
