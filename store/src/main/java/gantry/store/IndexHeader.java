package gantry.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a file of the key index says about itself; drawn in `IndexLayout`.
///
/// For:   choosing the files of a query, and going on where the last entry stands.
/// Owner: none (immutable).
///
/// @param nextEntry the number that the next entry gets; 1 in an empty file
record IndexHeader(long beginMillis, long endMillis, long beginOffset, long endOffset, int usedSlots, int nextEntry) {
    static final IndexHeader EMPTY = new IndexHeader(0, 0, 0, 0, 0, 1);

    static IndexHeader read(ByteBuffer at) {
        return new IndexHeader(at.getLong(), at.getLong(), at.getLong(), at.getLong(), at.getInt(), at.getInt());
    }

    void write(ByteBuffer to) {
        to.putLong(beginMillis).putLong(endMillis).putLong(beginOffset).putLong(endOffset);
        to.putInt(usedSlots).putInt(nextEntry);
    }

    boolean isEmpty() {
        return nextEntry == 1;
    }

    boolean isFull(IndexLayout layout) {
        return nextEntry >= layout.entries();
    }

    /// Whether it was written before `later`, into the same file.
    boolean growsInto(IndexHeader later) {
        return beginMillis == later.beginMillis && beginOffset == later.beginOffset && nextEntry <= later.nextEntry;
    }

    /// What cannot be true; null when nothing is wrong with a file that holds entries.
    @Nullable
    String fault(IndexLayout layout) {
        if (nextEntry <= 1) {
            return "its header says that it holds nothing";
        }
        if (nextEntry > layout.entries()) {
            return "its header says that it holds " + (nextEntry - 1) + " entries, where " + (layout.entries() - 1)
                    + " have room";
        }
        if (beginOffset < 0 || endOffset < beginOffset || beginMillis <= 0 || endMillis <= 0) {
            return "its header says that it reaches from log offset " + beginOffset + " to " + endOffset
                    + ", stored from " + beginMillis + " to " + endMillis;
        }
        if (usedSlots < 0 || usedSlots >= nextEntry) {
            return "its header says that " + usedSlots + " chains hold " + (nextEntry - 1) + " entries";
        }
        return null;
    }
}
