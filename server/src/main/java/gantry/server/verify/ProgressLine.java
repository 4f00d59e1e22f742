package gantry.server.verify;

import gantry.base.Clock;
import gantry.store.StoreVerifier;
import java.io.PrintWriter;

/// Shows how far a long check has come.
///
/// For:   a person who waits: bytes done and in all, the rate, the time left.
/// Owner: the main thread.
/// Never: on the output that a script reads; more than the terminal's one line, or a line in ten seconds elsewhere.
public final class ProgressLine implements StoreVerifier.Progress {
    private static final long TERMINAL_NANOS = 200_000_000L;
    private static final long PLAIN_NANOS = 10_000_000_000L;
    private static final double MEBIBYTE = 1 << 20;
    private static final double SECOND = 1e9;

    private final PrintWriter to;
    private final Clock clock;
    private final boolean terminal;
    private final long startNanos;
    private long toldNanos;
    private boolean open;

    /// @param terminal whether a line may be written over
    public ProgressLine(PrintWriter to, Clock clock, boolean terminal) {
        this.to = to;
        this.clock = clock;
        this.terminal = terminal;
        this.startNanos = clock.nanos();
        this.toldNanos = startNanos;
    }

    @Override
    public void reached(long doneBytes, long totalBytes) {
        long now = clock.nanos();
        if (now - toldNanos < (terminal ? TERMINAL_NANOS : PLAIN_NANOS)) {
            return;
        }
        toldNanos = now;
        String line = line(doneBytes, totalBytes, (now - startNanos) / SECOND);
        if (terminal) {
            to.print("\r" + line + "\u001b[K");
            open = true;
        } else {
            to.println(line);
        }
        to.flush();
    }

    /// Leaves the terminal as if it had never been there.
    public void end() {
        if (open) {
            to.print("\r\u001b[K");
            to.flush();
            open = false;
        }
    }

    static String line(long doneBytes, long totalBytes, double seconds) {
        double rate = doneBytes / Math.max(seconds, 0.001);
        long left = Math.round((totalBytes - doneBytes) / Math.max(rate, 1));
        return "checked %.0f of %.0f MiB (%d %%), %.0f MiB/s, %d:%02d left"
                .formatted(
                        doneBytes / MEBIBYTE,
                        totalBytes / MEBIBYTE,
                        totalBytes == 0 ? 100 : doneBytes * 100 / totalBytes,
                        rate / MEBIBYTE,
                        left / 60,
                        left % 60);
    }
}
