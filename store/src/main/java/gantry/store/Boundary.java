package gantry.store;

/// Which of the messages around a time is meant.
///
/// For:   `Store.offsetAt`.
/// Owner: none (immutable).
public enum Boundary {
    /// The first stored at or after the time; `maxOffset` when there is none.
    LOWER,
    /// The last stored at or before the time; `minOffset` when there is none.
    UPPER
}
