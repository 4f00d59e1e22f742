package gantry.store;

import gantry.store.Disk.Done;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Follows the log and brings the keys of its messages into index files.
///
/// For:   the index of the log's growing end, and the parts of it that are built again.
/// Owner: the index sequencer.
/// Never: waits for anything but the disk; reads more of the log than it is told.
///
/// ```
///   log ── follow: one look at each record ─▶ PendingKeys ── flush: below what is durable ─▶ current file, full: next
/// ```
final class IndexBuilder {
    private static final int BLOCK_BYTES = 128 * 1024;

    /// So much of a record is touched before it is looked at where it is mapped: more than any record has.
    private static final int MOST_IN_PLACE_BYTES = 16 << 20;

    /// Chooses the name of the next file.
    interface Namer {
        /// @return -1 when there is no name left between its neighbours
        long nameFor(long firstMillis);
    }

    /// Told of a file that was begun or has grown.
    interface Files {
        void grown(IndexFile file);
    }

    private final Disk disk;
    private final IndexLayout layout;
    private final IndexWriter writer;
    private final Namer namer;
    private final Files files;
    private final boolean sealsAtOnce;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final RecordView view = new RecordView();
    private final RecordKeys keys = new RecordKeys();
    private final PendingKeys pending = new PendingKeys();
    private @Nullable IndexFile current;
    private long position;
    private long lastMillis;
    private Done.@Nullable Failed failure;
    private @Nullable String damage;

    /// @param current the file to go on with, if there is one
    /// @param sealsAtOnce false: a file says what it holds only once it is full, or at `seal`
    IndexBuilder(
            Disk disk,
            IndexLayout layout,
            IndexWriter writer,
            Namer namer,
            Files files,
            boolean sealsAtOnce,
            @Nullable IndexFile current,
            long position) {
        this.disk = disk;
        this.layout = layout;
        this.writer = writer;
        this.namer = namer;
        this.files = files;
        this.sealsAtOnce = sealsAtOnce;
        this.current = current;
        this.position = position;
        this.lastMillis = current == null ? 0 : current.header().endMillis();
    }

    /// The keys of every message below it are pending or in a file.
    long position() {
        return position;
    }

    /// When the last message with a key was stored.
    long lastMillis() {
        return lastMillis;
    }

    PendingKeys pending() {
        return pending;
    }

    @Nullable
    IndexFile current() {
        return current;
    }

    /// The keys of every message below it are in a file and on disk.
    IndexMark mark() {
        return new IndexMark(pending.count() == 0 ? position : pending.logOffset(0), current);
    }

    /// Why the last `flush` gave false.
    Done.@Nullable Failed failure() {
        return failure;
    }

    /// Where the log could not be read any more, once; null when nothing new is wrong.
    @Nullable
    String takeDamage() {
        String taken = damage;
        damage = null;
        return taken;
    }

    /// Takes the keys that the log has left, instead of looking at its records; `follow` comes first to where they
    /// begin, and goes on where they have no room.
    void take(KeyTrail trail) {
        if (trail.from() > position || trail.to() <= position) {
            return;
        }
        PendingKeys keysLeft = trail.keys();
        for (int i = keysLeft.countBelow(position); i < keysLeft.count(); i++) {
            long logOffset = keysLeft.logOffset(i);
            if (pending.isFull() && logOffset > position) {
                position = logOffset;
                return;
            }
            position = logOffset;
            lastMillis = keysLeft.millis(i);
            pending.add(keysLeft.hash(i), logOffset, lastMillis);
        }
        position = trail.to();
    }

    /// Looks at the records up to `to`, at `maxBytes` of them at most, as long as their keys have room.
    void follow(Segments segments, long to, long maxBytes) {
        long stop = Math.min(to, position + maxBytes);
        position = Math.max(position, Math.min(to, segments.minOffset()));
        while (position < stop && !pending.isFull()) {
            Segment segment = segments.find(position);
            if (segment == null || !segment.take()) {
                return;
            }
            try {
                followIn(
                        segment, Math.min(stop, segment.base() + segment.bytes().capacity()));
            } finally {
                segment.giveBack();
            }
        }
    }

    /// Reads a block, which is cheaper than to touch each record first through a mapping; a record that is larger than
    /// a block is looked at in place.
    private void followIn(Segment segment, long stop) {
        long from = position;
        block.clear().limit((int) Math.min(block.capacity(), stop - from));
        if (!disk.read(segment.file(), from - segment.base(), block).isOk()) {
            // It is looked at in place then: what cannot be read may still be mapped.
            block.position(0);
        }
        block.flip();
        int at = 0;
        while (at < block.limit() && !pending.isFull()) {
            Check check = view.wrap(block, at, block.limit(), false);
            if (check == Check.SHORT && at > 0) {
                return;
            }
            if (check != Check.OK) {
                break;
            }
            add(block);
            at += view.size();
            position = from + at;
        }
        if (position == from) {
            lookInPlace(segment);
        }
    }

    private void lookInPlace(Segment segment) {
        int limit = segment.bytes().capacity();
        int at = (int) (position - segment.base());
        int near = Math.min(limit - at, MOST_IN_PLACE_BYTES);
        Check check = near > 0 && !Mapped.isThere(segment.bytes(), at, near)
                ? Check.BAD_MAGIC
                : view.wrap(segment.bytes(), at, limit, false);
        if (check == Check.OK) {
            add(segment.bytes());
            position += view.size();
            return;
        }
        if (check != Check.BLANK && limit - at >= LogTail.BLANK_BYTES) {
            damage = "byte " + at + " of " + disk.describe(segment.file());
        }
        position = segment.base() + limit;
    }

    private void add(ByteBuffer bytes) {
        int count = keys.find(bytes, view);
        for (int i = 0; i < count; i++) {
            pending.add(keys.hash(i), position, view.storeMillis());
        }
        if (count > 0) {
            lastMillis = view.storeMillis();
        }
    }

    /// Brings the keys of messages below `durable` into files; waits for the disk.
    ///
    /// @return false when the disk did not take them: they stay pending
    boolean flush(long durable) {
        failure = null;
        for (int due = pending.countBelow(durable); due > 0; due = pending.countBelow(durable)) {
            IndexFile file = current;
            if (file == null || file.header().isFull(layout)) {
                file = next();
                if (file == null) {
                    return false;
                }
            }
            int count = Math.min(due, layout.entries() - file.header().nextEntry());
            IndexFile grown = writer.append(file, pending, count, sealsAtOnce);
            if (grown == null) {
                failure = writer.failure();
                return false;
            }
            if (!sealsAtOnce && grown.header().isFull(layout) && !seal(grown)) {
                return false;
            }
            current = grown;
            pending.drop(count);
            files.grown(grown);
        }
        return true;
    }

    /// Of files that are not sealed at once: lets the current one say what it holds.
    boolean seal() {
        IndexFile file = current;
        return file == null || file.header().isEmpty() || seal(file);
    }

    private boolean seal(IndexFile file) {
        if (writer.seal(file)) {
            return true;
        }
        failure = writer.failure();
        return false;
    }

    private @Nullable IndexFile next() {
        long name = namer.nameFor(pending.millis(0));
        if (name < 0) {
            failure = new Done.Failed(
                    Done.Kind.IO,
                    "there is no name left for a file between its neighbours in "
                            + disk.describe(new FileId(IndexLayout.FOLDER)));
            return null;
        }
        // What lies there was left by a crash; nothing of it counts.
        Done fresh = disk.delete(IndexFile.idOf(name));
        return named(fresh) ? new IndexFile(name, IndexHeader.EMPTY) : null;
    }

    private boolean named(Done done) {
        if (done instanceof Done.Failed failed) {
            failure = failed;
        }
        return done.isOk();
    }
}
