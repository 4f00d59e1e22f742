package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Walks the chains of one key, from new to old.
///
/// For:   one key query.
/// Owner: the index sequencer, for one query.
/// Never: believes what a chain says: it goes from larger to smaller numbers, within its slot, or it is damaged.
final class IndexSearch {
    /// Takes what is found; the record itself has to bear it out.
    interface Hits {
        /// @return false when there are enough
        boolean take(long logOffset);
    }

    /// Entries that one query looks at; a chain of a key that many messages share can be longer.
    static final int MOST_ENTRIES = 1_000_000;

    private static final int WINDOW_BYTES = 4096;

    private final Disk disk;
    private final IndexLayout layout;
    private final int hash;
    private final KeyQuery query;
    private final Hits hits;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private long windowAt;
    private int looked;
    private @Nullable String fault;

    IndexSearch(Disk disk, IndexLayout layout, KeyQuery query, Hits hits) {
        this.disk = disk;
        this.layout = layout;
        this.query = query;
        this.hash = KeyHash.ofKey(KeyHash.ofTopic(query.topic()), query.indexedKey());
        this.hits = hits;
    }

    /// What is wrong with the last file that was searched; null when nothing is.
    @Nullable
    String fault() {
        return fault;
    }

    boolean isExhausted() {
        return looked >= MOST_ENTRIES;
    }

    /// @return false when there are enough
    boolean inMemory(PendingKeys pending) {
        for (int i = pending.count() - 1; i >= 0; i--) {
            if (pending.hash(i) == hash && !hits.take(pending.logOffset(i))) {
                return false;
            }
        }
        return true;
    }

    /// @return false when there are enough, or no more may be looked at
    boolean inFile(IndexFile file) {
        fault = null;
        window.clear().limit(0);
        windowAt = 0;
        IndexHeader header = file.header();
        if (query.endMillis() < header.beginMillis() || query.beginMillis() > header.endMillis()) {
            return true;
        }
        FileId id = file.id();
        int slot = layout.slotOf(hash);
        if (!reach(id, layout.slotAt(slot), IndexLayout.SLOT_BYTES)) {
            return true;
        }
        int number = window.getInt((int) (layout.slotAt(slot) - windowAt));
        while (number > 0) {
            if (looked++ >= MOST_ENTRIES) {
                return false;
            }
            if (number >= layout.entries()) {
                fault = "a chain leads to entry " + number + ", which has no room";
                return true;
            }
            long at = layout.entryAt(number);
            if (!reach(id, at, IndexLayout.ENTRY_BYTES)) {
                return true;
            }
            int place = (int) (at - windowAt);
            int keyHash = window.getInt(place);
            int older = window.getInt(place + IndexLayout.ENTRY_PREVIOUS);
            if (keyHash < 0 || layout.slotOf(keyHash) != slot || older >= number) {
                fault = "entry " + number + " at byte " + at + " does not belong to chain " + slot;
                return true;
            }
            boolean counts = number < header.nextEntry();
            if (counts && keyHash == hash && isInTime(header, window.getInt(place + IndexLayout.ENTRY_SECONDS))) {
                if (!hits.take(window.getLong(place + IndexLayout.ENTRY_LOG_OFFSET))) {
                    return false;
                }
            }
            number = older;
        }
        return true;
    }

    private boolean isInTime(IndexHeader header, int seconds) {
        long from = header.beginMillis() + 1000L * seconds;
        return from <= query.endMillis() && from + 999 >= query.beginMillis();
    }

    /// Brings bytes into the window; chains of many messages with one key often stay in it.
    private boolean reach(FileId id, long at, int bytes) {
        if (at >= windowAt && at + bytes <= windowAt + window.limit()) {
            return true;
        }
        // What is older stands before: the window ends behind what is wanted.
        windowAt = Math.max(0, at + bytes - WINDOW_BYTES);
        window.clear();
        Done done = disk.read(id, windowAt, window);
        window.flip();
        if (done instanceof Done.Failed failed) {
            fault = failed.sentence();
            return false;
        }
        if (at + bytes > windowAt + window.limit()) {
            fault = "it ends before byte " + (at + bytes);
            return false;
        }
        return true;
    }
}
