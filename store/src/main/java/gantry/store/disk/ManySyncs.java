package gantry.store.disk;

import gantry.store.Disk.Done;
import gantry.store.Disk.Done.Failed;
import gantry.store.Disk.Done.Kind;
import gantry.store.Disk.Done.Ok;
import gantry.store.FileId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Makes many files durable together.
///
/// ```
///   few files:   fsync of each, PARALLEL at a time, which share the file system's journal commits
///   many files:  one syncfs of the whole file system ─▶ one fsync, which also empties the device's own cache
///   elsewhere:   files that lie on another file system than the root get their own fsync
/// ```
/// For:   rounds of the queue flush and clean stops, with up to tens of thousands of files.
/// Owner: `FileDisk`; safe from any thread.
/// Never: waits longer than it was told to; a sync that is under way then goes on, but no other begins.
///
/// Measured on ext4, a stop with 8,000 new queue files: 13 to 40 s with one fsync after the other, folders
/// included; 2.2 to 2.6 s so.
final class ManySyncs {
    /// From so many files on, one `syncfs` is cheaper, although it writes what others have written as well.
    static final int MANY_FILES = 64;

    private static final int PARALLEL = 8;

    /// Syncs of single things, and where they are.
    interface Single {
        Path path(FileId file);

        Done sync(FileId file);

        Done syncFolder(Path folder);

        void poison(FileId file);
    }

    private final Path root;
    private final Single single;
    private final SyncThreads threads = new SyncThreads(PARALLEL, "disk-syncs-");
    private final AtomicReference<@Nullable WholeSync> whole = new AtomicReference<>();

    ManySyncs(Path root, Single single) {
        this.root = root;
        this.single = single;
    }

    /// From now on errors of the root's file system are remembered for us; called when the root is there.
    void watch() {
        if (whole.get() == null) {
            WholeSync opened = WholeSync.open(root);
            if (opened != null && !whole.compareAndSet(null, opened)) {
                opened.close();
            }
        }
    }

    Done run(Collection<FileId> files, Collection<Path> folders, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<FileId> alone = new ArrayList<>(files);
        List<Path> names = new ArrayList<>(folders);
        WholeSync together = whole.get();
        if (together != null && files.size() + folders.size() >= MANY_FILES) {
            List<FileId> covered = new ArrayList<>(files.size());
            alone.removeIf(file -> together.covers(single.path(file)) && covered.add(file));
            List<Path> coveredNames = new ArrayList<>(folders.size());
            names.removeIf(folder -> together.covers(folder) && coveredNames.add(folder));
            AtomicBoolean told = new AtomicBoolean();
            Done done = waitFor(1, _ -> syncWhole(together, covered, told), deadline);
            if (!done.isOk()) {
                return done;
            }
            if (!told.get()) {
                // The error may be older than this process, and of a file that is none of ours: each file is asked.
                alone.addAll(covered);
                names.addAll(coveredNames);
            }
        }
        return waitFor(
                alone.size() + names.size(),
                i -> passMissing(
                        i < alone.size() ? single.sync(alone.get(i)) : single.syncFolder(names.get(i - alone.size()))),
                deadline);
    }

    void close() {
        threads.close();
        WholeSync opened = whole.getAndSet(null);
        if (opened != null) {
            opened.close();
        }
    }

    private Done syncWhole(WholeSync together, List<FileId> covered, AtomicBoolean told) {
        try {
            told.set(together.sync());
            return told.get() ? lastToEmptyTheDevice(covered) : Ok.NOTHING;
        } catch (IOException e) {
            covered.forEach(single::poison);
            return Failures.failed(root, "syncing " + covered.size() + " files on its file system", e);
        }
    }

    /// XFS, other than ext4, does not empty the device's cache at the end of `syncfs` when its journal has
    /// nothing to write; after an fsync of any file it has.
    private Done lastToEmptyTheDevice(List<FileId> covered) {
        Done done = Ok.NOTHING;
        for (int i = covered.size(); i > 0; i--) {
            done = single.sync(covered.get(i - 1));
            if (done.isOk() || (done instanceof Failed failed && failed.kind() != Kind.MISSING)) {
                return done;
            }
        }
        return passMissing(done);
    }

    private static Done passMissing(Done done) {
        return done instanceof Failed failed && failed.kind() == Kind.MISSING ? Ok.NOTHING : done;
    }

    /// Does `count` works, `PARALLEL` at a time; none begins after one has failed or the time is over.
    private Done waitFor(int count, IntFunction<Done> work, long deadline) {
        if (count == 0) {
            return Ok.NOTHING;
        }
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Failed> failure = new AtomicReference<>();
        int workers = Math.min(count, threads.count());
        CountDownLatch ended = new CountDownLatch(workers);
        for (int w = 0; w < workers; w++) {
            boolean taken = threads.run(() -> {
                try {
                    for (int i = next.getAndIncrement();
                            i < count && failure.get() == null;
                            i = next.getAndIncrement()) {
                        if (work.apply(i) instanceof Failed failed) {
                            failure.compareAndSet(null, failed);
                        }
                    }
                } finally {
                    ended.countDown();
                }
            });
            if (!taken) {
                return new Failed(Kind.IO, root + ": not synced, the disk is closed already");
            }
        }
        if (!await(ended, deadline)) {
            failure.compareAndSet(null, late(count, Math.min(count, next.get())));
        }
        Failed failed = failure.get();
        return failed == null ? Ok.NOTHING : failed;
    }

    private Failed late(int count, int begun) {
        return new Failed(
                Kind.LATE,
                root + ": syncing has not come back in time; " + begun + " of " + count
                        + " syncs had begun: the disk is slow or hangs");
    }

    private static boolean await(CountDownLatch ended, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ended.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
