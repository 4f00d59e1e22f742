package gantry.client.pull;

import gantry.client.call.CallFailed;
import gantry.client.pull.SimplePuller.Queue;
import gantry.wire.message.MessageFlags;
import gantry.wire.message.RecordView;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Undoes the compression of a body.
///
/// For:   zlib, which is what senders use unless told otherwise.
/// Owner: none (stateless).
/// Never: more than `MOST_BYTES`, whatever the compressed bytes say.
final class Inflated {
    private static final int MOST_BYTES = 64 * 1024 * 1024;

    private Inflated() {}

    static byte[] body(Queue queue, RecordView record) throws CallFailed {
        if (!MessageFlags.isCompressed(record.flags())) {
            return record.body();
        }
        int kind = record.flags() & MessageFlags.COMPRESSION_MASK;
        if (kind != 0 && kind != MessageFlags.COMPRESSION_ZLIB) {
            throw unreadable(queue, record, "is compressed with LZ4 or ZSTD, which this client does not read yet");
        }
        try {
            return inflate(record.body());
        } catch (DataFormatException e) {
            throw unreadable(queue, record, "is not what zlib makes: " + e.getMessage());
        }
    }

    private static byte[] inflate(byte[] compressed) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(compressed);
            ByteArrayOutputStream out = new ByteArrayOutputStream(4 * compressed.length);
            byte[] part = new byte[8192];
            while (!inflater.finished()) {
                int count = inflater.inflate(part);
                if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new DataFormatException("it ends too early");
                }
                if (out.size() + count > MOST_BYTES) {
                    throw new DataFormatException("it is larger than " + MOST_BYTES + " bytes");
                }
                out.write(part, 0, count);
            }
            return out.toByteArray();
        } finally {
            inflater.end();
        }
    }

    private static CallFailed unreadable(Queue queue, RecordView record, String how) {
        return new CallFailed(
                "the body of message " + record.queueOffset() + " of queue " + queue.queueId() + " of \""
                        + queue.topic() + "\" " + how,
                CallFailed.NO_ANSWER);
    }
}
