package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows a log of which somebody else says how far it is confirmed: nothing above is seen, answered, or in a
/// file.
class OwnedLogTest {
    private static final StoreConfig OWNED = Rig.TINY.withConfirmation(Confirmation.BY_OWNER);

    /// An owner who confirms when it is told to.
    private static final class Owner implements LogOwner {
        final List<String> told = new ArrayList<>();
        final MemberLog log;

        Owner(Rig rig) {
            log = rig.store.ownedBy(this);
            log.submitAlways(log::lead);
        }

        void confirm(long offset) {
            log.submitAlways(() -> log.confirm(offset));
        }

        @Override
        public void appended(long end) {
            told.add("appended " + end);
        }

        @Override
        public void durable(long end) {
            told.add("durable " + end);
        }

        @Override
        public void tick(long nowNanos) {
            told.add("tick");
        }
    }

    private static Rig rig(FaultDisk disk) throws OpenFailed {
        return new Rig(disk, OWNED);
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsSeenOrAnsweredBeforeItIsConfirmed(Durability durability) throws OpenFailed {
        Rig rig = new Rig(new FaultDisk(), OWNED.withDurability(durability));
        Owner owner = new Owner(rig);
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "one");
        long first = rig.store.appended();
        rig.send(queue, "two");
        rig.pass(600);
        assertThat(rig.told).containsExactly("written a/0:0", "written a/0:1");
        assertThat(rig.store.durable()).isEqualTo(rig.store.appended());
        assertThat(rig.read(queue, 0)).isEmpty();
        assertThat(rig.store.view(0, _ -> {})).isFalse();
        assertThat(owner.told)
                .contains("appended " + first, "appended " + owner.log.end(), "durable " + owner.log.end(), "tick");

        owner.confirm(first);
        assertThat(rig.read(queue, 0)).containsExactly("one");
        assertThat(rig.told).endsWith("confirmed a/0:0");
        assertThat(rig.store.confirmOffset()).isEqualTo(first);
        owner.confirm(owner.log.end());
        assertThat(rig.read(queue, 0)).containsExactly("one", "two");
        assertThat(rig.told).endsWith("confirmed a/0:1");
    }

    /// R015: half a message is never confirmed.
    @Test
    void confirmationTakesEffectAtEndsOfAppendsAndNeverGoesBack() throws OpenFailed {
        Rig rig = rig(new FaultDisk());
        Owner owner = new Owner(rig);
        rig.send(rig.queue("a", 0), "one");
        long first = rig.store.appended();
        rig.send(rig.queue("a", 0), "two");
        owner.confirm(first - 1);
        assertThat(rig.store.confirmOffset()).isZero();
        owner.confirm(first + 1);
        assertThat(rig.store.confirmOffset()).isEqualTo(first);
        owner.confirm(0);
        assertThat(rig.store.confirmOffset()).isEqualTo(first);
        owner.confirm(Long.MAX_VALUE);
        assertThat(rig.store.confirmOffset()).isEqualTo(rig.store.appended());
    }

    @Test
    void ownerMayConfirmWhileItIsToldOfAnAppend() throws OpenFailed {
        Rig rig = rig(new FaultDisk());
        MemberLog[] log = new MemberLog[1];
        log[0] = rig.store.ownedBy(new LogOwner() {
            @Override
            public void appended(long end) {
                log[0].confirm(end);
            }

            @Override
            public void durable(long end) {}

            @Override
            public void tick(long nowNanos) {}
        });
        log[0].submitAlways(log[0]::lead);
        rig.send(rig.queue("a", 0), "one", "two");
        assertThat(rig.told).containsExactly("written a/0:0", "confirmed a/0:0", "written a/0:1", "confirmed a/0:1");
        assertThat(rig.read(rig.queue("a", 0), 0)).containsExactly("one", "two");
    }

    @Test
    void whatIsNotConfirmedInTimeIsAnsweredLate() throws OpenFailed {
        Rig rig = rig(new FaultDisk());
        Owner owner = new Owner(rig);
        rig.send(rig.queue("a", 0), "one");
        rig.pass(Duration.ofSeconds(6).toMillis());
        assertThat(rig.told).containsExactly("written a/0:0", "late a/0:0");
        owner.confirm(owner.log.end());
        assertThat(rig.read(rig.queue("a", 0), 0)).containsExactly("one");
    }

    @Test
    void noFileTellsOfWhatIsNotConfirmed() throws OpenFailed, DiskFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, OWNED.withSegmentBytes(1 << 20));
        Owner owner = new Owner(rig);
        for (int i = 0; i < 300; i++) {
            rig.sendKeyed(rig.queue("a", i % 3), "key" + i, "", "b".repeat(1000));
        }
        long end = rig.store.appended();
        owner.confirm(end / 2);
        long confirmed = rig.store.confirmOffset();
        assertThat(confirmed).isBetween(end / 3, end / 2);
        for (int tick = 0; tick < 40; tick++) {
            rig.pass(500);
        }
        assertThat(rig.store.durable()).isEqualTo(end);
        assertThat(Written.above(disk, confirmed)).isEmpty();
        assertThat(Checkpoint.load(disk, rig).mark())
                .as("a checkpoint reaches what is settled")
                .extracting("logOffset")
                .isEqualTo(confirmed);
        assertThat(new Seals(disk, 1 << 20).sealedEnd(0)).isPositive();
        assertThat(rig.find("a", "key0")).hasSize(1);
        assertThat(rig.find("a", "key299")).as("not confirmed").isEmpty();

        owner.confirm(end);
        assertThat(rig.find("a", "key299")).hasSize(1);
        rig.store.close();
        assertThat(rig.faults).isEmpty();
        Rig again = new Rig(disk, OWNED.withSegmentBytes(1 << 20));
        assertThat(again.warnings()).isEmpty();
        assertThat(again.store.confirmOffset()).as("after a clean stop").isEqualTo(end);
        assertThat(again.read(again.queue("a", 2), 0)).hasSize(100);
    }

    /// R013: what was written and never confirmed has its offsets, and they are not given again.
    @Test
    void startHidesWhatIsNotProvenUntilItIsConfirmed() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = rig(disk);
        Owner owner = new Owner(rig);
        rig.send(rig.queue("a", 0), "one", "two");
        owner.confirm(owner.log.end());
        rig.pass(1500);
        rig.pass(1500);
        long proven = rig.store.confirmOffset();
        rig.send(rig.queue("a", 0), "three");
        rig.send(rig.queue("b", 1), "four");
        rig.pass(1500);
        assertThat(rig.store.close()).as("every message is on disk").isTrue();

        Rig again = rig(disk);
        assertThat(again.store.confirmOffset()).isEqualTo(proven);
        assertThat(again.read(again.queue("a", 0), 0)).containsExactly("one", "two");
        assertThat(again.queue("b", 1).maxOffset()).isZero();
        assertThat(again.queue("a", 0).next()).as("offsets that were given").isEqualTo(3);
        Owner next = new Owner(again);
        again.send(again.queue("a", 0), "five");
        next.confirm(next.log.end());
        assertThat(again.read(again.queue("a", 0), 0)).containsExactly("one", "two", "three", "five");
        assertThat(again.read(again.queue("b", 1), 0)).containsExactly("four");
        again.pass(1500);
        again.store.close();
        Rig last = rig(disk);
        assertThat(last.read(last.queue("a", 0), 0)).containsExactly("one", "two", "three", "five");
        assertThat(last.warnings()).isEmpty();
    }

    @Test
    void storeWithoutAnyProofIsNotOpenedForAnOwner() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("a", 0), "one");
        rig.store.close();
        disk.remove("checkpoint");
        disk.remove("checkpoint.queues");
        assertThatThrownBy(() -> rig(disk))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("/store/checkpoint does not say how far the commit log is confirmed");
    }

    @Test
    void storeThatStoodAloneIsConfirmedAsAWholeAfterACleanStop() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig alone = new Rig(disk, Rig.TINY);
        alone.send(alone.queue("a", 0), "one");
        alone.store.close();
        Rig owned = rig(disk);
        assertThat(owned.store.confirmOffset()).isEqualTo(owned.store.appended());
        assertThat(owned.read(owned.queue("a", 0), 0)).containsExactly("one");
    }

    @Test
    void storeThatConfirmsByItselfHasNoOwner() throws OpenFailed {
        Rig rig = new Rig(new FaultDisk(), Rig.TINY);
        rig.store.ownedBy(new LogOwner() {
            @Override
            public void appended(long end) {}

            @Override
            public void durable(long end) {}

            @Override
            public void tick(long nowNanos) {}
        });
        assertThat(rig.faults).singleElement().isInstanceOf(IllegalStateException.class);
    }
}
