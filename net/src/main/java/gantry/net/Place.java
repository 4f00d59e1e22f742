package gantry.net;

/// Where a thread is, for an operator who reads of a stall.
///
/// For:   notices about something that hangs.
/// Owner: none (stateless).
final class Place {
    private static final int FRAMES = 8;

    private Place() {}

    /// The innermost calls, a line each.
    static String of(Thread thread) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] trace = thread.getStackTrace();
        for (int i = 0; i < Math.min(trace.length, FRAMES); i++) {
            text.append("\n    ").append(trace[i]);
        }
        return text.toString();
    }
}
