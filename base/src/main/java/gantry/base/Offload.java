package gantry.base;

/// Runs work that may block (cold reads, file deletion, name look-ups) away from the caller.
///
/// For:   keeping event loops and sequencers free of waits.
/// Owner: none; the work comes back as a command to some `Sequencer`.
/// Never: order; two works may run in any order and at once.
public interface Offload {
    void run(Runnable work);
}
