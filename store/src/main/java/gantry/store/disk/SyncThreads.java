package gantry.store.disk;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Threads that wait for syncs.
///
/// For:   keeping fsync away from whoever asks for it.
/// Owner: `FileDisk`.
/// Never: more than `count` syncs at once; how many may wait is bounded by those who ask, who wait for one
///        answer each.
final class SyncThreads {
    private static final int IDLE_SECONDS = 30;

    /// Whoever needed them to finish has waited for them already.
    private static final int END_SECONDS = 1;

    private final int count;
    private final ThreadPoolExecutor threads;

    /// @param name of the threads, which get a number behind it
    SyncThreads(int count, String name) {
        this.count = count;
        threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name, 1).daemon(true).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    int count() {
        return count;
    }

    /// @return false when they have ended
    boolean run(Runnable sync) {
        try {
            threads.execute(sync);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /// Lets running syncs finish, for a bounded time.
    void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
