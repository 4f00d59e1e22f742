package gantry.judges.court;

import gantry.judges.program.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The lines that a process has printed, as they arrive.
///
/// For:   waiting until something has been said.
/// Owner: the process's reader thread adds; any thread reads.
/// Never: a wait without an end.
final class Transcript {
    private final List<Line> lines = new ArrayList<>();
    private boolean ended;

    synchronized void add(Line line) {
        lines.add(line);
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized List<Line> lines() {
        return List.copyOf(lines);
    }

    /// @param search asked after every line; its first answer that is not null ends the wait
    /// @return null when the time was up or the process ended before
    synchronized <T> @Nullable T await(Function<List<Line>, @Nullable T> search, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            T found = search.apply(lines);
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            if (found != null || leftMillis <= 0 || ended) {
                return found;
            }
            try {
                wait(leftMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    /// The last lines, for the message of a failure.
    synchronized String tail(int count) {
        return lines.subList(Math.max(0, lines.size() - count), lines.size()).stream()
                .map(Line::toString)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
    }
}
