package gantry.net;

import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Looks up host names away from the event loops.
///
/// For:   dialling by name without anybody waiting for a name server.
/// Owner: itself; safe from any thread.
/// Never: virtual threads: a look-up is native code and would hold their carriers.
/// Holds: NET-6 at most `THREADS` look-ups run and `MOST_WAITING` wait; more fail at once.
final class Names implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int MOST_WAITING = 1024;

    private final ThreadPoolExecutor threads;

    Names() {
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                5,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().name("net-names-", 1).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /// All addresses of `host`, in the order of preference; fails with an `UnknownHostException` or a refusal.
    CompletableFuture<InetAddress[]> lookUp(String host) {
        CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    found.complete(InetAddress.getAllByName(host));
                } catch (Exception e) {
                    found.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            found.completeExceptionally(
                    new RejectedExecutionException(MOST_WAITING + " name look-ups wait already, or it is closed", e));
        }
        return found;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
