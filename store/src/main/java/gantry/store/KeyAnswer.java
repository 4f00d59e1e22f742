package gantry.store;

import java.nio.ByteBuffer;
import java.util.List;

/// Takes what a key query found.
///
/// For:   `Store.query`; exactly one of the two is called, maybe on another thread and later.
/// Owner: whoever asks.
public interface KeyAnswer {
    /// @param records the messages, newest first; valid only during this call; empty when there is none
    /// @param indexedMillis when the last indexed message was stored
    /// @param indexedOffset up to where the log is indexed
    void found(List<ByteBuffer> records, long indexedMillis, long indexedOffset);

    /// @param why a sentence for whoever asked
    void refused(String why);
}
