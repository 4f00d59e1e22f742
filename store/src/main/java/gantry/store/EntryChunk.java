package gantry.store;

import java.nio.ByteBuffer;

/// A run of queue entries in memory, in their form on disk.
///
/// ```
///   0              8       12              20
///   ┌──────────────┬───────┬───────────────┐
///   │  logOffset   │ size  │   tagsCode    │  × capacity
///   └──────────────┴───────┴───────────────┘
/// ```
/// For:   serving the newest messages without a file, and gathering entries to be written in blocks.
/// Owner: the log sequencer fills it and ties the next one to it. Others may look at entries below the queue's
///        `maxOffset`, whose publication makes them (and `next`) visible.
/// Never: changes an entry that was put in.
final class EntryChunk {
    static final int ENTRY_BYTES = 20;
    static final int SIZE_AT = 8;
    static final int TAGS_AT = 12;

    /// Stands for "nothing in memory": every offset lies before it.
    static final EntryChunk NONE = new EntryChunk(Long.MAX_VALUE, 0);

    final long base;
    final int capacity;
    private final ByteBuffer entries;
    private int count;
    private EntryChunk next = this;

    EntryChunk(long base, int capacity) {
        this.base = base;
        this.capacity = capacity;
        this.entries = ByteBuffer.allocate(capacity * ENTRY_BYTES);
    }

    boolean isFull() {
        return count == capacity;
    }

    /// The offset behind the last entry.
    long end() {
        return base + count;
    }

    void put(long logOffset, int size, long tagsCode) {
        int at = count * ENTRY_BYTES;
        entries.putLong(at, logOffset);
        entries.putInt(at + SIZE_AT, size);
        entries.putLong(at + TAGS_AT, tagsCode);
        count++;
    }

    void tie(EntryChunk following) {
        next = following;
    }

    EntryChunk next() {
        return next;
    }

    boolean covers(long queueOffset) {
        return queueOffset >= base && queueOffset < base + capacity;
    }

    /// The bytes of the entries `from` (inclusive) to `to` (exclusive), cut at this chunk's end.
    ByteBuffer slice(long from, long to) {
        int at = (int) (from - base) * ENTRY_BYTES;
        int end = (int) (Math.min(to, base + capacity) - base) * ENTRY_BYTES;
        return entries.slice(at, end - at);
    }
}
