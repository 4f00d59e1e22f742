package gantry.broker.replica;

/// What has to be done to a closed store before a member can go on.
///
/// For:   whoever closes and opens the store: the process, or the simulated house.
/// Owner: none (immutable).
public sealed interface Reopening {
    /// The log is cut back so that it ends at `end`; what is above is kept aside.
    record CutBack(long end) implements Reopening {}
}
