package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts a run of entries into a file of the key index, for certain.
///
/// ```
///   entries sorted by the page of their slot ─▶ pages read once: the previous entry of each
///   ─▶ entries written, one behind the other ─▶ sync ─▶ pages read again, slots set, written ─▶ header ─▶ sync
/// ```
/// For:   few and orderly writes, and a file whose slots never lead to an entry that is not on disk.
/// Owner: the index sequencer.
/// Never: changes an entry that counts already.
/// Holds: INDEX-1 when a slot is written, every entry that it leads to is on disk. So after a crash a slot leads to
///        older entries, or to newer ones whose `previous` can be followed back to those that count.
final class IndexWriter {
    /// The pages in which slots are read and written: small ones for few entries, so that a quiet store writes little.
    private static final int SMALL_PAGE_BITS = 12;

    private static final int LARGE_PAGE_BITS = 16;

    /// From so many entries on, large pages are written.
    private static final int MANY_ENTRIES = 32_768;

    /// A sync that takes longer has failed for now; the same is written again then.
    private static final Duration LONGEST_SYNC = Duration.ofSeconds(5);

    private static final int BLOCK_ENTRIES = 3072;

    private final Disk disk;
    private final IndexLayout layout;
    private final ByteBuffer page = ByteBuffer.allocateDirect(1 << LARGE_PAGE_BITS);
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_ENTRIES * IndexLayout.ENTRY_BYTES);
    private final ByteBuffer entry = ByteBuffer.allocate(IndexLayout.ENTRY_BYTES);
    private final int[] firstOfPage;
    private int[] order = new int[0];
    private int[] previous = new int[0];
    private int pageBits = SMALL_PAGE_BITS;
    private Duration limit = LONGEST_SYNC;
    private int newSlots;
    private Done.@Nullable Failed failure;

    IndexWriter(Disk disk, IndexLayout layout) {
        this.disk = disk;
        this.layout = layout;
        this.firstOfPage = new int[(int) (layout.slotsEnd() >>> SMALL_PAGE_BITS) + 2];
    }

    /// How long each sync may take from now on.
    void waitAtMost(Duration shorter) {
        limit = shorter;
    }

    /// Why the last `append` gave null.
    Done.@Nullable Failed failure() {
        return failure;
    }

    /// Appends the first `count` of `keys`, which have room.
    ///
    /// @param sealsIt whether the file may say now that it holds them; one that is built beside others says so last
    /// @return the file with its new header, or null
    @Nullable
    IndexFile append(IndexFile file, PendingKeys keys, int count, boolean sealsIt) {
        failure = null;
        IndexHeader header = begun(file.header(), keys);
        FileId id = file.id();
        sortByPage(keys, count);
        boolean written = holds(disk.create(id, layout.fileBytes()))
                && findPrevious(id, header, keys)
                && writeEntries(id, header, keys, count)
                && sync(id)
                && writeSlots(id, header, keys);
        if (!written) {
            return null;
        }
        IndexHeader after = new IndexHeader(
                header.beginMillis(),
                keys.millis(count - 1),
                header.beginOffset(),
                keys.logOffset(count - 1),
                header.usedSlots() + newSlots,
                header.nextEntry() + count);
        IndexFile grown = file.with(after);
        return (!sealsIt || writeHeader(grown)) && sync(id) ? grown : null;
    }

    /// Lets a file say what it holds.
    boolean seal(IndexFile file) {
        failure = null;
        return writeHeader(file) && sync(file.id());
    }

    private static IndexHeader begun(IndexHeader header, PendingKeys keys) {
        return header.isEmpty()
                ? new IndexHeader(keys.millis(0), keys.millis(0), keys.logOffset(0), keys.logOffset(0), 0, 1)
                : header;
    }

    private boolean writeHeader(IndexFile file) {
        ByteBuffer bytes = ByteBuffer.allocate(IndexLayout.HEADER_BYTES);
        file.header().write(bytes);
        return holds(disk.write(file.id(), 0, bytes.flip()));
    }

    /// The file, and its name.
    private boolean sync(FileId id) {
        return holds(disk.syncAll(List.of(id), List.of(IndexLayout.FOLDER), limit));
    }

    private boolean holds(Done done) {
        if (done instanceof Done.Failed failed) {
            failure = failed;
        }
        return done.isOk();
    }

    /// A counting sort, which leaves the entries of one page, and so of one slot, in their order.
    private void sortByPage(PendingKeys keys, int count) {
        if (order.length < count || order.length > 4 * Math.max(count, 1024)) {
            order = new int[count];
            previous = new int[count];
        }
        pageBits = count < MANY_ENTRIES ? SMALL_PAGE_BITS : LARGE_PAGE_BITS;
        Arrays.fill(firstOfPage, 0);
        for (int i = 0; i < count; i++) {
            firstOfPage[pageOf(keys.hash(i)) + 1]++;
        }
        for (int p = 1; p < firstOfPage.length; p++) {
            firstOfPage[p] += firstOfPage[p - 1];
        }
        for (int i = 0; i < count; i++) {
            order[firstOfPage[pageOf(keys.hash(i))]++] = i;
        }
        // Each count has moved to where the next page's begins.
        System.arraycopy(firstOfPage, 0, firstOfPage, 1, firstOfPage.length - 1);
        firstOfPage[0] = 0;
    }

    private int pageOf(int keyHash) {
        return (int) (layout.slotAt(layout.slotOf(keyHash)) >>> pageBits);
    }

    private int placeInPage(int keyHash) {
        return (int) (layout.slotAt(layout.slotOf(keyHash)) & ((1 << pageBits) - 1));
    }

    private boolean findPrevious(FileId id, IndexHeader header, PendingKeys keys) {
        newSlots = 0;
        for (int p = 0; p + 1 < firstOfPage.length; p++) {
            int from = firstOfPage[p];
            int to = firstOfPage[p + 1];
            if (from == to) {
                continue;
            }
            if (!readPage(id, p)) {
                return false;
            }
            for (int j = from; j < to; j++) {
                int i = order[j];
                int at = placeInPage(keys.hash(i));
                int number = header.nextEntry() + i;
                int before = counting(id, page.getInt(at), number);
                if (before < 0) {
                    return false;
                }
                newSlots += before == 0 ? 1 : 0;
                previous[i] = before;
                page.putInt(at, number);
            }
        }
        return true;
    }

    /// Follows a chain from a slot to the newest entry below `number`: a crash may have left a slot ahead of
    /// what counts.
    ///
    /// @return 0 for none, -1 when it could not be read
    private int counting(FileId id, int slot, int number) {
        int at = slot;
        while (at >= number) {
            if (at >= layout.entries()) {
                return 0;
            }
            entry.clear();
            if (!holds(disk.read(id, layout.entryAt(at), entry))) {
                return -1;
            }
            int older = entry.hasRemaining() ? 0 : entry.getInt(IndexLayout.ENTRY_PREVIOUS);
            at = older < at ? older : 0;
        }
        return Math.max(0, at);
    }

    private boolean writeEntries(FileId id, IndexHeader header, PendingKeys keys, int count) {
        block.clear();
        int first = header.nextEntry();
        for (int i = 0; i < count; i++) {
            block.putInt(keys.hash(i));
            block.putLong(keys.logOffset(i));
            block.putInt(secondsSince(header.beginMillis(), keys.millis(i)));
            block.putInt(previous[i]);
            if (!block.hasRemaining() || i + 1 == count) {
                block.flip();
                if (!holds(disk.write(id, layout.entryAt(first), block))) {
                    return false;
                }
                block.clear();
                first = header.nextEntry() + i + 1;
            }
        }
        return true;
    }

    static int secondsSince(long beginMillis, long millis) {
        return Math.clamp((millis - beginMillis) / 1000, 0, Integer.MAX_VALUE);
    }

    private boolean writeSlots(FileId id, IndexHeader header, PendingKeys keys) {
        for (int p = 0; p + 1 < firstOfPage.length; p++) {
            int from = firstOfPage[p];
            int to = firstOfPage[p + 1];
            if (from == to) {
                continue;
            }
            if (!readPage(id, p)) {
                return false;
            }
            int low = page.capacity();
            int high = 0;
            for (int j = from; j < to; j++) {
                int at = placeInPage(keys.hash(order[j]));
                page.putInt(at, header.nextEntry() + order[j]);
                low = Math.min(low, at);
                high = Math.max(high, at + IndexLayout.SLOT_BYTES);
            }
            page.limit(high).position(low);
            if (!holds(disk.write(id, ((long) p << pageBits) + low, page))) {
                return false;
            }
        }
        return true;
    }

    private boolean readPage(FileId id, int number) {
        page.clear().limit(1 << pageBits);
        return holds(disk.read(id, (long) number << pageBits, page));
    }
}
