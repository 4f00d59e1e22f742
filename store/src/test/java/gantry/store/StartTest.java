package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that a start leaves what a crash has kept from the queue files to the queue flush, serves it from memory
/// meanwhile, and loses nothing when the next crash comes before the flush has ended.
class StartTest {
    private static final int TOPICS = 12;

    private final FaultDisk disk = new FaultDisk();

    /// Two messages in each queue, of which at most the first is in a file.
    private Rig fill(StoreConfig config, boolean firstInFiles) throws OpenFailed {
        Rig rig = new Rig(disk, config);
        sendToAll(rig, "first");
        if (firstInFiles) {
            rig.pass(500);
            rig.pass(1000);
        }
        sendToAll(rig, "second");
        return rig;
    }

    private static void sendToAll(Rig rig, String body) {
        for (int i = 0; i < TOPICS; i++) {
            rig.send(rig.queue("t" + i, 0), body);
        }
    }

    private static List<String> queueFiles(FaultDisk disk) {
        return disk.files().stream()
                .filter(name -> name.startsWith("consumequeue/"))
                .toList();
    }

    private static boolean isEmptyFrom(byte[] file, int from) {
        for (int i = from; i < file.length; i++) {
            if (file[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static void assertAllThere(Rig rig, String when, String... bodies) {
        for (int i = 0; i < TOPICS; i++) {
            assertThat(rig.read(rig.queue("t" + i, 0), 0)).as(when + ", t" + i).containsExactly(bodies);
        }
    }

    @Test
    void queueFilesAreMadeByTheFlushAndNotByTheStart() throws OpenFailed {
        fill(Rig.TINY, false);
        FaultDisk after = disk.afterKill();
        Rig rig = new Rig(after, Rig.TINY);
        assertThat(queueFiles(after)).isEmpty();
        assertAllThere(rig, "from memory", "first", "second");
        assertThat(rig.send(rig.queue("t0", 0), "third").queueOffset(0)).isEqualTo(2);

        rig.pass(500);
        rig.pass(1000);
        assertThat(queueFiles(after)).hasSize(TOPICS);
        for (int i = 1; i < TOPICS; i++) {
            assertThat(rig.queue("t" + i, 0).flushed()).isEqualTo(2);
        }
        Rig again = new Rig(after.afterKill(), Rig.TINY);
        assertThat(again.notices).singleElement().asString().contains(" 0 messages");
        assertThat(again.read(again.queue("t0", 0), 0)).containsExactly("first", "second", "third");
    }

    @Test
    void whatAFileHasBehindTheCheckpointIsCutAtTheStart() throws OpenFailed {
        fill(Rig.TINY, true);
        FaultDisk after = disk.afterKill();
        // The entry of a message that a loss of power took.
        after.overwrite("consumequeue/t0/0/" + Names.ofOffset(0), 60, new byte[] {0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 1, 0});
        Rig rig = new Rig(after, Rig.TINY);
        for (String file : queueFiles(after)) {
            assertThat(isEmptyFrom(after.bytes(file), 20)).as(file).isTrue();
            assertThat(isEmptyFrom(after.bytes(file), 0)).as(file).isFalse();
        }
        assertAllThere(rig, "half from files, half from memory", "first", "second");
    }

    @Test
    void aBlockOfEntriesOfOneQueueIsWrittenAtTheStart() throws OpenFailed {
        Rig before = new Rig(disk, Rig.TINY);
        for (int i = 0; i < QueueFlush.BLOCK_ENTRIES + 5; i++) {
            before.send(before.queue("long", 0), "m" + i);
        }
        Rig rig = new Rig(disk.afterKill(), Rig.TINY);
        assertThat(rig.queue("long", 0).flushed()).isEqualTo(QueueFlush.BLOCK_ENTRIES);
        assertThat(rig.read(rig.queue("long", 0), 0)).hasSize(QueueFlush.BLOCK_ENTRIES + 5);
    }

    /// No more waits in memory than in a store that runs.
    @Test
    void entriesBeyondTheLimitOfAStoreThatRunsAreWrittenAtTheStart() throws OpenFailed {
        fill(Rig.TINY, false);
        StoreConfig narrow = Rig.TINY.withLimits(Rig.TINY.maxRecordBytes(), Rig.TINY.maxUnsyncedBytes(), 18);
        Rig rig = new Rig(disk.afterKill(), narrow);
        long waiting = 0;
        for (ConsumeQueue queue : rig.store.queues()) {
            waiting += queue.maxOffset() - queue.flushed();
        }
        assertThat(waiting).isEqualTo(2L * TOPICS - 18);
        assertAllThere(rig, "written and not", "first", "second");
        assertThat(rig.send(rig.queue("t0", 0), "third").queueOffset(0)).isEqualTo(2);
        assertThat(rig.told).contains("confirmed t0/0:2");
    }

    /// A round that meets a full disk is gone on with later, and writes down more than its mark stands for.
    @Test
    void crashOfTheStartDoesNotTakeWhatWasWrittenDownOfAQueue() throws OpenFailed {
        Rig before = new Rig(disk, Rig.TINY);
        before.send(before.queue("a", 0), "a0");
        before.pass(500);
        disk.fullFor(file -> file.path().startsWith("consumequeue/a"));
        before.pass(1000);
        before.send(before.queue("a", 0), "a1");
        disk.fullFor(_ -> false);
        before.pass(100);
        assertThat(before.queue("a", 0).flushed()).isEqualTo(2);

        FaultDisk killed = disk.afterKill();
        Rig first = new Rig(killed, Rig.TINY);
        assertThat(first.notices).singleElement().asString().contains(" 1 messages");
        Rig second = new Rig(killed.afterKill(), Rig.TINY);
        assertThat(second.warnings()).isEmpty();
        assertThat(second.queue("a", 0).isBeingRebuilt()).isFalse();
        assertThat(second.read(second.queue("a", 0), 0)).containsExactly("a0", "a1");
        Rig unplugged = new Rig(killed.afterPowerLoss(new SplittableRandom(1)), Rig.TINY);
        assertThat(unplugged.warnings()).isEmpty();
        assertThat(unplugged.read(unplugged.queue("a", 0), 0)).containsExactly("a0", "a1");
    }

    @Test
    void topicThatIsDroppedBeforeTheFlushLeavesNothing() throws OpenFailed {
        fill(Rig.TINY, true);
        FaultDisk after = disk.afterKill();
        Rig rig = new Rig(after, Rig.TINY);
        rig.store.topicEnds().drop("t3", () -> {});
        rig.pass(500);
        rig.pass(1000);
        assertThat(queueFiles(after)).hasSize(TOPICS - 1).noneMatch(file -> file.contains("/t3/"));
        assertThat(rig.store.close()).isTrue();
        assertThat(new Rig(after, Rig.TINY).notices).isEmpty();
    }

    enum Before {
        NO_FILES,
        SOME_IN_FILES
    }

    /// The power goes, or the process, at every operation of such a start, of what is served behind it, of the flush
    /// and of the stop.
    @ParameterizedTest
    @EnumSource
    void crashBeforeTheFlushHasEndedLosesNothing(Before files) throws OpenFailed {
        StoreConfig config = Rig.TINY.withDurability(Durability.SYNCED);
        fill(config, files == Before.SOME_IN_FILES);
        for (long k = 0; ; k++) {
            FaultDisk crashed = disk.afterKill();
            crashed.cutPowerAt(k);
            List<String> sent = new ArrayList<>();
            boolean ended = false;
            try {
                serve(new Rig(crashed, config), sent);
                ended = true;
            } catch (FaultDisk.PowerCut cut) {
                assertThat(crashed.isDead()).isTrue();
            }
            for (int seed = 0; seed < 2; seed++) {
                String when = files + ", power lost at " + k + " with seed " + seed;
                assertServes(crashed.afterPowerLoss(new SplittableRandom(k * 7 + seed)), config, sent, when);
            }
            assertServes(crashed.afterKill(), config, sent, files + ", killed at " + k);
            if (ended) {
                break;
            }
        }
    }

    private static void serve(Rig rig, List<String> sent) {
        for (int i = 0; i < 5; i++) {
            String body = "later" + i;
            AppendBatch batch = rig.batch();
            Rig.put(batch, rig.queue("t0", 0), "", body.getBytes(StandardCharsets.UTF_8), false);
            rig.store.append(batch);
            if (rig.told.contains("confirmed t0/0:" + (2 + i))) {
                sent.add(body);
            }
            rig.pass(400);
        }
        rig.store.close();
    }

    private static void assertServes(FaultDisk after, StoreConfig config, List<String> sent, String when)
            throws OpenFailed {
        Rig rig = new Rig(after, config);
        assertThat(rig.warnings()).as(when).noneMatch(text -> text.contains("Consume queue"));
        List<String> known = new ArrayList<>(List.of("first", "second"));
        known.addAll(sent);
        List<String> there = rig.read(rig.queue("t0", 0), 0);
        assertThat(there).as(when).startsWith(known.toArray(String[]::new));
        assertThat(there).as(when).hasSizeLessThanOrEqualTo(known.size() + 1);
        for (int i = 1; i < TOPICS; i++) {
            assertThat(rig.read(rig.queue("t" + i, 0), 0)).as(when + ", t" + i).containsExactly("first", "second");
        }
        assertThat(rig.send(rig.queue("t0", 0), "next").queueOffset(0)).as(when).isEqualTo(there.size());
        assertThat(rig.store.close()).as(when).isTrue();
        assertThat(rig.faults).as(when).isEmpty();
        Rig again = new Rig(after, config);
        // A loss of power may tear a seal.
        assertThat(again.notices).as(when).allMatch(text -> text.contains("gantryseals"));
        assertThat(again.read(again.queue("t0", 0), 0)).as(when).hasSize(there.size() + 1);
    }
}
