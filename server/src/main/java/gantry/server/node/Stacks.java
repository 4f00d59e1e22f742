package gantry.server.node;

import org.jspecify.annotations.Nullable;

/// Where a thread is, in a few lines.
///
/// For:   log lines about something that hangs.
/// Owner: none (stateless).
final class Stacks {
    private static final int MOST_FRAMES = 16;

    private Stacks() {}

    static String of(@Nullable Thread thread) {
        if (thread == null) {
            return " (its thread is not known)";
        }
        StringBuilder text = new StringBuilder();
        StackTraceElement[] trace = thread.getStackTrace();
        for (int i = 0; i < Math.min(trace.length, MOST_FRAMES); i++) {
            text.append("\n    ").append(trace[i]);
        }
        return text.toString();
    }
}
