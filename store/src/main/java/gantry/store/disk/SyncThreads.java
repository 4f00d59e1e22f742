package gantry.store.disk;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Threads that wait for syncs.
///
/// For:   keeping fsync away from whoever asks for it.
/// Owner: `FileDisk`.
/// Never: more than `COUNT` syncs at once; how many may wait is bounded by those who ask, who wait for one answer each.
final class SyncThreads {
    private static final int COUNT = 2;
    private static final int IDLE_SECONDS = 30;
    private static final int END_SECONDS = 5;

    private final ThreadPoolExecutor threads;

    SyncThreads() {
        threads = new ThreadPoolExecutor(
                COUNT,
                COUNT,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name("disk-sync-", 1).daemon(true).factory());
        threads.allowCoreThreadTimeOut(true);
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
