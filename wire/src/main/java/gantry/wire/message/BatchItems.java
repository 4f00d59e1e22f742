package gantry.wire.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Goes through the messages in the body of a batch send.
///
/// ```
///   0        4     8     12       16          20                             (each item, big-endian)
///   ┌────────┬─────┬─────┬────────┬───────────┬────── … ┬─────────────────┬────── … ┐
///   │ length │ 0   │ 0   │ flag   │ bodyLength│ body    │ propsLength (2) │ props   │
///   └────────┴─────┴─────┴────────┴───────────┴────── … ┴─────────────────┴────── … ┘
/// ```
/// For:   making one record of each item; the whole body is checked before the first is given out.
/// Owner: one session; it stands for the last body that it wrapped.
/// Never: throws; allocates.
public final class BatchItems {
    /// @return how many items there are, -1 when the body is malformed, and `fault` says how
    public int wrap(ByteBuffer bytes, int offset, int length) {
        return 0;
    }

    public @Nullable String fault() {
        return null;
    }

    /// Moves to the next item; false behind the last.
    public boolean next() {
        return false;
    }

    public int userFlag() {
        return 0;
    }

    /// Absolute, in the wrapped buffer.
    public int bodyOffset() {
        return 0;
    }

    public int bodyLength() {
        return 0;
    }

    public int propertiesOffset() {
        return 0;
    }

    public int propertiesLength() {
        return 0;
    }
}
