package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that a crash of a store that somebody owns loses nothing that was on disk, and finds no file that
/// tells of what was not confirmed: the process or the power goes at every operation of a workload of which the
/// last part is never confirmed.
class OwnedCrashTest {
    private static final String BODY = "b".repeat(300);

    private static StoreConfig config(Durability durability) {
        return Rig.TINY.withConfirmation(Confirmation.BY_OWNER).withDurability(durability);
    }

    /// Confirms what lies some appends back.
    private static final class LateOwner implements LogOwner {
        final List<Long> ends = new ArrayList<>();
        final MemberLog log;

        LateOwner(Rig rig) {
            log = rig.store.ownedBy(this);
            log.submitAlways(log::lead);
        }

        @Override
        public void appended(long end) {
            ends.add(end);
            if (ends.size() > 3) {
                log.confirm(ends.get(ends.size() - 4));
            }
        }

        @Override
        public void durable(long end) {}

        @Override
        public void tick(long nowNanos) {}
    }

    private static final class Run {
        final FaultDisk disk = new FaultDisk();

        @Nullable
        Rig rig;

        final List<String> sent = new ArrayList<>();

        void work(Durability durability) throws OpenFailed {
            try {
                Rig opened = new Rig(disk, config(durability));
                rig = opened;
                new LateOwner(opened);
                for (int i = 0; i < 24; i++) {
                    String body = i + BODY;
                    sent.add(body);
                    opened.sendKeyed(opened.queue("a", 0), "key" + i, "", body);
                    opened.pass(i % 3 == 0 ? 700 : 200);
                }
                opened.store.close();
            } catch (FaultDisk.PowerCut cut) {
                assertThat(disk.isDead()).isTrue();
            }
        }

        long settled() {
            Rig opened = rig;
            return opened == null ? 0 : Math.min(opened.store.confirmOffset(), opened.store.durable());
        }

        long durable() {
            Rig opened = rig;
            return opened == null ? 0 : opened.store.durable();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noFileTellsOfWhatIsNotConfirmedAtAnyMomentOfACrash(Durability durability) throws OpenFailed, DiskFailed {
        Run whole = new Run();
        whole.work(durability);
        long operations = whole.disk.operations();
        assertThat(operations).isGreaterThan(100);
        for (long k = 0; k <= operations; k++) {
            Run run = new Run();
            run.disk.cutPowerAt(k);
            run.work(durability);
            long settled = run.settled();
            assertSound(run, run.disk.afterKill(), settled, durability, "killed at " + k);
            assertSound(
                    run, run.disk.afterPowerLoss(new SplittableRandom(k)), settled, durability, "power lost at " + k);
        }
    }

    private static void assertSound(Run run, FaultDisk disk, long settled, Durability durability, String when)
            throws OpenFailed, DiskFailed {
        assertThat(Written.above(disk, settled)).as(when).isEmpty();
        long durable = run.durable();
        Rig rig = new Rig(disk, config(durability));
        assertThat(rig.store.confirmOffset()).as(when).isLessThanOrEqualTo(settled);
        assertThat(rig.store.appended()).as(when).isGreaterThanOrEqualTo(durable);
        ConsumeQueue queue = rig.queue("a", 0);
        List<String> shown = rig.read(queue, 0);
        assertThat(run.sent.subList(0, shown.size())).as(when).isEqualTo(shown);
        assertThat(Written.above(disk, settled)).as(when + ", opened").isEmpty();

        MemberLog log = rig.store.ownedBy(new LateOwner(rig));
        rig.pass(1500);
        assertThat(Written.above(disk, settled))
                .as(when + ", opened, after a while")
                .isEmpty();
        log.submitAlways(() -> log.confirm(log.end()));
        rig.pass(1500);
        List<String> all = rig.read(queue, 0);
        assertThat(run.sent.subList(0, all.size())).as(when).isEqualTo(all);
        for (int i = 0; i < all.size(); i++) {
            assertThat(rig.find("a", "key" + i)).as(when).containsExactly(all.get(i));
        }
        assertThat(rig.store.close()).as(when).isTrue();
        assertThat(rig.faults).as(when).isEmpty();
        Rig again = new Rig(disk, config(durability));
        assertThat(again.read(again.queue("a", 0), 0)).as(when).isEqualTo(all);
        // A loss of power may tear seals; then they are none.
        assertThat(again.warnings()).as(when).allMatch(text -> text.contains("it is thrown away"));
    }
}
