package gantry.wire.frame;

/// Ordinals of the peers' releases that make a difference, as they stand in a frame's `version`.
///
/// For:   deciding what a peer understands, and saying what we are.
/// Owner: none (constants).
/// Never: our own release number.
public final class Versions {
    /// The first whose clients want the route as standard JSON.
    public static final int V4_9_4 = 401;

    public static final int V4_9_8 = 409;

    /// The first whose compressed registration has a section of queue mappings.
    public static final int V5_0_0 = 413;

    /// Later ones understand `GO_AWAY`.
    public static final int V5_3_1 = 475;

    public static final int V5_5_0 = 513;

    /// What we say we are: peers then use what we can do.
    public static final int OURS = V5_5_0;

    private Versions() {}
}
