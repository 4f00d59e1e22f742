package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.RecordView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that a dropped topic leaves nothing behind, and that a topic of the same name never gets its messages or its
/// offsets (R046, R060): by hand, after every way to start again, and with the power cut at every operation.
///
/// A queue file of these stores has 10 entries, so a queue that gave fewer offsets goes on at 10.
class TopicDropTest {
    private static final StoreConfig CONFIG = Rig.TINY;

    private boolean settled;

    private void drop(Rig rig, String topic) {
        settled = false;
        rig.store.topicEnds().drop(topic, () -> settled = true);
    }

    /// Brings everything to the files.
    private static void settle(Rig rig) {
        for (int i = 0; i < 4; i++) {
            rig.pass(600);
        }
    }

    private static Rig withTwoTopics(FaultDisk disk) throws OpenFailed {
        Rig rig = new Rig(disk, CONFIG);
        rig.send(rig.queue("orders", 0), "old 0", "old 1", "old 2");
        rig.send(rig.queue("orders", 1), "old 3");
        rig.send(rig.queue("audit", 0), "kept 0", "kept 1");
        return rig;
    }

    private static List<String> filesOf(Disk disk, String topic) {
        List<String> files = new ArrayList<>();
        try {
            for (Disk.FileEntry id : disk.list(QueueFiles.ROOT + "/" + topic)) {
                for (Disk.FileEntry file : disk.list(QueueFiles.ROOT + "/" + topic + "/" + id.name())) {
                    files.add(id.name() + "/" + file.name());
                }
            }
        } catch (DiskFailed e) {
            throw new AssertionError(e);
        }
        return files;
    }

    private static VerifyReport verified(Disk disk) throws OpenFailed {
        return StoreVerifier.look(disk, RecordView::tagsCode, (_, _) -> {});
    }

    @Test
    void droppedTopicLeavesNoFileAndNoQueue() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        settle(rig);
        assertThat(filesOf(disk, "orders")).hasSize(2);

        drop(rig, "orders");
        settle(rig);

        assertThat(settled).isTrue();
        assertThat(rig.store.find("orders", 0)).isNull();
        assertThat(rig.store.queues()).extracting(ConsumeQueue::topic).containsOnly("audit");
        assertThat(filesOf(disk, "orders")).isEmpty();
        assertThat(rig.read(rig.queue("audit", 0), 0)).containsExactly("kept 0", "kept 1");
        assertThat(rig.notices).isEmpty();
        assertThat(rig.faults).isEmpty();
    }

    /// What says that a topic is deleted stands behind all its messages then, for whoever reads the log in its order.
    @Test
    void closedTopicTakesNothingMoreAndIsReadUntilItIsDropped() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        ConsumeQueue queue = rig.queue("orders", 0);

        rig.store.topicEnds().close("orders");

        rig.told.clear();
        rig.send(queue, "late");
        assertThat(rig.told).containsExactly("refused GONE");
        assertThat(rig.read(queue, 0)).containsExactly("old 0", "old 1", "old 2");
        rig.send(rig.queue("audit", 0), "kept 2");
        drop(rig, "orders");
        settle(rig);
        assertThat(settled).isTrue();
        assertThat(rig.store.find("orders", 0)).isNull();
        assertThat(rig.read(rig.queue("audit", 0), 0)).containsExactly("kept 0", "kept 1", "kept 2");
    }

    @Test
    void whatNeverHadAMessageLeavesNoRow() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, CONFIG);
        rig.queue("empty", 0);
        drop(rig, "empty");
        assertThat(settled).isTrue();
        drop(rig, "unheard of");
        assertThat(settled).isTrue();
        assertThat(rig.store.topicEnds().droppedBelow("empty")).isZero();
        assertThat(disk.list("")).extracting(Disk.FileEntry::name).doesNotContain(DroppedTopics.FILE.name());
    }

    @Test
    void whoHoldsADroppedQueueCanNeitherWriteNorRead() throws OpenFailed {
        Rig rig = withTwoTopics(new FaultDisk());
        ConsumeQueue old = rig.queue("orders", 0);
        old.watched().publish(true);
        rig.woken.clear();
        drop(rig, "orders");

        assertThat(old.isDropped()).isTrue();
        assertThat(rig.woken).as("who waits for messages is woken").containsExactly("orders/0");
        rig.told.clear();
        rig.send(old, "too late");
        assertThat(rig.told).containsExactly("refused GONE");
        Fetch fetch = rig.store.fetch(old, new FetchRequest(1, 32, 1 << 20, TagCodes.ANY), (_, _) -> {
            throw new AssertionError("a message of a dropped topic was found");
        });
        assertThat(fetch.status()).isEqualTo(Fetch.Status.OFFSET_TOO_SMALL);
    }

    /// R060: until there is such a file, a RocketMQ broker that opens the store after a kill shows the old messages
    /// again.
    @Test
    void firstMessageOfANewTopicOfTheSameNameGetsItsQueueFileAtOnce() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        drop(rig, "orders");
        settle(rig);
        rig.send(rig.queue("orders", 0), "new 0");
        rig.send(rig.queue("other", 0), "other 0");
        rig.store.tick();
        assertThat(filesOf(disk, "orders")).containsExactly("0/00000000000000000200");
        assertThat(filesOf(disk, "other"))
                .as("which waits for a round, and for company")
                .isEmpty();
    }

    @Test
    void newTopicOfTheSameNameGoesOnBehindAllOffsetsOfTheOld() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        settle(rig);
        drop(rig, "orders");
        ConsumeQueue fresh = rig.queue("orders", 0);
        assertThat(fresh.minOffset()).isEqualTo(10);
        assertThat(fresh.maxOffset()).isEqualTo(10);
        assertThat(rig.queue("orders", 7).minOffset())
                .as("a queue that the old one never had")
                .isEqualTo(10);
        rig.send(fresh, "new 0", "new 1");
        Fetch stale = rig.store.fetch(fresh, new FetchRequest(3, 32, 1 << 20, TagCodes.ANY), (_, _) -> {});
        assertThat(stale.status()).isEqualTo(Fetch.Status.OFFSET_TOO_SMALL);
        assertThat(stale.nextOffset()).isEqualTo(10);
        settle(rig);
        rig.store.close();

        Rig again = new Rig(disk.afterKill(), CONFIG);
        assertThat(again.notices).isEmpty();
        assertThat(again.queue("orders", 0).minOffset()).isEqualTo(10);
        assertThat(again.queue("orders", 0).begin()).isEqualTo(10);
        assertThat(again.read(again.queue("orders", 0), 10)).containsExactly("new 0", "new 1");
        assertThat(again.queue("orders", 1).maxOffset()).isEqualTo(10);
        again.store.close();
        assertThat(verified(((FaultDisk) again.disk).afterKill()).findings()).isEmpty();
    }

    @Test
    void queuesThatAreMadeAgainFromTheLogDoNotMixTwoTopicsOfAName() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        drop(rig, "orders");
        settle(rig);
        rig.send(rig.queue("orders", 0), "new 0");
        settle(rig);
        rig.store.close();

        for (boolean checkpointToo : new boolean[] {false, true}) {
            FaultDisk lost = disk.afterKill();
            for (String topic : List.of("orders", "audit")) {
                filesOf(lost, topic)
                        .forEach(file -> lost.delete(new FileId(QueueFiles.ROOT + "/" + topic + "/" + file)));
            }
            if (checkpointToo) {
                lost.delete(Checkpoint.FILE);
            }
            Rig again = new Rig(lost, CONFIG);
            assertThat(again.read(again.queue("orders", 0), 10)).containsExactly("new 0");
            assertThat(again.queue("orders", 0).minOffset()).isEqualTo(10);
            assertThat(again.queue("orders", 1).maxOffset()).isEqualTo(10);
            assertThat(again.read(again.queue("audit", 0), 0)).containsExactly("kept 0", "kept 1");
        }
    }

    @Test
    void whatACrashLeavesOfADroppedTopicIsClearedByTheNextStart() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = withTwoTopics(disk);
        settle(rig);
        rig.offloadWaits = true;
        drop(rig, "orders");
        rig.pass(600);
        while (!settled) {
            rig.offloaded.poll().run();
        }
        FaultDisk killed = disk.afterKill();
        assertThat(filesOf(killed, "orders"))
                .as("the files, when the process dies")
                .hasSize(2);
        assertThat(verified(killed.afterKill()).badCount()).isZero();

        Rig again = new Rig(killed, CONFIG);
        assertThat(filesOf(killed, "orders")).isEmpty();
        assertThat(again.store.find("orders", 0)).isNull();
        assertThat(again.notices)
                .as("nothing is compared or rebuilt")
                .noneMatch(notice -> notice.contains("compared") || notice.contains("rebuilt"));
        assertThat(again.queue("orders", 0).maxOffset()).isEqualTo(10);
    }

    @Test
    void rowGoesWhenTheLogHasNothingOfTheTopicAnyMore() {
        DroppedTopics table = new DroppedTopics();
        table.put(new DroppedTopic("old", 100, 10), 3);
        table.put(new DroppedTopic("lives", 100, 10), 3);
        table.put(new DroppedTopic("young", 101, 10), 4);
        table.prune(100, "lives"::equals);
        assertThat(table.find("old")).isNull();
        assertThat(table.find("lives")).isNotNull();
        assertThat(table.covers("young", 100)).isTrue();
        assertThat(table.covers("young", 101)).isFalse();
        assertThat(table.entryCount()).as("offsets that were given stay given").isEqualTo(10);
    }

    @Test
    void damagedTableIsToldAndNotBelieved() throws Exception {
        FaultDisk disk = new FaultDisk();
        DroppedTopics table = new DroppedTopics();
        table.put(new DroppedTopic("a", 100, 10), 3);
        byte[] content = table.encode();
        for (int bit = 0; bit < content.length * 8; bit += 3) {
            byte[] wrong = content.clone();
            wrong[bit / 8] ^= (byte) (1 << bit % 8);
            Export.overwrite(disk, DroppedTopics.FILE, wrong);
            List<String> told = new ArrayList<>();
            assertThat(DroppedTopics.load(disk, (_, text) -> told.add(text)).count())
                    .isZero();
            assertThat(told).hasSize(1);
        }
    }

    /// RocketMQ knows no rows: it begins at 0 again, behind the place in the log that the row names.
    @Test
    void topicThatRocketMqMadeAnewIsNotTakenForTheDroppedOne() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, CONFIG);
        rig.send(rig.queue("audit", 0), "kept");
        AppendBatch anew = rig.send(rig.queue("orders", 0), "made elsewhere");
        rig.store.close();
        FaultDisk back = disk.afterKill();
        Export.overwrite(back, DroppedTopics.FILE, row("orders", anew.logOffset(0)));
        back.delete(Checkpoint.FILE);

        Rig again = new Rig(back, CONFIG);
        ConsumeQueue queue = again.queue("orders", 0);
        assertThat(queue.minOffset()).isZero();
        assertThat(again.read(queue, 0)).containsExactly("made elsewhere");
    }

    private static byte[] row(String topic, long logOffset) {
        DroppedTopics table = new DroppedTopics();
        table.put(new DroppedTopic(topic, logOffset, 10), 4);
        return table.encode();
    }

    /// Two topics of one name after each other, beside one that stays.
    private static final class Work {
        final Durability durability;
        final List<String> confirmed = new ArrayList<>();
        boolean dropAsked;
        boolean dropSettled;

        Work(Durability durability) {
            this.durability = durability;
        }

        private void send(Rig rig, String topic, int id, String body) {
            rig.told.clear();
            rig.send(rig.queue(topic, id), body);
            rig.pass(40);
            if (rig.told.stream().anyMatch(told -> told.startsWith("confirmed"))) {
                confirmed.add(body);
            }
        }

        void run(Rig rig) {
            for (int i = 0; i < 12; i++) {
                send(rig, "orders", i % 2, "old " + i);
                send(rig, "audit", 0, "kept " + i);
            }
            settle(rig);
            send(rig, "orders", 0, "old 12");
            dropAsked = true;
            rig.store.topicEnds().drop("orders", () -> dropSettled = true);
            for (int i = 0; i < 10 && !dropSettled; i++) {
                rig.pass(300);
            }
            assertThat(dropSettled).isTrue();
            for (int i = 0; i < 3; i++) {
                send(rig, "orders", 0, "new " + i);
                send(rig, "audit", 0, "kept " + (20 + i));
            }
            settle(rig);
            rig.store.close();
        }

        void check(Rig rig, boolean confirmedSurvive, String when) {
            assertThat(rig.faults).as(when).isEmpty();
            ConsumeQueue audit = rig.queue("audit", 0);
            List<String> kept = rig.read(audit, 0);
            List<String> mine = new ArrayList<>();
            for (int id = 0; id < 2; id++) {
                ConsumeQueue queue = rig.queue("orders", id);
                mine.addAll(rig.read(queue, queue.minOffset()));
                assertThat(queue.begin()).as(when).isIn(0L, 10L);
            }
            if (dropSettled) {
                assertThat(mine).as("%s: nothing of the dropped topic", when).noneMatch(body -> body.startsWith("old"));
            }
            assertThat(mine).as(when).doesNotHaveDuplicates();
            if (confirmedSurvive) {
                assertThat(kept).as(when).containsAll(confirmedOf("kept"));
                assertThat(mine).as(when).containsAll(confirmedOf("new"));
                if (!dropAsked) {
                    assertThat(mine).as(when).containsAll(confirmedOf("old"));
                }
            }
        }

        private List<String> confirmedOf(String prefix) {
            return confirmed.stream().filter(body -> body.startsWith(prefix)).toList();
        }
    }

    private static StoreConfig config(Durability durability) {
        return CONFIG.withDurability(durability);
    }

    private FaultDisk crashedAt(long operation, Work work) throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        disk.cutPowerAt(operation);
        try {
            work.run(new Rig(disk, config(work.durability)));
        } catch (FaultDisk.PowerCut cut) {
            assertThat(disk.isDead()).isTrue();
        }
        return disk;
    }

    private long operations(Durability durability) throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        new Work(durability).run(new Rig(disk, config(durability)));
        return disk.operations();
    }

    @ParameterizedTest
    @EnumSource
    void noCrashBringsADroppedTopicBackOrTakesFromTheNext(Durability durability) throws OpenFailed {
        long operations = operations(durability);
        for (long k = 0; k <= operations; k++) {
            Work work = new Work(durability);
            FaultDisk dead = crashedAt(k, work);
            String when = "killed at " + k;
            Rig killed = new Rig(dead.afterKill(), config(durability));
            work.check(killed, true, when);
            goesOn(killed, work, when);

            when = "power lost at " + k;
            Rig unplugged = new Rig(dead.afterPowerLoss(new SplittableRandom(k)), config(durability));
            work.check(unplugged, durability == Durability.SYNCED, when);
            goesOn(unplugged, work, when);
        }
    }

    /// What is confirmed after a crash survives the next one, wherever the log ended.
    private void goesOn(Rig rig, Work work, String when) throws OpenFailed {
        ConsumeQueue queue = rig.queue("orders", 0);
        long first = rig.send(queue, "later").queueOffset(0);
        settle(rig);
        Rig again = new Rig(((FaultDisk) rig.disk).afterKill(), config(work.durability));
        assertThat(again.read(again.queue("orders", 0), first)).as(when).containsExactly("later");
        assertThat(verified(((FaultDisk) again.disk).afterKill()).badCount())
                .as(when)
                .isZero();
    }
}
