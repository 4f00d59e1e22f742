package gantry.broker.replica;

import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.Export;
import gantry.store.FileId;
import gantry.store.OpenFailed;
import gantry.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The file `member` beside the log, and its last good generation `member.bak`.
///
/// For:   keeping a `MemberRecord` on disk before anything is written that it speaks of.
/// Owner: its sequencer; one write at a time.
final class MemberFile {
    private static final FileId FILE = new FileId("member");

    /// `│ confirmOffset 8 │ CRC32C of it 4 │`
    private static final FileId CONFIRM = new FileId("confirmed");

    private static final int CONFIRM_BYTES = 12;

    /// Told what became of a write; null when it is on disk.
    interface Written {
        void done(@Nullable String trouble);
    }

    private record Write(MemberRecord record, Written written) {}

    /// For the log sequencer alone.
    private final ByteBuffer light = ByteBuffer.allocate(CONFIRM_BYTES);

    private final Disk disk;
    private final Offload offload;
    private final Sequencer sequencer;

    /// The first is being written; few at a time, because batches wait for them.
    private final Queue<Write> waiting = new ArrayDeque<>();

    MemberFile(Disk disk, Offload offload, Sequencer.Faults faults) {
        this.disk = disk;
        this.offload = offload;
        this.sequencer = new Sequencer("member file", offload, faults);
    }

    /// What is known of the log of a store that was just opened.
    ///
    /// @throws OpenFailed with a sentence for the operator, when there is a file and it cannot be believed
    MemberRecord load(Store store, Notices notices) throws OpenFailed {
        return load(notices).confirmed(notedConfirm()).within(store.minOffset(), store.appended());
    }

    private MemberRecord load(Notices notices) throws OpenFailed {
        try {
            byte[] newest = Export.read(disk, FILE);
            if (newest == null) {
                return MemberRecord.NEW;
            }
            MemberRecord record = MemberRecord.fromBytes(newest);
            byte[] kept = record == null ? Export.readKept(disk, FILE) : null;
            if (kept != null) {
                record = MemberRecord.fromBytes(kept);
                notices.alarm(
                        disk.describe(FILE) + " is damaged; the generation before it, member.bak, is used instead");
            }
            if (record == null) {
                throw new OpenFailed(disk.describe(FILE)
                        + " is damaged, and member.bak does not help: without it nobody knows which leader wrote this"
                        + " log. Bring it back from a copy; or move the whole store directory away, and a follower"
                        + " copies everything anew");
            }
            return record;
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// How far the log was confirmed when the last process ended; -1 when that is not known. A loss of power may
    /// leave an older number, which is true as well. Makes the file if it is not there.
    private long notedConfirm() {
        ByteBuffer read = ByteBuffer.allocate(CONFIRM_BYTES);
        boolean whole = disk.read(CONFIRM, 0, read).isOk() && !read.hasRemaining();
        disk.create(CONFIRM, CONFIRM_BYTES);
        return whole && read.getInt(Long.BYTES) == sum(read.array()) ? read.getLong(0) : -1;
    }

    /// All files of a member, for a log that takes the place of the one before with all that was known of it.
    static SequencedMap<FileId, byte[]> contents(MemberRecord record) {
        SequencedMap<FileId, byte[]> files = new LinkedHashMap<>();
        files.put(FILE, record.toBytes());
        files.put(new FileId(FILE.path() + ".bak"), record.toBytes());
        ByteBuffer confirm = ByteBuffer.allocate(CONFIRM_BYTES).putLong(record.confirm());
        files.put(CONFIRM, confirm.putInt(sum(confirm.array())).array());
        return files;
    }

    /// Writes it where the end of this process cannot take it away, without waiting for the disk. What goes wrong
    /// here the log will say.
    void noteConfirm(long confirmOffset) {
        light.clear().putLong(confirmOffset).putInt(sum(light.array())).flip();
        disk.write(CONFIRM, 0, light);
    }

    private static int sum(byte[] offset) {
        CRC32C sum = new CRC32C();
        sum.update(offset, 0, Long.BYTES);
        return (int) sum.getValue();
    }

    /// Writes now; waits for the disk.
    ///
    /// @return what went wrong, or null
    @Nullable
    String write(MemberRecord record) {
        return Export.replace(disk, FILE, record.toBytes()) instanceof Disk.Done.Failed failed
                ? failed.sentence()
                : null;
    }

    /// Writes behind all writes that were asked before; `written` is told on another thread.
    void writeLater(MemberRecord record, Written written) {
        sequencer.submitAlways(() -> {
            waiting.add(new Write(record, written));
            if (waiting.size() == 1) {
                writeFirst();
            }
        });
    }

    private void writeFirst() {
        Write first = waiting.element();
        offload.run(() -> {
            String trouble = write(first.record());
            sequencer.submitAlways(() -> {
                waiting.remove();
                sequencer.after(() -> first.written().done(trouble));
                if (!waiting.isEmpty()) {
                    writeFirst();
                }
            });
        });
    }
}
