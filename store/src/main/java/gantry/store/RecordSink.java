package gantry.store;

import java.nio.ByteBuffer;

/// Takes one stored record.
///
/// For:   `Store.view`.
/// Owner: the caller of `view`.
public interface RecordSink {
    /// @param bytes the record, from position to limit; valid only during this call
    void record(ByteBuffer bytes);
}
