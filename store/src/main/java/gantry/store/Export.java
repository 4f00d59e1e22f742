package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Replaces a small file in one step.
///
/// For:   the JSON files of `config/` and the checkpoint: after a crash the old or the new content is there,
///        whole.
/// Owner: none (stateless); one file is exported by one caller at a time.
/// Never: on an event loop or in a sequencer, because it waits for the disk.
///
/// ```
///   what is in file ─▶ file.bak.tmp, synced ─▶ renamed to file.bak, folder synced
///   new content     ─▶ file.tmp,     synced ─▶ renamed to file,     folder synced
/// ```
/// At every moment there is a whole `file`; `file.bak` is for a content that is whole but makes no sense.
public final class Export {
    /// Larger files are not read: something else lies there.
    public static final int MAX_BYTES = 1 << 30;

    private static final int READ_BYTES = 64 * 1024;

    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);

    private Export() {}

    /// Replaces the content of `file`; what was there before stays as `file.bak`.
    public static Done replace(Disk disk, FileId file, byte[] content) {
        try {
            byte[] before = readExactly(disk, file);
            if (before != null) {
                Done kept = overwrite(disk, new FileId(file.path() + ".bak"), before);
                if (!kept.isOk()) {
                    return kept;
                }
            }
            return overwrite(disk, file, content);
        } catch (DiskFailed e) {
            return e.failure();
        }
    }

    /// As `replace` for several files, each in one step, with two waits for the disk for all of them together.
    ///
    /// @param limit for both waits; when the disk is late, each file has its old or new content after a crash
    public static Done replaceAll(Disk disk, SequencedMap<FileId, byte[]> contents, Duration limit) {
        List<FileId> drafts = new ArrayList<>();
        SequencedMap<FileId, FileId> renames = new LinkedHashMap<>();
        try {
            for (Map.Entry<FileId, byte[]> entry : contents.entrySet()) {
                FileId file = entry.getKey();
                byte[] before = readExactly(disk, file);
                FileId kept = new FileId(file.path() + ".bak");
                Done done = before == null ? Done.Ok.NOTHING : stage(disk, kept, before, drafts, renames);
                done = done.isOk() ? stage(disk, file, entry.getValue(), drafts, renames) : done;
                if (!done.isOk()) {
                    return done;
                }
            }
        } catch (DiskFailed e) {
            return e.failure();
        }
        return settle(disk, drafts, renames, limit.dividedBy(2));
    }

    /// @param limit for each of the two waits
    private static Done settle(Disk disk, List<FileId> drafts, SequencedMap<FileId, FileId> renames, Duration limit) {
        Set<String> folders = new LinkedHashSet<>();
        Done done = disk.syncAll(drafts, List.of(), limit);
        for (Map.Entry<FileId, FileId> rename : renames.entrySet()) {
            folders.add(rename.getValue().folder());
            done = done.isOk() ? disk.rename(rename.getKey(), rename.getValue()) : done;
        }
        return done.isOk() ? disk.syncAll(List.of(), folders, limit) : done;
    }

    private static Done stage(
            Disk disk, FileId file, byte[] content, List<FileId> drafts, SequencedMap<FileId, FileId> renames) {
        FileId draft = new FileId(file.path() + ".tmp");
        drafts.add(draft);
        renames.put(draft, file);
        Done done = disk.create(draft, content.length);
        return done.isOk() ? disk.write(draft, 0, ByteBuffer.wrap(content)) : done;
    }

    /// As `replace`, but keeps nothing of the old content.
    public static Done overwrite(Disk disk, FileId file, byte[] content) {
        return overwrite(disk, file, content, LONGEST_SYNC);
    }

    /// As above, but each of its two syncs takes at most `limit`; when it is late, the old content may be there
    /// after a crash, or the new one.
    static Done overwrite(Disk disk, FileId file, byte[] content, Duration limit) {
        FileId draft = new FileId(file.path() + ".tmp");
        Done done = draft(disk, draft, content, limit);
        done = done.isOk() ? disk.rename(draft, file) : done;
        return done.isOk() ? disk.syncAll(List.of(), List.of(file.folder()), limit) : done;
    }

    /// As `overwrite` for several files of one folder, with the same two waits for the disk; after a crash each
    /// of them has its old or its new content.
    static Done overwriteAll(Disk disk, SequencedMap<FileId, byte[]> contents, Duration limit) {
        List<FileId> drafts = new ArrayList<>();
        SequencedMap<FileId, FileId> renames = new LinkedHashMap<>();
        Done done = Done.Ok.NOTHING;
        for (Map.Entry<FileId, byte[]> entry : contents.entrySet()) {
            done = done.isOk() ? stage(disk, entry.getKey(), entry.getValue(), drafts, renames) : done;
        }
        return done.isOk() ? settle(disk, drafts, renames, limit) : done;
    }

    private static Done draft(Disk disk, FileId draft, byte[] content, Duration limit) {
        Done done = disk.create(draft, content.length);
        done = done.isOk() ? disk.write(draft, 0, ByteBuffer.wrap(content)) : done;
        return done.isOk() ? disk.syncAll(List.of(draft), List.of(), limit) : done;
    }

    /// Reads a small file whole: `file`, or `file.bak` when somebody took `file` away.
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

    /// Reads `file` and nothing in its place; null when it is not there.
    static byte @Nullable [] readOnly(Disk disk, FileId file) throws DiskFailed {
        return readExactly(disk, file);
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
