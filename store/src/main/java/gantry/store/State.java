package gantry.store;

/// Whether the store takes appends.
///
/// For:   health, and answers to refused sends.
/// Owner: none (immutable); published by the log sequencer.
///
/// ```
///   Serving ── failed write or sync that leaves doubt ──▶ Fenced ── close ──▶ Closed
///      └────────────────────────── close ─────────────────────────────────────▲
/// ```
/// Reads go on in every state but Closed.
public sealed interface State {
    record Serving() implements State {}

    /// @param reason file, what happened, and what to do
    record Fenced(String reason) implements State {}

    record Closed() implements State {}
}
