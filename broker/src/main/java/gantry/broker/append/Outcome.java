package gantry.broker.append;

import gantry.store.Refusal;
import org.jspecify.annotations.Nullable;

/// Told what became of one record.
///
/// For:   going on after an append.
/// Owner: whoever appended; called once, on any thread, also inside the log sequencer: so it submits, and does
///        not work.
@FunctionalInterface
public interface Outcome {
    Outcome IGNORED = refusal -> {};

    /// @param refusal null when the record is confirmed
    void done(@Nullable Refusal refusal);
}
