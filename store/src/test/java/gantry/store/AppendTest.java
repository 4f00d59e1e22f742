package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.wire.message.Check;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows how a batch gets into the log, when it is answered, and what refuses it.
class AppendTest {
    private static final StoreConfig SYNCED = Rig.TINY.withDurability(Durability.SYNCED);

    private final FaultDisk disk = new FaultDisk();

    private static RecordView recordAt(FaultDisk disk, String segment, int at) {
        ByteBuffer bytes = ByteBuffer.wrap(disk.bytes(segment));
        RecordView view = new RecordView();
        assertThat(view.wrap(bytes, at, bytes.capacity(), true)).isEqualTo(Check.OK);
        return view;
    }

    private static String segment(long base) {
        return "commitlog/" + Names.ofOffset(base);
    }

    @Test
    void recordsAreNumberedByQueueAndByPlaceInTheLog() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch batch = rig.batch();
        Rig.put(batch, rig.queue("a", 0), "one");
        Rig.put(batch, rig.queue("a", 1), "two");
        Rig.put(batch, rig.queue("a", 0), "three");
        rig.store.append(batch);

        assertThat(rig.told).containsExactly("written a/0:0+3", "confirmed a/0:0+3");
        assertThat(List.of(batch.queueOffset(0), batch.queueOffset(1), batch.queueOffset(2)))
                .containsExactly(0L, 0L, 1L);
        assertThat(batch.logOffset(1)).isEqualTo(batch.size(0));
        assertThat(batch.endOffset()).isEqualTo(rig.store.appended()).isEqualTo(rig.store.confirmOffset());
        RecordView third = recordAt(disk, segment(0), (int) batch.logOffset(2));
        assertThat(third.queueOffset()).isEqualTo(1);
        assertThat(third.logOffset()).isEqualTo(batch.logOffset(2));
        assertThat(third.storeMillis()).isEqualTo(rig.wallMillis).isEqualTo(batch.storeMillis(2));
    }

    @Test
    void oneRunOfRecordsIsOneWrite() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        int before = disk.writeCount();
        AppendBatch batch = rig.batch();
        for (int i = 0; i < 10; i++) {
            Rig.put(batch, rig.queue("a", i % 3), "message " + i);
        }
        rig.store.append(batch);

        assertThat(disk.writeCount() - before).isEqualTo(1);
    }

    @Test
    void storeMillisNeverGoesBackWhenTheClockDoes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        long first = rig.send(rig.queue("a", 0), "x").storeMillis(0);
        rig.wallMillis -= 60_000;
        assertThat(rig.send(rig.queue("a", 0), "y").storeMillis(0)).isEqualTo(first);

        rig.store.close();
        Rig again = new Rig(disk, Rig.TINY);
        again.wallMillis = first - 60_000;
        assertThat(again.send(again.queue("a", 0), "z").storeMillis(0)).isEqualTo(first);
    }

    @Test
    void recordThatLeavesExactlyEightBytesStillFitsItsSegment() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        assertThat(rig.sendSized(rig.queue("a", 0), 4096 - 8).logOffset(0)).isZero();
        assertThat(rig.sendSized(rig.queue("a", 0), 100).logOffset(0)).isEqualTo(4096);

        ByteBuffer full = ByteBuffer.wrap(disk.bytes(segment(0)));
        assertThat(full.getInt(4088)).isEqualTo(8);
        assertThat(full.getInt(4092)).isEqualTo(MessageLayout.MAGIC_BLANK);
    }

    @Test
    void recordThatWouldLeaveSevenBytesGoesToTheNextSegment() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.sendSized(rig.queue("a", 0), 1000);
        assertThat(rig.sendSized(rig.queue("a", 0), 4096 - 1000 - 7).logOffset(0))
                .isEqualTo(4096);

        ByteBuffer full = ByteBuffer.wrap(disk.bytes(segment(0)));
        assertThat(full.getInt(1000)).isEqualTo(3096);
        assertThat(full.getInt(1004)).isEqualTo(MessageLayout.MAGIC_BLANK);
        assertThat(rig.read(rig.queue("a", 0), 0)).hasSize(2);
    }

    @Test
    void unitIsNeverSplitBetweenSegments() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.sendSized(rig.queue("a", 0), 3000);
        AppendBatch batch = rig.batch();
        for (int i = 0; i < 6; i++) {
            Rig.put(batch, rig.queue("a", 1), "", new byte[200], i > 0);
        }
        rig.store.append(batch);

        assertThat(batch.logOffset(0)).isEqualTo(4096);
        assertThat(batch.endOffset()).isLessThan(8192);
        assertThat(disk.bytes(segment(0))).hasSize(4096);
    }

    @Test
    void batchMayReachOverSeveralSegments() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch batch = rig.batch();
        for (int i = 0; i < 20; i++) {
            Rig.put(batch, rig.queue("a", 0), "", ("m" + i + "x".repeat(700)).getBytes(StandardCharsets.UTF_8), false);
        }
        rig.store.append(batch);

        assertThat(rig.told).endsWith("confirmed a/0:0+20");
        assertThat(rig.read(rig.queue("a", 0), 0))
                .hasSize(20)
                .first()
                .asString()
                .startsWith("m0");
        assertThat(disk.files()).contains(segment(0), segment(4096), segment(8192), segment(12288));
    }

    @Test
    void nextSegmentIsMadeBeforeItIsNeeded() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.offloadWaits = true;
        rig.sendSized(rig.queue("a", 0), 3200);
        assertThat(rig.offloaded).as("below 80 %").isEmpty();
        rig.sendSized(rig.queue("a", 0), 200);
        assertThat(rig.offloaded).as("above 80 %").hasSize(1);
        assertThat(disk.files()).doesNotContain(segment(4096));
        rig.runOffloaded();
        assertThat(disk.files()).contains(segment(4096));
        assertThat(rig.store.appended()).isEqualTo(3400);
    }

    @Test
    void appendDoesNotWaitForASegmentThatIsStillBeingMadeButIsNotConfirmedOnIt() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        rig.offloadWaits = true;
        rig.sendSized(rig.queue("a", 0), 3500);
        rig.sendSized(rig.queue("a", 0), 3500);

        assertThat(rig.told).containsExactly("written a/0:0", "confirmed a/0:0", "written a/0:1");
        rig.runOffloaded();
        assertThat(rig.told).last().isEqualTo("confirmed a/0:1");
    }

    /// R044
    @Test
    void syncedBatchIsAnsweredAndVisibleOnlyAfterItsSync() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        ConsumeQueue queue = rig.queue("a", 0);
        queue.watched().publish(true);
        rig.send(queue, "x");

        assertThat(rig.told).containsExactly("written a/0:0");
        assertThat(queue.maxOffset()).isZero();
        assertThat(rig.store.confirmOffset()).isZero();
        assertThat(rig.woken).isEmpty();

        disk.runSyncs();

        assertThat(rig.told).containsExactly("written a/0:0", "confirmed a/0:0");
        assertThat(queue.maxOffset()).isEqualTo(1);
        assertThat(rig.store.confirmOffset()).isEqualTo(rig.store.appended());
        assertThat(rig.woken).containsExactly("a/0");
    }

    @Test
    void oneSyncCoversEverythingThatWasWrittenWhileTheLastOneWasUnderWay() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "first");
        int before = disk.syncCount();
        for (int i = 0; i < 20; i++) {
            rig.send(queue, "m" + i);
        }
        disk.runSyncs();

        assertThat(disk.syncCount() - before)
                .as("one for the first, one for the twenty")
                .isEqualTo(2);
        assertThat(rig.told.stream().filter(what -> what.startsWith("confirmed")))
                .hasSize(21);
    }

    @Test
    void batchThatDoesNotWaitIsAnsweredWhenItIsWritten() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        AppendBatch batch = rig.batch();
        Rig.put(batch, rig.queue("a", 0), "x");
        batch.waitsForSync(false);
        rig.store.append(batch);

        assertThat(rig.told).containsExactly("written a/0:0", "confirmed a/0:0");
        assertThat(rig.queue("a", 0).maxOffset()).as("visible").isZero();
        disk.runSyncs();
        assertThat(rig.queue("a", 0).maxOffset()).isEqualTo(1);
    }

    @Test
    void batchWhoseSyncTakesTooLongIsAnsweredLateAndConfirmedSilently() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        rig.send(rig.queue("a", 0), "x");
        rig.pass(4_999);
        assertThat(rig.told).containsExactly("written a/0:0");
        rig.pass(1);
        assertThat(rig.told).containsExactly("written a/0:0", "late a/0:0");
        disk.runSyncs();
        assertThat(rig.told).hasSize(2);
        assertThat(rig.read(rig.queue("a", 0), 0)).containsExactly("x");
    }

    @Test
    void writtenLogIsSyncedByTime() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("a", 0), "x");
        assertThat(rig.store.durable()).isZero();
        rig.pass(499);
        assertThat(rig.store.durable()).isZero();
        rig.pass(1);
        assertThat(rig.store.durable()).isEqualTo(rig.store.appended());
    }

    @Test
    void tooManyUnsyncedBytesAreBusyUntilTheyAreSynced() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED.withLimits(4096, 1000, 1000));
        disk.letSyncsWait();
        rig.sendSized(rig.queue("a", 0), 1001);
        rig.send(rig.queue("a", 0), "y");
        assertThat(rig.told).containsExactly("written a/0:0", "refused BUSY");

        disk.runSyncs();
        rig.send(rig.queue("a", 0), "y");
        disk.runSyncs();
        assertThat(rig.told).endsWith("written a/0:1", "confirmed a/0:1");
    }

    @Test
    void tooManyQueueEntriesInMemoryAreBusyUntilTheyAreInFiles() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withLimits(4096, 1_000_000, 3));
        rig.send(rig.queue("a", 0), "1", "2", "3", "4", "5");
        assertThat(rig.told).endsWith("confirmed a/0:3", "refused BUSY");

        rig.pass(100);
        rig.send(rig.queue("a", 0), "5");
        assertThat(rig.told).endsWith("confirmed a/0:4");
    }

    @Test
    void recordOrUnitThatCanNeverBeStoredIsTooLarge() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withLimits(2000, 1_000_000, 1000));
        rig.sendSized(rig.queue("a", 0), 2001);
        AppendBatch unit = rig.batch();
        Rig.put(unit, rig.queue("a", 0), "", new byte[1800], false);
        Rig.put(unit, rig.queue("a", 0), "", new byte[1800], true);
        Rig.put(unit, rig.queue("a", 0), "", new byte[400], true);
        rig.store.append(unit);

        assertThat(rig.told).containsExactly("refused TOO_LARGE", "refused TOO_LARGE");
        assertThat(Refusal.Kind.TOO_LARGE.retryable()).isFalse();
        assertThat(rig.store.appended()).isZero();
        rig.send(rig.queue("a", 0), "x");
        assertThat(rig.told).endsWith("confirmed a/0:0");
    }

    @Test
    void fullDiskRefusesWithoutALeftoverAndGoesOnWhenThereIsRoom() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "before");
        long end = rig.store.appended();
        disk.fullFor(file -> file.path().startsWith("commitlog"));
        List<Refusal> refusals = new ArrayList<>();
        AppendBatch batch = new AppendBatch(new Refused(refusals), 1 << 20);
        batch.reset();
        Rig.put(batch, queue, "not stored");
        rig.store.append(batch);

        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.kind()).isEqualTo(Refusal.Kind.DISK_FULL);
            assertThat(refusal.retryable()).isTrue();
            assertThat(refusal.sentence()).contains("/store/commitlog/00000000000000000000", "bytes", "full");
        });
        assertThat(rig.store.state()).isInstanceOf(State.Serving.class);
        assertThat(queue.maxOffset()).isEqualTo(1);
        assertThat(recordAt(disk, segment(0), 0).queueOffset()).isZero();
        byte[] log = disk.bytes(segment(0));
        for (int i = (int) end; i < log.length; i++) {
            assertThat(log[i]).as("byte %d behind the end", i).isZero();
        }

        disk.fullFor(file -> false);
        AppendBatch stored = rig.send(queue, "stored");
        assertThat(stored.logOffset(0)).isEqualTo(end);
        assertThat(rig.read(queue, 0)).containsExactly("before", "stored");
        assertThat(rig.notices).anyMatch(notice -> notice.startsWith("ALARM") && notice.contains("full"));
    }

    @Test
    void appendsAreRefusedUntilTheBytesOfAFailedWriteAreGoneForCertain() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.offloadWaits = true;
        disk.fullFor(file -> file.path().startsWith("commitlog"));
        rig.send(rig.queue("a", 0), "x");
        disk.fullFor(file -> false);
        rig.send(rig.queue("a", 0), "y");
        assertThat(rig.told).containsExactly("refused DISK_FULL", "refused DISK_FULL");

        rig.runOffloaded();
        rig.send(rig.queue("a", 0), "z");
        assertThat(rig.told).endsWith("confirmed a/0:0");
    }

    @Test
    void batchThatRunsIntoAFullDiskInItsSecondSegmentLeavesNothingInTheFirst() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "before");
        disk.fullFor(file -> file.name().endsWith("4096"));
        AppendBatch batch = rig.batch();
        for (int i = 0; i < 8; i++) {
            Rig.put(batch, queue, "", new byte[700], false);
        }
        rig.store.append(batch);
        assertThat(rig.told).endsWith("refused DISK_FULL");
        disk.fullFor(file -> false);
        rig.send(queue, "after");

        assertThat(rig.read(queue, 0)).containsExactly("before", "after");
        Rig killed = new Rig(disk.afterKill(), Rig.TINY);
        assertThat(killed.read(killed.queue("a", 0), 0)).containsExactly("before", "after");
        assertThat(killed.send(killed.queue("a", 0), "more").queueOffset(0)).isEqualTo(2);
    }

    @Test
    void failedSyncFencesForGoodAndReadsGoOn() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "safe");
        disk.letSyncsWait();
        rig.send(queue, "doubtful", "doubtful too");
        disk.failSyncsOf(file -> file.path().startsWith("commitlog"));
        disk.runSyncs();
        disk.failSyncsOf(file -> false);

        assertThat(rig.told).endsWith("refused FENCED", "refused FENCED");
        assertThat(rig.store.state())
                .isInstanceOfSatisfying(
                        State.Fenced.class,
                        fenced -> assertThat(fenced.reason())
                                .contains(
                                        "/store/commitlog/00000000000000000000",
                                        "Input/output error",
                                        "check the disk"));
        assertThat(rig.read(queue, 0)).containsExactly("safe");
        rig.send(queue, "more");
        assertThat(rig.told).last().isEqualTo("refused FENCED");
        assertThat(rig.notices).anyMatch(notice -> notice.startsWith("ALARM"));
        rig.pass(10_000);
        rig.store.close();
        assertThat(disk.files()).as("no clean stop").contains("abort");
    }

    @Test
    void closedStoreRefusesAndTheLastBatchesAreConfirmed() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        rig.send(rig.queue("a", 0), "x");
        rig.store.close();
        rig.send(rig.queue("a", 0), "y");

        assertThat(rig.told).containsExactly("written a/0:0", "confirmed a/0:0", "refused CLOSED");
        assertThat(disk.files()).doesNotContain("abort");
    }

    @Test
    void worksRunInLogOrderOnceTheirPlaceIsConfirmed() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        List<String> ran = new ArrayList<>();
        long first = rig.send(rig.queue("a", 0), "x").endOffset();
        long second = rig.send(rig.queue("a", 0), "y").endOffset();
        assertThat(rig.store.whenConfirmed(second, () -> ran.add("second"))).isTrue();
        assertThat(rig.store.whenConfirmed(first, () -> ran.add("first"))).isTrue();
        assertThat(rig.store.whenConfirmed(0, () -> ran.add("at once"))).isTrue();
        assertThat(ran).containsExactly("at once");
        disk.runSyncs();
        assertThat(ran).containsExactly("at once", "first", "second");
    }

    @Test
    void worksThatWaitAreBounded() throws OpenFailed {
        Rig rig = new Rig(disk, SYNCED);
        disk.letSyncsWait();
        long end = rig.send(rig.queue("a", 0), "x").endOffset();
        for (int i = 0; i < Unconfirmed.MAX_WORKS; i++) {
            assertThat(rig.store.whenConfirmed(end, () -> {})).isTrue();
        }
        assertThat(rig.store.whenConfirmed(end, () -> {})).isFalse();
    }

    @Test
    void batchGrowsItsStagingOnlyToItsBound() {
        AppendBatch batch = new AppendBatch(new Refused(new ArrayList<>()), 100_000);
        batch.reset();
        assertThat(batch.room(60_000)).isTrue();
        batch.staging().position(60_000);
        assertThat(batch.room(40_001)).isFalse();
        assertThat(batch.room(40_000)).isTrue();
    }

    @Test
    void configurationThatCannotWorkIsRefusedInOneSentence() {
        assertThatThrownBy(() -> Rig.TINY.withQueueFileBytes(30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 20");
        assertThatThrownBy(() -> Rig.TINY.withSegmentBytes(1L << 40)).hasMessageContaining("mappedFileSizeCommitLog");
        assertThat(StoreConfig.DEFAULT.syncTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    private record Refused(List<Refusal> refusals) implements AppendBatch.Listener {
        @Override
        public void written(AppendBatch batch) {
            throw new AssertionError("written");
        }

        @Override
        public void confirmed(AppendBatch batch) {
            throw new AssertionError("confirmed");
        }

        @Override
        public void late(AppendBatch batch) {
            throw new AssertionError("late");
        }

        @Override
        public void refused(AppendBatch batch, Refusal why) {
            refusals.add(why);
        }
    }
}
