package gantry.store;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Files below one root; the only door to storage in the core.
///
/// For:   everything the store writes and reads. What goes wrong is a value, not an exception.
/// Owner: none; every method may be called from any thread, and different files at once.
/// Never: interprets bytes.
///
/// The contract is weak on purpose. Bytes that were written but not synced may be lost, torn or land in any order
/// when power fails, each file for itself. A new, renamed or deleted name is certain only after `syncFolder`.
/// Folders are made on demand.
public interface Disk {
    /// How something ended.
    sealed interface Done {
        /// It was done; `bytes` is how many were read or written, 0 where that has no meaning.
        record Ok(long bytes) implements Done {
            public static final Ok NOTHING = new Ok(0);
        }

        /// It was not done, or not known to be done.
        ///
        /// @param sentence names the absolute path and what happened, for an operator
        record Failed(Kind kind, String sentence) implements Done {}

        enum Kind {
            /// No space, or over quota.
            FULL,
            READ_ONLY,
            /// No such file.
            MISSING,
            /// A sync of this file failed earlier: what of it is on disk is not known any more.
            POISONED,
            /// It has not come back within the limit; it may still happen.
            LATE,
            IO
        }

        default boolean isOk() {
            return this instanceof Ok;
        }
    }

    /// Makes the file if it is not there, and gives it exactly this length, without touching bytes it has already
    /// and without reserving space. Not certain before `syncNow` and `syncFolder`: after a crash the file may be
    /// missing, empty, or of that length.
    Done create(FileId file, long bytes);

    /// Writes from the buffer's position to its limit (neither is moved); all of it or `Failed`, then any part
    /// may have been written. Visible to `read` and `map` at return.
    Done write(FileId file, long position, ByteBuffer bytes);

    /// Makes everything that was written to the file before this call durable, and tells `done` later on some
    /// thread (or at once). One call at a time per file is enough for everybody. A failed sync poisons the file
    /// for good.
    void sync(FileId file, Consumer<Done> done);

    /// As `sync`, but waits; only where waiting is allowed: open, close, `Offload`.
    Done syncNow(FileId file);

    /// Makes everything durable that was written to these files before this call, and the names in these folders
    /// and in those above them; waits, but not longer than `limit`. There is no order among them. A file or
    /// folder that is not there has nothing to be made durable.
    ///
    /// On `Failed` none of it is known to be durable, and every file that may have lost bytes is poisoned: those
    /// whose sync failed, or all of them where it cannot be told which. `LATE` poisons nothing by itself, but
    /// what is still under way may do so later.
    Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit);

    /// Reads until the buffer is full or the file ends, and moves its position; `Ok.bytes` tells how many.
    Done read(FileId file, long position, ByteBuffer into);

    /// Everything from `position` on reads as zero afterwards; the length stays, the space is given back. After
    /// a crash the file may also be as long as `position` or as it was. Certain after `syncNow`.
    Done cut(FileId file, long position);

    /// Maps the whole file for reading.
    Mapping map(FileId file) throws DiskFailed;

    /// Renames in one step, in place of a file that has the new name already, in this folder or another one on the
    /// same file system. After a crash a file whose old name was certain has one of the two names.
    Done rename(FileId from, FileId to);

    /// Deletes the file, or does nothing when there is none.
    Done delete(FileId file);

    /// Deletes the folder if it is empty; does nothing when there is none, or something in it.
    Done deleteFolder(String folder);

    /// Makes the names in a folder durable (waits); `""` is the root.
    Done syncFolder(String folder);

    /// How much room there is on the file system of a folder; `""` is the root.
    Space space(String folder) throws DiskFailed;

    /// What is in a folder, sorted by name; empty when there is no such folder; `""` is the root.
    List<FileEntry> list(String folder) throws DiskFailed;

    /// Takes the root for this process; empty when somebody else has it.
    Optional<Lock> lock() throws DiskFailed;

    /// The absolute path, for sentences.
    String describe(FileId file);

    /// @param freeBytes that this process may use; a quota may allow less
    record Space(long totalBytes, long freeBytes) {}

    /// A mapped file. `bytes` must not be touched after `close`.
    interface Mapping {
        /// The whole file; callers take duplicates and slices, never move its position.
        ByteBuffer bytes();

        void close();
    }

    /// The store's root is ours until `close`.
    interface Lock {
        void close();
    }

    /// @param bytes the length of a file, 0 for a folder
    record FileEntry(String name, long bytes, boolean folder) {}
}
