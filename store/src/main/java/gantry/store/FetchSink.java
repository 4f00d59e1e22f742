package gantry.store;

import java.nio.ByteBuffer;
import java.util.List;

/// Takes the records that a fetch found.
///
/// For:   handing stored bytes to a link without copying them first.
/// Owner: the caller of `fetch`.
public interface FetchSink {
    /// Told once, before `fetch` returns, and only when the status is FOUND.
    ///
    /// @param fetch what `fetch` is going to return
    /// @param ranges whole records in queue order, each range from position to limit, as few ranges as possible;
    ///        valid only during this call
    void found(Fetch fetch, List<ByteBuffer> ranges);
}
