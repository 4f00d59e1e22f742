package gantry.broker.session;

import gantry.base.Link;
import gantry.base.Pool;
import gantry.store.Store;
import gantry.wire.message.RecordHost;
import java.util.random.RandomGenerator;

/// Lends `AppendBurst`s to sessions, so that an idle connection holds no buffer.
///
/// For:   as many buffers as there are bursts on their way, not as many as connections.
/// Owner: none; the pool is safe from any thread.
/// Never: limits how many are on their way; the store refuses as busy.
public final class Bursts {
    /// Bursts kept for the next use, at most 64 KiB of staging each in ordinary life.
    private static final int MOST_IDLE = 128;

    private final Store store;
    private final Pool<AppendBurst> pool;

    /// @param salts tells makers of unique keys apart
    /// @param late what is said of a message that is not confirmed in time
    /// @param traffic counts the messages
    public Bursts(Store store, RecordHost storeHost, RandomGenerator salts, LateAnswer late, Traffic traffic) {
        this.store = store;
        this.pool = new Pool<>(
                MOST_IDLE,
                () -> new AppendBurst(store.draft(), storeHost, salts.nextInt(), late, traffic, this::giveBack));
    }

    AppendBurst borrow(Link link) {
        AppendBurst burst = pool.borrow();
        burst.open(link);
        return burst;
    }

    void append(AppendBurst burst) {
        if (burst.isEmpty()) {
            pool.giveBack(burst);
        } else {
            store.append(burst.batch());
        }
    }

    private void giveBack(AppendBurst burst) {
        pool.giveBack(burst);
    }
}
