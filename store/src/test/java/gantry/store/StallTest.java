package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Shows what a disk that is slow, or a clock that jumps, does to sends: nothing, or something with a name.
class StallTest {
    private final FaultDisk disk = new FaultDisk();

    /// R067, R068: a sync of 300 ms is nobody's business when nobody waits for it.
    @Test
    void slowSyncRefusesNothing() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("T", 0);
        disk.letSyncsWait();
        for (int i = 0; i < 20; i++) {
            rig.send(queue, "m" + i);
            rig.pass(100);
            if (i % 3 == 2) {
                disk.runSyncs();
            }
        }

        assertThat(rig.told).noneMatch(told -> told.startsWith("refused") || told.startsWith("late"));
        assertThat(rig.store.troubles()).isEmpty();
        assertThat(rig.notices).isEmpty();
    }

    @Test
    void syncThatDoesNotComeBackIsATroubleUntilItDoes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        disk.letSyncsWait();
        rig.send(rig.queue("T", 0), "m");
        rig.pass(600);

        for (int i = 0; i < 9; i++) {
            rig.pass(1000);
        }

        assertThat(rig.store.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.kind()).isEqualTo(Trouble.Kind.SYNC_STALLED))
                .extracting(Trouble::sentence)
                .asString()
                .contains("/store/commitlog", "9 s");
        assertThat(rig.notices).anyMatch(notice -> notice.startsWith("ALARM") && notice.contains("/store/commitlog"));

        disk.runSyncs();
        rig.pass(100);

        assertThat(rig.store.troubles()).isEmpty();
    }

    @Test
    void roundOfTheQueuesThatDoesNotComeBackIsATroubleUntilItDoes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("T", 0), "m");
        rig.pass(600);
        rig.offloadWaits = true;
        rig.pass(1000);

        for (int i = 0; i < 9; i++) {
            rig.pass(1000);
        }

        assertThat(rig.store.troubles()).extracting(Trouble::kind).contains(Trouble.Kind.QUEUES_STALLED);
        assertThat(rig.notices).anyMatch(notice -> notice.contains("/store/consumequeue"));

        rig.offloadWaits = false;
        rig.runOffloaded();
        rig.pass(100);

        assertThat(rig.store.troubles()).isEmpty();
    }

    /// R069: durations come from the clock that does not jump.
    @Test
    void clockThatJumpsRefusesNothingAndIsNoStall() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withDurability(Durability.SYNCED));
        ConsumeQueue queue = rig.queue("T", 0);
        for (int i = 0; i < 20; i++) {
            rig.wallMillis += (i % 2 == 0 ? 1 : -1) * Duration.ofHours(1).toMillis();
            rig.send(queue, "m" + i);
            rig.pass(100);
        }

        assertThat(rig.told).filteredOn(told -> told.startsWith("confirmed")).hasSize(20);
        assertThat(rig.told).noneMatch(told -> told.startsWith("refused") || told.startsWith("late"));
        assertThat(rig.store.troubles()).isEmpty();
    }
}
