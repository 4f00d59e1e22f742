package gantry.broker.replica;

import java.util.SequencedMap;
import java.util.function.Consumer;

/// The broker's folded state and what its store knows besides the log, as named parts.
///
/// For:   a member that copies a leader's whole log.
/// Owner: none; any thread.
public interface StateParts {
    /// Gathers what is confirmed when it is called, or a little more. Its files say which facts they hold; the log
    /// has what came later.
    ///
    /// One of both is told, on a thread that may wait.
    ///
    /// @param failed gets why not
    void gather(Consumer<SequencedMap<String, byte[]>> taker, Consumer<String> failed);
}
