package gantry.wire.message;

import java.nio.ByteBuffer;

/// Encodes one stored message.
///
/// For:   turning a draft into the bytes that the log, the replicas and the consumers get; `MessageLayout` says where.
/// Owner: none (stateless; the draft and the buffer belong to the caller).
/// Never: queueOffset, logOffset and storeMillis, which the log puts in with `number`.
public final class RecordWriter {
    public static final int NO_ROOM = -1;
    public static final int TOPIC_TOO_LONG = -2;
    public static final int PROPERTIES_TOO_LONG = -3;

    private RecordWriter() {}

    /// The size the draft will have; not limited to what fits a record.
    public static long sizeOf(RecordDraft draft) {
        return 0;
    }

    /// Writes at the buffer's position, which moves behind the record.
    ///
    /// @return the record's size, or one of the negative constants above, and then nothing was written
    public static int write(ByteBuffer into, RecordDraft draft) {
        return 0;
    }

    /// Puts the log's numbers into the record that starts at `start`.
    public static void number(ByteBuffer at, int start, long queueOffset, long logOffset, long storeMillis) {}
}
