package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads an index file through, a piece at a time.
///
/// For:   finding zeroed or garbled pages, which a query would take for "no such message".
/// Owner: the index sequencer.
/// Never: more memory than a buffer: chains are not followed; each has exactly one entry without an older one, so
///        there must be as many of those as there are slots in use.
final class IndexCheck {
    private static final int BUFFER_BYTES = 64 * 1000;

    private final Disk disk;
    private final IndexLayout layout;
    private final IndexFile file;
    private final boolean grows;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private int slot;
    private int usedSlots;
    private int entry = 1;
    private int oldest;
    private long lastOffset;
    private @Nullable String fault;

    /// @param grows whether entries may be added meanwhile
    IndexCheck(Disk disk, IndexLayout layout, IndexFile file, boolean grows) {
        this.disk = disk;
        this.layout = layout;
        this.file = file;
        this.grows = grows;
        this.lastOffset = file.header().beginOffset();
    }

    long name() {
        return file.name();
    }

    /// What is wrong, for a sentence; null when nothing was found so far.
    @Nullable
    String fault() {
        return fault;
    }

    /// Reads on, waiting for the disk.
    ///
    /// @return whether it is through, or has found a fault
    boolean step(int maxBytes) {
        for (int read = 0; read < maxBytes && fault == null; read += BUFFER_BYTES) {
            if (slot < layout.slots()) {
                slots();
            } else if (entry < file.header().nextEntry()) {
                entries();
            } else {
                if (usedSlots < oldest || (!grows && usedSlots > oldest)) {
                    fault = usedSlots + " slots are in use, but there are " + oldest + " chains";
                }
                return true;
            }
        }
        return fault != null;
    }

    private void slots() {
        int count = Math.min(layout.slots() - slot, BUFFER_BYTES / IndexLayout.SLOT_BYTES);
        if (!read(layout.slotAt(slot), count * IndexLayout.SLOT_BYTES)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int newest = buffer.getInt(i * IndexLayout.SLOT_BYTES);
            usedSlots += newest == 0 ? 0 : 1;
            if (newest < 0 || newest >= layout.entries()) {
                fault = "slot " + (slot + i) + " leads to entry " + newest;
                return;
            }
        }
        slot += count;
    }

    private void entries() {
        int count = Math.min(file.header().nextEntry() - entry, BUFFER_BYTES / IndexLayout.ENTRY_BYTES);
        if (!read(layout.entryAt(entry), count * IndexLayout.ENTRY_BYTES)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            int at = i * IndexLayout.ENTRY_BYTES;
            long logOffset = buffer.getLong(at + IndexLayout.ENTRY_LOG_OFFSET);
            int previous = buffer.getInt(at + IndexLayout.ENTRY_PREVIOUS);
            int number = entry + i;
            if (buffer.getInt(at) < 0
                    || logOffset < lastOffset
                    || logOffset > file.header().endOffset()
                    || previous < 0
                    || previous >= number) {
                fault = "entry " + number + " at byte " + layout.entryAt(number) + " makes no sense";
                return;
            }
            oldest += previous == 0 ? 1 : 0;
            lastOffset = logOffset;
        }
        entry += count;
    }

    private boolean read(long at, int bytes) {
        buffer.clear().limit(bytes);
        Done done = disk.read(file.id(), at, buffer);
        if (done instanceof Done.Failed failed) {
            fault = failed.sentence();
        } else if (buffer.hasRemaining()) {
            fault = "it ends before byte " + (at + bytes);
        }
        return fault == null;
    }
}
