package gantry.wire.header;

/// The bits of a pull request's `sysFlag`.
///
/// For:   naming what a pull asks for besides messages.
/// Owner: none (constants).
/// Never: message, frame or topic flags.
public final class PullFlags {
    /// `commitOffset` is valid: store it as the group's progress.
    public static final int COMMIT_OFFSET = 0x1;

    /// The answer may wait until there is something.
    public static final int SUSPEND = 0x2;

    /// The request carries the subscription itself.
    public static final int SUBSCRIPTION = 0x4;

    public static final int CLASS_FILTER = 0x8;
    public static final int LITE_PULL = 0x10;

    private PullFlags() {}

    public static boolean has(int flags, int bit) {
        return (flags & bit) != 0;
    }
}
