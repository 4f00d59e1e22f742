package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.wire.message.MessageLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shows that a log whose older files are gone is copied with every message at its own offset, as RocketMQ's masters
/// have them, and that the copy can lead afterwards.
class ForeignCopyTest {
    private static final long SECOND_FILE = Rig.TINY.segmentBytes();

    private final FaultDisk disk = new FaultDisk();
    private final Copying master;

    ForeignCopyTest() throws OpenFailed {
        master = new Copying(new FaultDisk(), Rig.TINY).leads();
        for (int i = 0; i < 60; i++) {
            master.rig.send(master.rig.queue("orders", i % 2), "m" + i + "x".repeat(100));
            master.rig.pass(10);
        }
        master.confirm(master.log.end());
    }

    private Copying follower() throws OpenFailed {
        new Copying(disk, Rig.TINY).rig.store.close();
        LogBegin.at(disk, SECOND_FILE, SECOND_FILE);
        return new Copying(disk, Rig.TINY);
    }

    private static Copied take(Copying follower, long from, byte[] bytes) {
        Copied[] copied = new Copied[1];
        follower.log.submitAlways(() -> {
            copied[0] = follower.log.copyForeign(from, ByteBuffer.wrap(bytes));
            follower.log.confirm(copied[0].end());
        });
        return copied[0];
    }

    private void takeAll(Copying follower) {
        while (follower.log.end() < master.log.end()) {
            byte[] bytes = master.bytes(follower.log.end(), master.log.end(), 1000);
            assertThat(take(follower, follower.log.end(), bytes).isWhole()).isTrue();
        }
    }

    private void assertEqualToMaster(Copying follower) {
        for (int id = 0; id < 2; id++) {
            ConsumeQueue theirs = master.rig.queue("orders", id);
            ConsumeQueue ours = follower.rig.queue("orders", id);
            assertThat(ours.next()).isEqualTo(theirs.next());
            assertThat(ours.minOffset()).isPositive();
            List<String> bodies = follower.rig.read(ours, ours.minOffset());
            assertThat(bodies).isNotEmpty().isEqualTo(master.rig.read(theirs, ours.minOffset()));
        }
    }

    @Test
    void queuesGoOnWithTheOffsetsTheyHaveAtTheMasterThroughStopsAndKills() throws OpenFailed {
        Copying follower = follower();
        assertThat(follower.log.begin()).isEqualTo(SECOND_FILE);
        assertThat(follower.log.end()).isEqualTo(SECOND_FILE);
        takeAll(follower);
        assertEqualToMaster(follower);

        follower.rig.pass(2000);
        follower.rig.pass(2000);
        Copying killed = new Copying(follower.disk.afterKill(), Rig.TINY);
        killed.confirm(killed.log.end());
        assertEqualToMaster(killed);
        assertThat(killed.rig.store.close()).isTrue();

        Copying again = new Copying(killed.disk, Rig.TINY);
        assertEqualToMaster(again);
        assertThat(again.rig.warnings()).isEmpty();
        again.leads();
        long next = again.rig.queue("orders", 0).next();
        again.rig.send(again.rig.queue("orders", 0), "later");
        again.confirm(again.log.end());
        assertThat(again.rig.read(again.rig.queue("orders", 0), next)).containsExactly("later");
    }

    @Test
    void killBeforeTheFirstCheckpointLosesNoQueue() throws OpenFailed {
        Copying follower = follower();
        takeAll(follower);
        Copying killed = new Copying(follower.disk.afterKill(), Rig.TINY);
        killed.rig.rebuilt();
        killed.confirm(killed.log.end());
        assertEqualToMaster(killed);
    }

    @Test
    void clockOfTheMasterMayHaveGoneBackAndTheEndOfAFileMayHoldAnything() throws OpenFailed {
        Copying follower = follower();
        byte[] bytes = master.bytes(SECOND_FILE, 2 * SECOND_FILE, 1 << 20);
        int last = 0;
        for (int at = 0; at < bytes.length; at += ByteBuffer.wrap(bytes).getInt(at)) {
            last = at;
        }
        assertThat(ByteBuffer.wrap(bytes).getInt(last + MessageLayout.MAGIC)).isEqualTo(MessageLayout.MAGIC_BLANK);
        bytes[bytes.length - 1] = 7;
        int second = ByteBuffer.wrap(bytes).getInt(0);
        ByteBuffer.wrap(bytes).putLong(second + MessageLayout.STORE_MILLIS, 1);

        assertThat(take(follower, SECOND_FILE, Arrays.copyOf(bytes, second)).isWhole())
                .isTrue();
        byte[] behind = Arrays.copyOfRange(bytes, second, bytes.length);
        assertThat(follower.copy(SECOND_FILE + second, behind).fault()).contains("stored at 1");
        Copied rest = take(follower, SECOND_FILE + second, behind);
        assertThat(rest.isWhole()).as("%s", rest).isTrue();
        assertThat(rest.end()).isEqualTo(2 * SECOND_FILE);
    }

    @Test
    void gapInAQueueIsRefused() throws OpenFailed {
        Copying follower = follower();
        byte[] bytes = master.bytes(SECOND_FILE, 2 * SECOND_FILE, 1 << 20);
        int second = ByteBuffer.wrap(bytes).getInt(0);
        int third = second + ByteBuffer.wrap(bytes).getInt(second);
        long given = ByteBuffer.wrap(bytes).getLong(third + MessageLayout.QUEUE_OFFSET);
        ByteBuffer.wrap(bytes).putLong(third + MessageLayout.QUEUE_OFFSET, given + 1);
        Copied copied = take(follower, SECOND_FILE, bytes);
        assertThat(copied.end()).isEqualTo(SECOND_FILE + third);
        assertThat(copied.fault()).contains("goes on at");
    }

    @Test
    void queueWithoutMessagesGoesOnWhereTheMasterWouldAndOnlyThere() throws OpenFailed {
        Copying follower = follower();
        follower.log.submitAlways(() -> {
            assertThat(follower.log.beginQueue("idle", 3, 123)).isNull();
            assertThat(follower.log.beginQueue("idle", 3, 500)).isNull();
        });
        takeAll(follower);
        assertThat(follower.rig.queue("idle", 3).next()).isEqualTo(123);
        follower.rig.pass(2000);
        follower.rig.pass(2000);
        assertThat(follower.rig.store.close()).isTrue();
        Copying again = new Copying(disk, Rig.TINY).leads();
        ConsumeQueue idle = again.rig.queue("idle", 3);
        assertThat(idle.next()).isEqualTo(123);
        again.rig.send(idle, "first");
        again.confirm(again.log.end());
        assertThat(again.rig.read(idle, 123)).containsExactly("first");
    }

    /// Soon after it began no file is synced yet; some seconds later everything has to be.
    @Test
    void queueWithoutMessagesKeepsItsPlaceThroughKillsAndOnceSyncedThroughALossOfPower() throws OpenFailed {
        Copying follower = follower();
        takeAll(follower);
        follower.rig.pass(2000);
        follower.rig.pass(2000);
        follower.log.submitAlways(
                () -> assertThat(follower.log.beginQueue("idle", 3, 123)).isNull());
        Copying killed = new Copying(follower.disk.afterKill(), Rig.TINY);
        killed.rig.rebuilt();
        assertThat(killed.rig.queue("idle", 3).next()).isEqualTo(123);

        follower.rig.pass(2000);
        follower.rig.pass(2000);
        for (int seed = 0; seed < 20; seed++) {
            Copying lost = new Copying(follower.disk.afterPowerLoss(new SplittableRandom(seed)), Rig.TINY);
            assertThat(lost.rig.queue("idle", 3).next()).as("seed %s", seed).isEqualTo(123);
            assertThat(lost.rig.warnings()).as("seed %s", seed).isEmpty();
            lost.rig.store.close();
        }
        assertThat(follower.rig.store.close()).isTrue();
        Copying again = new Copying(disk, Rig.TINY);
        assertThat(again.rig.queue("idle", 3).next()).isEqualTo(123);
        assertThat(again.rig.warnings()).isEmpty();
    }

    /// More than may wait to be written: nothing of it waits.
    @Test
    void whatQueuesGaveBeforeTheLogBeginsHoldsNothingUp() throws OpenFailed {
        long before = 2L * Rig.TINY.maxUnflushedEntries();
        byte[] bytes = master.bytes(SECOND_FILE, master.log.end(), 1 << 20);
        ByteBuffer view = ByteBuffer.wrap(bytes);
        for (int at = 0; at < bytes.length; at += view.getInt(at)) {
            if (view.getInt(at + MessageLayout.MAGIC) != MessageLayout.MAGIC_BLANK) {
                long given = view.getLong(at + MessageLayout.QUEUE_OFFSET);
                view.putLong(at + MessageLayout.QUEUE_OFFSET, given + before);
            }
        }
        Copying follower = follower();
        follower.log.submitAlways(
                () -> assertThat(follower.log.beginQueue("idle", 3, before)).isNull());
        int first = view.getInt(0);
        assertThat(take(follower, SECOND_FILE, Arrays.copyOf(bytes, first)).isWhole())
                .isTrue();
        Copied rest = take(follower, SECOND_FILE + first, Arrays.copyOfRange(bytes, first, bytes.length));
        assertThat(rest.refusal()).isNull();
        assertThat(rest.isWhole()).as("%s", rest).isTrue();
        follower.rig.pass(2000);
        follower.rig.pass(2000);
        Copying killed = new Copying(follower.disk.afterKill(), Rig.TINY);
        assertThat(killed.rig.queue("idle", 3).next()).isEqualTo(before);
        assertThat(killed.rig.queue("orders", 0).next()).isGreaterThan(before);
        assertThat(killed.rig.warnings()).isEmpty();
    }

    @Test
    void logWithMessagesKeepsItsBegin() {
        master.rig.store.close();
        assertThatThrownBy(() -> LogBegin.at(master.disk, SECOND_FILE, SECOND_FILE))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("not empty");
    }

    /// Whatever operation the power goes at, the store opens empty, and the begin can be moved then.
    @Test
    void lossOfPowerWhileTheBeginMovesLeavesAnEmptyStore() throws OpenFailed {
        new Copying(disk, Rig.TINY).rig.store.close();
        for (int at = 1; at < 60; at++) {
            FaultDisk next = disk.afterKill();
            next.cutPowerAt(at);
            boolean cut = false;
            try {
                LogBegin.at(next, SECOND_FILE, SECOND_FILE);
            } catch (FaultDisk.PowerCut e) {
                cut = true;
            }
            FaultDisk after = cut ? next.afterPowerLoss(new SplittableRandom(at)) : next.afterKill();
            Copying opened = new Copying(after, Rig.TINY);
            assertThat(opened.log.end()).as("cut at %s", at).isIn(0L, SECOND_FILE);
            opened.rig.store.close();
            LogBegin.at(after, SECOND_FILE, SECOND_FILE);
            assertThat(new Copying(after, Rig.TINY).log.end()).isEqualTo(SECOND_FILE);
            if (!cut) {
                return;
            }
        }
        throw new AssertionError("the begin is never moved");
    }
}
