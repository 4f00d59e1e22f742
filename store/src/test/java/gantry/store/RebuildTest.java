package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that a store with lost queues serves at once: new messages get their right offsets, what is not found
/// again yet is never taken for nothing, and a crash in between loses nothing.
class RebuildTest {
    private static final StoreConfig SLOW = Rig.TINY.withRebuildPiece(1000);

    private final FaultDisk disk = new FaultDisk();

    /// Queues `a/0` with 24 messages in three segments and three files, `b/0` with 12 between them, `c/0` with one.
    private Rig fill(StoreConfig config) throws OpenFailed {
        Rig rig = new Rig(disk, config);
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "a" + i + "-" + "x".repeat(300));
            if (i % 2 == 0) {
                rig.send(rig.queue("b", 0), "b" + i / 2);
            }
        }
        rig.send(rig.queue("c", 0), "c0");
        rig.pass(500);
        rig.pass(1500);
        return rig;
    }

    private static void drop(FaultDisk disk, String topic) {
        disk.files().stream()
                .filter(name -> name.startsWith("consumequeue/" + topic))
                .forEach(disk::remove);
    }

    private static void zero(FaultDisk disk, String topic) {
        disk.files().stream()
                .filter(name -> name.startsWith("consumequeue/" + topic))
                .forEach(name -> disk.overwrite(name, 0, new byte[disk.bytes(name).length]));
    }

    private static List<String> heads(Rig rig, String topic) {
        ConsumeQueue queue = rig.queue(topic, 0);
        return rig.read(queue, queue.minOffset()).stream()
                .map(body -> body.contains("-") ? body.substring(0, body.indexOf('-')) : body)
                .toList();
    }

    private static List<String> expected(String topic, int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(topic + i);
        }
        return all;
    }

    /// What a disk does not give now it may give a moment later: an entry that is left out then is left out for good.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 15})
    void readsThatFailForAMomentCostAQueueThatIsMadeAgainNothing(int failing) throws OpenFailed {
        fill(SLOW);
        for (int first = 0; first < 12; first++) {
            FaultDisk damaged = disk.afterKill();
            drop(damaged, "a");
            Rig rig = new Rig(damaged, SLOW);
            AtomicInteger reads = new AtomicInteger(-first);
            damaged.failReadsOf(file ->
                    file.path().startsWith("commitlog/") && reads.get() < failing && reads.getAndIncrement() >= 0);
            for (int i = 0; i < 60 && rig.queue("a", 0).isBeingRebuilt(); i++) {
                rig.pass(100);
            }
            assertThat(reads).as("reads that failed, and before").hasValue(failing);
            assertThat(heads(rig, "a")).isEqualTo(expected("a", 24));
            rig.store.close();
        }
    }

    @Test
    void partOfTheLogThatStaysUnreadableEndsNoRebuild() throws OpenFailed {
        fill(SLOW);
        FaultDisk damaged = disk.afterKill();
        drop(damaged, "a");
        damaged.failReads("commitlog/" + Names.ofOffset(0), 1000, 1001);
        Rig rig = new Rig(damaged, SLOW);
        for (long passed = 0; passed < QueueRebuild.PATIENCE.toMillis(); passed += 100) {
            rig.pass(100);
            assertThat(rig.queue("a", 0).isBeingRebuilt()).isTrue();
        }
        assertThat(rig.notices).anyMatch(text -> text.contains("cannot be rebuilt, and it is tried again"));
        for (int i = 0; i < 100; i++) {
            rig.pass(100);
        }
        assertThat(rig.queue("a", 0).isBeingRebuilt()).isFalse();
        assertThat(heads(rig, "a")).contains("a0", "a20", "a23").hasSizeBetween(12, 23);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void queueThatIsLostIsServedAtItsEndAndOthersWholeWhileItIsMadeAgain(boolean clean) throws OpenFailed {
        Rig before = fill(SLOW);
        if (clean) {
            before.store.close();
        }
        FaultDisk damaged = disk.afterKill();
        drop(damaged, "a");

        Rig rig = new Rig(damaged, SLOW);
        ConsumeQueue a = rig.queue("a", 0);
        assertThat(a.isBeingRebuilt()).isTrue();
        assertThat(heads(rig, "b")).isEqualTo(expected("b", 12));
        assertThat(rig.send(a, "a24").queueOffset(0)).isEqualTo(24);
        assertThat(rig.statusAt(a, 24)).isEqualTo(Fetch.Status.FOUND);
        assertThat(rig.statusAt(a, 25)).isEqualTo(Fetch.Status.NO_NEW);
        for (int offset = 0; offset < 24; offset++) {
            assertThat(rig.statusAt(a, offset)).isEqualTo(Fetch.Status.REBUILDING);
        }
        assertThat(rig.store.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.sentence()).contains("a/0", "0 %", "ends by itself"));

        rig.pass(100);
        rig.pass(100);
        rig.pass(100);
        assertThat(rig.statusAt(a, 0)).isEqualTo(Fetch.Status.FOUND);
        assertThat(rig.statusAt(a, 23)).isEqualTo(Fetch.Status.REBUILDING);
        assertThat(rig.store.offsetAt(a, 0, Boundary.UPPER)).isEqualTo(-1);

        rig.rebuilt();
        assertThat(a.isBeingRebuilt()).isFalse();
        assertThat(heads(rig, "a")).isEqualTo(expected("a", 25));
        assertThat(rig.store.troubles()).isEmpty();
        assertThat(rig.notices).anyMatch(text -> text.startsWith("INFO 1 consume queues were rebuilt"));
        rig.store.close();
        Rig again = new Rig(damaged, SLOW);
        assertThat(again.notices).isEmpty();
        assertThat(heads(again, "a")).isEqualTo(expected("a", 25));
    }

    @Test
    void onePassOfTheLogServesAllLostQueues() throws OpenFailed {
        fill(SLOW).store.close();
        int[] ticks = new int[2];
        for (int i = 0; i < 2; i++) {
            FaultDisk damaged = disk.afterKill();
            drop(damaged, "a");
            if (i == 1) {
                drop(damaged, "b");
                zero(damaged, "c");
            }
            Rig rig = new Rig(damaged, SLOW);
            while (rig.isRebuilding()) {
                rig.pass(100);
                ticks[i]++;
            }
            assertThat(heads(rig, "a")).isEqualTo(expected("a", 24));
            assertThat(heads(rig, "b")).isEqualTo(expected("b", 12));
            assertThat(heads(rig, "c")).isEqualTo(expected("c", 1));
        }
        assertThat(ticks[0]).isGreaterThan(5).isEqualTo(ticks[1]);
    }

    @Test
    void progressIsToldEveryTenSeconds() throws OpenFailed {
        fill(SLOW).store.close();
        drop(disk, "a");
        Rig rig = new Rig(disk, SLOW);
        for (int i = 0; i < 8; i++) {
            rig.pass(4000);
        }
        assertThat(rig.notices)
                .filteredOn(text -> text.contains("MiB are read"))
                .hasSize(2);
    }

    @Test
    void consumersAreWokenByWhatIsFoundAgain() throws OpenFailed {
        fill(SLOW).store.close();
        drop(disk, "a");
        Rig rig = new Rig(disk, SLOW);
        rig.queue("a", 0).watched().publish(true);
        rig.rebuilt();
        assertThat(rig.woken).contains("a/0");
    }

    @Test
    void startThatNeedsALostQueueCanWaitForIt() throws OpenFailed {
        fill(SLOW).store.close();
        drop(disk, "a");
        Rig rig = new Rig(disk, SLOW);
        rig.store.awaitReadable(rig.queue("a", 0), 5);
        assertThat(rig.store.isReadable(rig.queue("a", 0), 5)).isTrue();
        assertThat(rig.statusAt(rig.queue("a", 0), 23)).isEqualTo(Fetch.Status.REBUILDING);
        rig.store.awaitReadable(rig.queue("a", 0), 23);
        assertThat(rig.statusAt(rig.queue("a", 0), 23)).isEqualTo(Fetch.Status.FOUND);
    }

    /// The messages went with the head of the log, and the files were lost: only the checkpoint's list knows the queue.
    @Test
    void queueWhoseMessagesAndFilesAreLostGoesOnBehindThem() throws OpenFailed {
        Rig rig = new Rig(disk, SLOW);
        rig.send(rig.queue("gone", 0), "one", "two", "three");
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "a" + i + "-" + "x".repeat(300));
        }
        rig.store.close();
        drop(disk, "gone");
        disk.remove("commitlog/" + Names.ofOffset(0));

        Rig again = new Rig(disk, SLOW);
        assertThat(again.send(again.queue("gone", 0), "four").queueOffset(0)).isEqualTo(3);
        again.rebuilt();
        assertThat(again.queue("gone", 0).minOffset()).isEqualTo(3);
        assertThat(again.read(again.queue("gone", 0), 3)).containsExactly("four");
    }

    @Test
    void stopInBetweenIsCleanAndTheNextStartBeginsAnew() throws OpenFailed {
        fill(SLOW).store.close();
        zero(disk, "a");
        Rig first = new Rig(disk, SLOW);
        first.send(first.queue("a", 0), "a24");
        first.pass(100);
        assertThat(first.isRebuilding()).isTrue();
        assertThat(first.store.close()).isTrue();

        Rig second = new Rig(disk, SLOW);
        assertThat(second.warnings()).singleElement().asString().contains("a/0 was being rebuilt");
        assertThat(second.send(second.queue("a", 0), "a25").queueOffset(0)).isEqualTo(25);
        assertThat(heads(second.rebuilt(), "a")).isEqualTo(expected("a", 26));
    }

    @Test
    void checkpointMovesOnMeanwhileSoThatAKillCostsOnlyTheRebuild() throws OpenFailed {
        fill(SLOW).store.close();
        drop(disk, "a");
        Rig first = new Rig(disk, SLOW.withRebuildPiece(1));
        first.send(first.queue("b", 0), "b12");
        for (int i = 0; i < 5; i++) {
            first.pass(600);
        }
        assertThat(first.isRebuilding()).isTrue();
        long reached = first.store.appended();

        Rig second = new Rig(disk.afterKill(), SLOW);
        assertThat(second.notices)
                .anyMatch(text -> text.contains("from logOffset " + reached + " on") && text.contains(" 0 messages"));
        assertThat(heads(second.rebuilt(), "a")).isEqualTo(expected("a", 24));
        assertThat(heads(second, "b")).isEqualTo(expected("b", 13));
    }

    @Test
    void diskThatFailsInBetweenIsNamedAndTheRebuildGoesOnAfterwards() throws OpenFailed {
        fill(SLOW).store.close();
        drop(disk, "a");
        Rig rig = new Rig(disk, SLOW);
        disk.fullFor(file -> file.path().startsWith("consumequeue/a"));
        for (int i = 0; i < 40; i++) {
            rig.pass(100);
        }
        assertThat(rig.store.troubles()).anyMatch(trouble -> trouble.sentence().contains("tried again"));
        assertThat(rig.notices).anyMatch(text -> text.startsWith("ALARM Consume queues cannot be rebuilt"));
        disk.fullFor(_ -> false);
        assertThat(heads(rig.rebuilt(), "a")).isEqualTo(expected("a", 24));
    }

    enum Harm {
        DROPPED,
        ZEROED,
        BOTH
    }

    private static void befall(Harm harm, FaultDisk damaged) {
        switch (harm) {
            case DROPPED -> drop(damaged, "a");
            case ZEROED -> zero(damaged, "a");
            case BOTH -> {
                drop(damaged, "a");
                zero(damaged, "b");
            }
        }
    }

    /// Serves while it rebuilds, until the power goes.
    private static void serve(Rig rig, List<String> sent, Consumer<Rig> atEnd) {
        for (int i = 0; i < 14; i++) {
            String body = "a" + (24 + sent.size());
            AppendBatch batch = rig.batch();
            Rig.put(batch, rig.queue("a", 0), "t", body.getBytes(StandardCharsets.UTF_8), false);
            rig.store.append(batch);
            if (rig.told.contains("confirmed a/0:" + (24 + sent.size()))) {
                sent.add(body);
            }
            rig.pass(300);
        }
        atEnd.accept(rig);
    }

    /// The power goes at every operation of a start with lost queues, of their rebuild and of the stop behind it.
    @ParameterizedTest
    @EnumSource(Harm.class)
    void lossOfPowerInBetweenLosesNothing(Harm harm) throws OpenFailed {
        StoreConfig config = SLOW.withDurability(Durability.SYNCED);
        fill(config).store.close();
        for (long k = 0; ; k += harm == Harm.BOTH ? 1 : 3) {
            FaultDisk damaged = disk.afterKill();
            befall(harm, damaged);
            damaged.cutPowerAt(k);
            List<String> sent = new ArrayList<>();
            boolean ended = false;
            try {
                serve(new Rig(damaged, config), sent, rig -> rig.store.close());
                ended = true;
            } catch (FaultDisk.PowerCut cut) {
                assertThat(damaged.isDead()).isTrue();
            }
            for (int seed = 0; seed < 3; seed++) {
                String when = harm + ", power lost at " + k + " with seed " + seed;
                assertServes(damaged.afterPowerLoss(new SplittableRandom(k * 7 + seed)), config, sent, when);
            }
            assertServes(damaged.afterKill(), config, sent, harm + ", killed at " + k);
            if (ended) {
                break;
            }
        }
    }

    private static void assertServes(FaultDisk after, StoreConfig config, List<String> sent, String when)
            throws OpenFailed {
        Rig rig = new Rig(after, config);
        List<String> a = heads(rig, "a");
        assertThat(a).as(when).startsWith(expected("a", 24 + sent.size()).toArray(String[]::new));
        assertThat(a).as(when).hasSizeLessThanOrEqualTo(24 + sent.size() + 1);
        assertThat(rig.queue("a", 0).maxOffset()).as(when).isEqualTo(a.size());
        assertThat(heads(rig, "b")).as(when).isEqualTo(expected("b", 12));
        assertThat(heads(rig, "c")).as(when).isEqualTo(expected("c", 1));
        assertThat(rig.send(rig.queue("a", 0), "next").queueOffset(0)).as(when).isEqualTo(a.size());
        rig.rebuilt().store.close();
        assertThat(rig.faults).as(when).isEmpty();
        Rig again = new Rig(after, config);
        assertThat(again.notices).as(when).isEmpty();
        assertThat(heads(again, "a")).as(when).hasSize(a.size() + 1);
    }
}
