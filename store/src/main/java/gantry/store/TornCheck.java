package gantry.store;

import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;

/// Looks for holes that a loss of power left in a record.
///
/// For:   the parts of a record that no checksum covers: topic and properties. (Holes in front of them make the sizes
///        of the record wrong, holes in the body its checksum.)
/// Owner: none (stateless).
/// Never: needed for bytes that were synced.
///
/// The bytes behind the log's end are always zero, so what did not get to the disk is zero: from some place to the
/// record's end, or whole sectors. A property that a producer filled with zeros is taken for a hole only if it fills
/// a sector's whole share of the properties, or ends them.
final class TornCheck {
    private static final int SECTOR_BYTES = 512;

    private TornCheck() {}

    /// @param bytes a segment, so that indices tell where sectors begin
    static boolean isTorn(ByteBuffer bytes, RecordView record) {
        int topicEnd = record.topicOffset() + record.topicLength();
        for (int i = record.topicOffset(); i < topicEnd; i++) {
            if (bytes.get(i) == 0) {
                return true;
            }
        }
        int from = record.propertiesOffset();
        int end = from + record.propertiesLength();
        boolean torn = from < end && bytes.get(end - 1) == 0;
        while (from < end && !torn) {
            int to = Math.min(end, from / SECTOR_BYTES * SECTOR_BYTES + SECTOR_BYTES);
            torn = allZero(bytes, from, to);
            from = to;
        }
        return torn;
    }

    private static boolean allZero(ByteBuffer bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
