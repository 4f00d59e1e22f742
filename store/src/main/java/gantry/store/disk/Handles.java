package gantry.store.disk;

import gantry.store.FileId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Open files, as many as the bound allows.
///
/// For:   reading and writing tens of thousands of files with far fewer handles.
/// Owner: itself; safe from any thread.
/// Never: closes a handle that somebody uses; so many users at once may exceed the bound by their number.
final class Handles {
    /// How many of the longest unused handles go at once when there are too many.
    private static final int EVICTED_SHARE = 8;

    /// One open file; `users` is -1 once it is closed.
    static final class Handle {
        final FileChannel channel;
        private final AtomicInteger users = new AtomicInteger();
        private volatile long lastUsed;

        Handle(FileChannel channel) {
            this.channel = channel;
        }

        private boolean enter() {
            int now = users.get();
            while (now >= 0) {
                if (users.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = users.get();
            }
            return false;
        }

        void leave() {
            users.decrementAndGet();
        }

        /// @return true when it was idle and is closed now
        private boolean closeIfIdle() {
            if (!users.compareAndSet(0, -1)) {
                return false;
            }
            closeQuietly(channel);
            return true;
        }
    }

    /// A handle and when it was used last, as seen once: sorting needs values that stand still.
    private record Aged(FileId file, Handle handle, long lastUsed) {}

    private final ConcurrentHashMap<FileId, Handle> open = new ConcurrentHashMap<>();
    private final AtomicLong uses = new AtomicLong();
    private final int limit;
    private final Function<FileId, Path> paths;
    private final Set<OpenOption> options;
    private final Object evicting = new Object();

    /// @param paths is asked only when a file is opened
    Handles(int limit, Function<FileId, Path> paths) {
        this(limit, paths, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /// @param options with which files are opened
    Handles(int limit, Function<FileId, Path> paths, Set<OpenOption> options) {
        this.limit = limit;
        this.paths = paths;
        this.options = options;
    }

    /// Opens an existing file, or finds it open; `leave` must follow.
    ///
    /// @throws java.nio.file.NoSuchFileException when there is none
    Handle enter(FileId file) throws IOException {
        while (true) {
            Handle handle = open.get(file);
            if (handle == null) {
                handle = openNew(file);
            }
            if (handle.enter()) {
                if (handle.channel.isOpen()) {
                    handle.lastUsed = uses.incrementAndGet();
                    return handle;
                }
                // An interrupted thread closes the channel it works on; the next user opens it anew.
                handle.leave();
            }
            open.remove(file, handle);
        }
    }

    /// Closes the file's handle, for a file that is renamed or deleted.
    void forget(FileId file) {
        Handle handle = open.remove(file);
        if (handle != null && !handle.closeIfIdle()) {
            // Whoever uses it right now gets an error, which a deleted file would give it as well.
            closeQuietly(handle.channel);
        }
    }

    int count() {
        return open.size();
    }

    void closeAll() {
        for (FileId file : List.copyOf(open.keySet())) {
            forget(file);
        }
    }

    private Handle openNew(FileId file) throws IOException {
        if (open.size() >= limit) {
            evict();
        }
        Handle fresh = new Handle(FileChannel.open(paths.apply(file), options));
        @Nullable Handle there = open.putIfAbsent(file, fresh);
        if (there == null) {
            return fresh;
        }
        closeQuietly(fresh.channel);
        return there;
    }

    private void evict() {
        synchronized (evicting) {
            if (open.size() < limit) {
                return;
            }
            List<Aged> byAge = new ArrayList<>(open.size());
            open.forEach((file, handle) -> byAge.add(new Aged(file, handle, handle.lastUsed)));
            byAge.sort(Comparator.comparingLong(Aged::lastUsed));
            int wanted = Math.max(1, limit / EVICTED_SHARE);
            for (Aged aged : byAge) {
                if (aged.handle.closeIfIdle()) {
                    open.remove(aged.file, aged.handle);
                    if (--wanted == 0) {
                        return;
                    }
                }
            }
        }
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing rests on it: what must be durable was synced, and the operating system keeps the rest.
        }
    }
}
