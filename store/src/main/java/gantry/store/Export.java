package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Replaces a small file in one step.
///
/// For:   the JSON files of `config/` and the checkpoint: after a crash the old or the new content is there, whole.
/// Owner: none (stateless); one file is exported by one caller at a time.
/// Never: on an event loop or in a sequencer, because it waits for the disk.
///
/// ```
///   file.tmp written, synced ─▶ file renamed to file.bak ─▶ file.tmp renamed to file ─▶ folder synced
/// ```
/// A crash between the two renames leaves only `file.bak`; `read` looks there when `file` is missing.
public final class Export {
    /// Larger files are not read: something else lies there.
    public static final int MAX_BYTES = 1 << 30;

    private static final int READ_BYTES = 64 * 1024;

    private Export() {}

    /// Replaces the content of `file`; what was there before stays as `file.bak`.
    public static Done replace(Disk disk, FileId file, byte[] content) {
        FileId draft = new FileId(file.path() + ".tmp");
        Done drafted = draft(disk, draft, content);
        if (!drafted.isOk()) {
            return drafted;
        }
        Done kept = disk.rename(file, new FileId(file.path() + ".bak"));
        if (kept instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
            return kept;
        }
        return settle(disk, draft, file);
    }

    /// As `replace`, but keeps nothing of the old content; at no moment is there no `file`.
    public static Done overwrite(Disk disk, FileId file, byte[] content) {
        FileId draft = new FileId(file.path() + ".tmp");
        Done drafted = draft(disk, draft, content);
        return drafted.isOk() ? settle(disk, draft, file) : drafted;
    }

    private static Done draft(Disk disk, FileId draft, byte[] content) {
        Done done = disk.create(draft, content.length);
        done = done.isOk() ? disk.write(draft, 0, ByteBuffer.wrap(content)) : done;
        return done.isOk() ? disk.syncNow(draft) : done;
    }

    private static Done settle(Disk disk, FileId draft, FileId file) {
        Done renamed = disk.rename(draft, file);
        return renamed.isOk() ? disk.syncFolder(file.folder()) : renamed;
    }

    /// Reads a small file whole: `file`, or `file.bak` when there is no `file`.
    ///
    /// @return null when there is neither
    public static byte @Nullable [] read(Disk disk, FileId file) throws DiskFailed {
        byte[] content = readExactly(disk, file);
        return content != null ? content : readKept(disk, file);
    }

    /// Reads what the last `replace` but one left; for a `file` whose content makes no sense.
    ///
    /// @return null when there is none
    public static byte @Nullable [] readKept(Disk disk, FileId file) throws DiskFailed {
        return readExactly(disk, new FileId(file.path() + ".bak"));
    }

    private static byte @Nullable [] readExactly(Disk disk, FileId file) throws DiskFailed {
        ByteBuffer block = ByteBuffer.allocate(READ_BYTES);
        byte[] content = new byte[0];
        while (true) {
            block.clear();
            switch (disk.read(file, content.length, block)) {
                case Done.Failed failed
                when failed.kind() == Done.Kind.MISSING -> {
                    return null;
                }
                case Done.Failed failed -> throw new DiskFailed(failed);
                case Done.Ok ok
                when ok.bytes() == 0 -> {
                    return content;
                }
                case Done.Ok ok -> content = append(disk, file, content, block, (int) ok.bytes());
            }
        }
    }

    private static byte[] append(Disk disk, FileId file, byte[] content, ByteBuffer block, int bytes)
            throws DiskFailed {
        if (content.length > MAX_BYTES - bytes) {
            throw new DiskFailed(new Done.Failed(
                    Done.Kind.IO, disk.describe(file) + " is larger than " + MAX_BYTES + " bytes: it is not ours"));
        }
        byte[] longer = Arrays.copyOf(content, content.length + bytes);
        block.get(0, longer, content.length, bytes);
        return longer;
    }
}
