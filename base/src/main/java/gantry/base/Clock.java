package gantry.base;

/// Tells the time; the only source of it in the core.
///
/// For:   ordering, time limits, and time stamps that go on disk or wire.
/// Owner: none (the real one reads the machine, the simulated one is moved by its scheduler).
/// Never: scheduling; whoever needs to be woken has a `tick`.
public interface Clock {
    /// Monotonic nanoseconds from an arbitrary origin; never goes back.
    long nanos();

    /// Milliseconds since 1970 UTC; may step. Only for stored and displayed time stamps.
    long wallMillis();
}
