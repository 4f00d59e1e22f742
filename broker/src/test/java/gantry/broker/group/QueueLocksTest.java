package gantry.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.body.MessageQueueRef;
import org.junit.jupiter.api.Test;

/// One orderly consumer per queue at a time.
class QueueLocksTest {
    private static final MessageQueueRef QUEUE = new MessageQueueRef("T", "b", 0);

    private final QueueLocks locks = new QueueLocks();

    @Test
    void aHeldLockIsRefusedToOthersAndRenewedByItsHolder() {
        assertThat(locks.take(QUEUE, "a", 0)).isTrue();
        assertThat(locks.take(QUEUE, "b", 1)).isFalse();
        assertThat(locks.take(QUEUE, "a", 2)).isTrue();
    }

    @Test
    void aLockThatWasNotRenewedMayBeTaken() {
        locks.take(QUEUE, "a", 0);
        assertThat(locks.take(QUEUE, "b", QueueLocks.EXPIRY_NANOS - 1)).isFalse();
        assertThat(locks.take(QUEUE, "b", QueueLocks.EXPIRY_NANOS)).isTrue();
    }

    @Test
    void onlyTheHolderReleases() {
        locks.take(QUEUE, "a", 0);
        locks.release(QUEUE, "b");
        assertThat(locks.anyLive(1)).isTrue();
        locks.release(QUEUE, "a");
        assertThat(locks.anyLive(1)).isFalse();
    }
}
