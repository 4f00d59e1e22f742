package gantry.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Shows that a leased resource is closed once, and never under a user.
class LeaseTest {
    private final AtomicInteger closed = new AtomicInteger();
    private final Lease lease = new Lease(closed::incrementAndGet);

    @Test
    void resourceIsClosedWhenOwnerEndsAndNobodyUsesIt() {
        assertThat(lease.take()).isTrue();
        lease.giveBack();
        assertThat(closed).hasValue(0);

        lease.end();

        assertThat(closed).hasValue(1);
        assertThat(lease.take()).isFalse();
    }

    @Test
    void lastUserClosesWhatItsOwnerHasEnded() {
        assertThat(lease.take()).isTrue();
        assertThat(lease.take()).isTrue();

        lease.end();
        lease.giveBack();
        assertThat(closed).hasValue(0);
        assertThat(lease.take()).as("somebody still uses it").isTrue();
        lease.giveBack();
        lease.giveBack();

        assertThat(closed).hasValue(1);
    }

    @Test
    void leaseThatIsGivenBackTooOftenIsAFaultOfOurs() {
        lease.end();

        assertThatThrownBy(lease::giveBack).isInstanceOf(Invariant.Broken.class).hasMessageContaining("LEASE-1");
        assertThat(closed).hasValue(1);
    }

    @Test
    void usersOnManyThreadsNeverMeetAClosedResource() throws InterruptedException {
        AtomicInteger met = new AtomicInteger();
        Thread[] users = new Thread[4];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(() -> {
                while (lease.take()) {
                    if (closed.get() > 0) {
                        met.incrementAndGet();
                    }
                    lease.giveBack();
                }
            });
            users[i].start();
        }
        lease.end();
        for (Thread user : users) {
            user.join();
        }

        assertThat(met).hasValue(0);
        assertThat(closed).hasValue(1);
    }
}
