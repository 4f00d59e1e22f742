package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The messages that a key query has found so far.
///
/// For:   letting the stored message decide whether it is one that was asked for.
/// Owner: the index sequencer, for one query.
/// Never: a message that is not confirmed, has another topic or key, or was stored at another time.
final class IndexFound implements IndexSearch.Hits {
    /// An answer does not grow beyond this: official clients take frames of 16 MiB.
    static final int MOST_BYTES = 8 << 20;

    private final KeyQuery query;
    private final Segments segments;
    private final long confirmed;
    private final byte[] topic;
    private final byte[] key;
    private final RecordView view = new RecordView();
    private final RecordKeys keys = new RecordKeys();
    private final List<ByteBuffer> records = new ArrayList<>();
    private final List<Segment> taken = new ArrayList<>();
    private long last = -1;
    private int sizeBytes;

    IndexFound(KeyQuery query, Segments segments, long confirmed) {
        this.query = query;
        this.segments = segments;
        this.confirmed = confirmed;
        this.topic = query.topic().getBytes(StandardCharsets.UTF_8);
        this.key = query.key().getBytes(StandardCharsets.UTF_8);
    }

    List<ByteBuffer> records() {
        return records;
    }

    void giveBack() {
        taken.forEach(Segment::giveBack);
        taken.clear();
    }

    @Override
    public boolean take(long logOffset) {
        Segment segment =
                logOffset == last || logOffset < 0 || logOffset >= confirmed ? null : segments.find(logOffset);
        if (segment == null || !segment.take()) {
            return true;
        }
        int at = (int) (logOffset - segment.base());
        if (!isWanted(segment, at, logOffset)) {
            segment.giveBack();
            return true;
        }
        if (!records.isEmpty() && sizeBytes + view.size() > MOST_BYTES) {
            segment.giveBack();
            return false;
        }
        taken.add(segment);
        last = logOffset;
        sizeBytes += view.size();
        records.add(segment.bytes().slice(at, view.size()));
        return records.size() < query.maxCount();
    }

    private boolean isWanted(Segment segment, int at, long logOffset) {
        ByteBuffer bytes = segment.bytes();
        return view.wrap(bytes, at, bytes.capacity(), false) == Check.OK
                && view.logOffset() == logOffset
                && view.storeMillis() >= query.beginMillis()
                && view.storeMillis() <= query.endMillis()
                && view.topicEquals(topic)
                && keys.has(bytes, view, query, key);
    }
}
