package gantry.wire.frame;

/// The bits of a frame's `flag`.
///
/// For:   telling answers from requests, and requests that want no answer.
/// Owner: none (constants).
/// Never: a message's user flag or its `MessageFlags`.
public final class FrameFlags {
    /// A request that wants an answer.
    public static final int REQUEST = 0;

    public static final int ANSWER = 1;
    public static final int ONEWAY = 2;

    private FrameFlags() {}

    public static boolean isAnswer(int flags) {
        return (flags & ANSWER) != 0;
    }

    public static boolean isOneway(int flags) {
        return (flags & ONEWAY) != 0;
    }
}
