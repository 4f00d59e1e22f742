package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that a store that is fed from another's log stays equal to it, and takes nothing that is not right.
class CopyTest {
    private static final StoreConfig TINY = Rig.TINY;

    private static Copying leader() throws OpenFailed {
        return new Copying(new FaultDisk(), TINY).leads();
    }

    private static Copying follower() throws OpenFailed {
        return new Copying(new FaultDisk(), TINY);
    }

    private static void sendSome(Copying leader, SplittableRandom chance, int number) {
        AppendBatch batch = leader.rig.batch();
        int count = chance.nextInt(1, 6);
        boolean unit = chance.nextBoolean();
        for (int i = 0; i < count; i++) {
            String name = "m" + number + "." + i;
            byte[] body = (name + "x".repeat(chance.nextInt(500))).getBytes(StandardCharsets.UTF_8);
            ConsumeQueue queue = leader.rig.queue(chance.nextBoolean() ? "orders" : "%RETRY%g", chance.nextInt(3));
            String tag = "t" + chance.nextInt(3);
            String properties = "UNIQ_KEY\u0001" + name + "\u0002TAGS\u0001" + tag + "\u0002";
            Rig.put(batch, queue, properties, TagsCode.of(tag), body, unit && i > 0);
        }
        leader.rig.store.append(batch);
    }

    private static void assertEqual(Copying leader, Copying follower, String when) {
        assertThat(Copying.files(follower.disk, "commitlog"))
                .as(when)
                .isEqualTo(Copying.files(leader.disk, "commitlog"));
        assertThat(follower.log.end()).as(when).isEqualTo(leader.log.end());
        for (ConsumeQueue queue : leader.rig.store.queues()) {
            ConsumeQueue copy = follower.rig.queue(queue.topic(), queue.queueId());
            assertThat(copy.next()).as("%s: %s", when, queue).isEqualTo(queue.next());
            assertThat(follower.rig.read(copy, 0)).as(when).isEqualTo(leader.rig.read(queue, 0));
        }
    }

    /// Batches, units, several files, restarts and kills on either side.
    @ParameterizedTest
    @ValueSource(ints = {64, 700, 4096, 1 << 20})
    void followerStaysByteEqualToItsLeader(int maxBytes) throws OpenFailed {
        for (long seed = 0; seed < 40; seed++) {
            SplittableRandom chance = new SplittableRandom(seed * 31 + maxBytes);
            String when = "seed " + seed + ", pieces of " + maxBytes;
            Copying leader = leader();
            Copying follower = follower();
            for (int i = 0; i < 40; i++) {
                sendSome(leader, chance, i);
                switch (chance.nextInt(8)) {
                    case 0, 1, 2 -> follower.follow(leader, maxBytes);
                    case 3 -> leader.confirm(follower.log.end());
                    case 4 -> leader.rig.pass(chance.nextInt(2000));
                    case 5 -> follower.rig.pass(chance.nextInt(2000));
                    case 6 -> leader = again(leader, chance).leads();
                    default -> follower = again(follower, chance);
                }
            }
            follower.follow(leader, maxBytes);
            leader.confirm(leader.log.end());
            follower.confirm(leader.log.end());
            assertEqual(leader, follower, when);
            for (int i = 0; i < 40; i++) {
                String key = "m" + i + ".0";
                assertThat(follower.rig.find("orders", key)).as(when).isEqualTo(leader.rig.find("orders", key));
            }
            assertThat(leader.rig.store.close() && follower.rig.store.close())
                    .as(when)
                    .isTrue();
            assertThat(Copying.files(follower.disk, "consumequeue"))
                    .as(when)
                    .isNotEmpty()
                    .isEqualTo(Copying.files(leader.disk, "consumequeue"));
            assertThat(follower.rig.faults).as(when).isEmpty();
        }
    }

    private static Copying again(Copying member, SplittableRandom chance) throws OpenFailed {
        if (chance.nextBoolean()) {
            member.rig.store.close();
        }
        Copying next = new Copying(member.disk.afterKill(), TINY);
        next.rig.wallMillis = member.rig.wallMillis;
        assertThat(next.log.confirmOffset()).isLessThanOrEqualTo(member.log.confirmOffset());
        return next;
    }

    @Test
    void membersChangeRolesWithoutBeingOpenedAgain() throws OpenFailed {
        Copying first = leader();
        Copying second = follower();
        first.rig.send(first.rig.queue("a", 0), "one");
        second.follow(first, 4096);
        second.rig.send(second.rig.queue("a", 0), "not here");
        assertThat(second.rig.told).containsExactly("refused FOLLOWING");

        first.rig.send(first.rig.queue("a", 0), "two");
        first.log.submitAlways(() -> first.log.follow("second"));
        assertThat(first.rig.told).endsWith("refused FOLLOWING", "refused FOLLOWING");
        second.follow(first, 4096);
        second.leads();
        second.rig.send(second.rig.queue("a", 0), "three");
        first.follow(second, 4096);
        second.confirm(first.log.end());
        first.confirm(second.log.end());
        assertEqual(second, first, "after the change");
        assertThat(first.rig.read(first.rig.queue("a", 0), 0)).containsExactly("one", "two", "three");
    }

    /// What no checksum of RocketMQ's format covers (topic, queue, flags, hosts) may be taken; then the log is
    /// as whole as the bytes were; the next start finds nothing wrong with it, or takes it for a hole that a
    /// loss of power left.
    @Test
    void everyFlippedBitOfACopyIsRefusedOrHarmless() throws OpenFailed {
        Copying leader = leader();
        SplittableRandom chance = new SplittableRandom(7);
        leader.rig.send(leader.rig.queue("orders", 0), "before");
        long from = leader.log.end();
        leader.rig.sendTagged(leader.rig.queue("orders", 0), "tag", "one");
        sendSome(leader, chance, 1);
        byte[] before = leader.bytes(0, from, 4096);
        byte[] good = leader.bytes(from, leader.log.end(), 4096);
        int refused = 0;
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            Copying follower = follower();
            assertThat(follower.copy(0, before).isWhole()).isTrue();
            Copied copied = follower.copy(from, bad);
            assertThat(copied.refusal()).isNull();
            assertThat(copied.end()).isEqualTo(follower.log.end());
            if (copied.end() <= from + bit / 8) {
                refused++;
                assertThat(copied.fault()).as("bit %d", bit).isNotNull();
                byte[] rest = Arrays.copyOfRange(good, (int) (copied.end() - from), good.length);
                assertThat(follower.copy(copied.end(), rest).isWhole())
                        .as("bit %d: %s", bit, copied.fault())
                        .isTrue();
                assertThat(Copying.files(follower.disk, "commitlog"))
                        .isEqualTo(Copying.files(leader.disk, "commitlog"));
                continue;
            }
            Copying again = new Copying(follower.disk.afterKill(), TINY);
            if (again.log.end() < follower.log.end()) {
                assertThat(again.rig.warnings()).as("bit %d", bit).anyMatch(text -> text.contains("with a hole"));
            } else {
                assertThat(again.rig.warnings()).as("bit %d", bit).isEmpty();
            }
        }
        assertThat(refused).isGreaterThan(good.length * 4);
    }

    @Test
    void everyFlippedBitIsRefusedWhereRecordsHaveAChecksumOfTheirOwn() throws OpenFailed {
        StoreConfig summed = TINY.withIntegrity(RecordCrcTest.WITH.integrity());
        Copying leader = new Copying(new FaultDisk(), summed).leads();
        AppendBatch batch = leader.rig.batch();
        RecordDraft draft = leader.rig
                .store
                .draft()
                .topic("a".getBytes(StandardCharsets.UTF_8))
                .body("body".getBytes(StandardCharsets.UTF_8))
                .properties("k\u0001v".getBytes(StandardCharsets.UTF_8));
        assertThat(batch.room((int) RecordWriter.sizeOf(draft))).isTrue();
        int size = RecordWriter.write(batch.staging(), draft);
        batch.add(leader.rig.queue("a", 0), 0, size, TagsCode.NONE, false);
        leader.rig.store.append(batch);
        byte[] good = leader.bytes(0, leader.log.end(), 4096);
        Copying follower = new Copying(new FaultDisk(), summed);
        // A flip in the name or the digits of the checksum leaves a record without one, or with a wrong one.
        int summedBytes = good.length - "__CRC32#_0123456789_".length();
        for (int bit = 0; bit < summedBytes * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << (bit % 8));
            Copied copied = follower.copy(0, bad);
            assertThat(copied.fault()).as("bit %d", bit).isNotNull();
            assertThat(copied.end()).as("bit %d", bit).isZero();
        }
        assertThat(follower.copy(0, good).isWhole()).isTrue();
        assertEqual(leader, follower, "the good one");
    }

    @Test
    void recordsThatAreRightInThemselvesButNotHereAreRefusedByName() throws OpenFailed {
        Copying leader = leader();
        leader.rig.wallMillis += 1000;
        leader.rig.send(leader.rig.queue("a", 0), "one", "two");
        byte[] both = leader.bytes(0, leader.log.end(), 4096);
        int size = ByteBuffer.wrap(both).getInt(0);
        byte[] second = Arrays.copyOfRange(both, size, both.length);
        Copying follower = follower();
        assertThat(follower.copy(size, second).fault()).contains("where the log ends");
        assertThat(follower.copy(0, second).fault()).contains("belongs to log offset " + size);
        assertThat(follower.copy(0, new byte[(8 << 20) + 1]).fault()).contains("8388609 bytes at once");
        assertThat(follower.copy(0, Arrays.copyOf(both, size - 1)).fault()).contains("does not end");
        assertThat(follower.log.end()).isZero();
        assertThat(follower.copy(0, both).end()).isEqualTo(both.length);

        byte[] third = second.clone();
        ByteBuffer view = ByteBuffer.wrap(third);
        view.putLong(MessageLayout.LOG_OFFSET, both.length);
        assertThat(follower.copy(both.length, third).fault()).contains("message 1 of queue a/0, which goes on at 2");
        view.putLong(MessageLayout.QUEUE_OFFSET, 2);
        view.putLong(MessageLayout.STORE_MILLIS, 5);
        assertThat(follower.copy(both.length, third).fault()).contains("was stored at 5");
        view.putLong(MessageLayout.STORE_MILLIS, leader.rig.wallMillis);
        byte[] outside = new String(third, StandardCharsets.ISO_8859_1)
                .replace("\u0001a\u0000", "\u0001/\u0000")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(follower.copy(both.length, outside).fault()).contains("cannot be a topic's name");
        assertThat(follower.copy(both.length, third).isWhole()).isTrue();
    }

    @Test
    void unusedEndOfAFileTravelsWithItsBlankAndIsChecked() throws OpenFailed {
        Copying leader = leader();
        ConsumeQueue queue = leader.rig.queue("a", 0);
        leader.rig.sendSized(queue, 3000);
        leader.rig.sendSized(queue, 2000);
        assertThat(leader.log.end()).isEqualTo(4096 + 2000);
        byte[] blank = leader.bytes(3000, leader.log.end(), 64);
        assertThat(blank).as("alone, because it is larger than was asked for").hasSize(1096);
        Copying follower = follower();
        follower.copy(0, leader.bytes(0, 3000, 4096));
        byte[] full = blank.clone();
        full[500] = 1;
        assertThat(follower.copy(3000, full).fault()).contains("that is not empty");
        assertThat(follower.copy(3000, Arrays.copyOf(blank, 500)).fault()).contains("not here as a whole");
        byte[] other = blank.clone();
        ByteBuffer.wrap(other).putInt(0, 1000);
        assertThat(follower.copy(3000, other).fault()).contains("of 1000 bytes, where 1096 are left");
        byte[] all = Arrays.copyOf(blank, 1096 + 2000);
        System.arraycopy(leader.bytes(4096, leader.log.end(), 4096), 0, all, 1096, 2000);
        assertThat(follower.copy(3000, all).isWhole())
                .as("over the edge of a file")
                .isTrue();
        assertEqual(leader, follower, "after the blank");
    }

    @Test
    void copyThatFindsTheDiskFullIsTakenLater() throws OpenFailed {
        Copying leader = leader();
        leader.rig.send(leader.rig.queue("a", 0), "one", "two");
        byte[] bytes = leader.bytes(0, leader.log.end(), 4096);
        Copying follower = follower();
        follower.disk.fullFor(file -> file.path().startsWith("commitlog"));
        Refusal refusal = follower.copy(0, bytes).refusal();
        assertThat(refusal).extracting(Refusal::kind).isEqualTo(Refusal.Kind.DISK_FULL);
        assertThat(follower.rig.queue("a", 0).next()).isZero();
        follower.disk.fullFor(_ -> false);
        follower.rig.pass(100);
        assertThat(follower.copy(0, bytes).isWhole()).isTrue();
        assertEqual(leader, follower, "when there is room");
    }

    @Test
    void copiesAreHiddenUntilTheyAreConfirmed() throws OpenFailed, DiskFailed {
        Copying leader = leader();
        leader.rig.sendKeyed(leader.rig.queue("a", 0), "key", "", "one");
        Copying follower = follower();
        follower.follow(leader, 4096);
        follower.rig.pass(2000);
        follower.rig.pass(2000);
        assertThat(follower.rig.read(follower.rig.queue("a", 0), 0)).isEmpty();
        assertThat(follower.rig.find("a", "key")).isEmpty();
        assertThat(Written.above(follower.disk, 0)).isEmpty();
        follower.confirm(follower.log.end());
        assertThat(follower.rig.read(follower.rig.queue("a", 0), 0)).containsExactly("one");
        assertThat(follower.rig.find("a", "key")).containsExactly("one");
    }

    /// What stands confirmed in the middle of a piece may be the end of a topic, for which the next piece waits.
    @Test
    void whatIsConfirmedInTheMiddleOfACopyIsShown() throws OpenFailed, DiskFailed {
        Copying leader = leader();
        ConsumeQueue queue = leader.rig.queue("a", 0);
        leader.rig.sendKeyed(queue, "k1", "", "one");
        long first = leader.log.end();
        leader.rig.sendKeyed(queue, "k2", "", "two");
        Copying follower = follower();
        follower.follow(leader, 4096);

        follower.confirm(first);

        assertThat(follower.log.confirmOffset()).isEqualTo(first);
        assertThat(follower.rig.read(follower.rig.queue("a", 0), 0)).containsExactly("one");
        follower.confirm(leader.log.end() - 1);
        assertThat(follower.log.confirmOffset()).isEqualTo(first);
    }

    /// A follower that has to take the topic that came again waits for exactly that.
    @Test
    void endOfATopicThatWasWrittenDownIsConfirmedForEver() throws OpenFailed {
        Copying leader = leader();
        leader.rig.send(leader.rig.queue("a", 0), "old");
        leader.rig.send(leader.rig.queue("facts", 0), "a is gone");
        long gone = leader.log.end();
        leader.confirm(gone);
        leader.rig.store.topicEnds().drop("a", gone, () -> {});
        leader.rig.pass(100);
        leader.rig.send(leader.rig.queue("a", 0), "new");

        Copying again = new Copying(leader.disk.afterKill(), TINY);
        assertThat(again.log.confirmOffset())
                .as("the test shows something only if no checkpoint says it")
                .isLessThan(gone);
        again.log.submitAlways(again.log::confirmThroughDrops);

        assertThat(again.log.confirmOffset()).isEqualTo(gone);
    }

    @Test
    void oldPartsOfTheLogAreFetchedOutsideAndToldWhenTheyAreThere() throws OpenFailed {
        Copying before = leader();
        before.rig.send(before.rig.queue("a", 0), "one", "two", "three");
        byte[] all = before.bytes(0, before.log.end(), 4096);
        before.rig.store.close();
        Copying leader = new Copying(before.disk.afterKill(), TINY).leads();
        leader.rig.offloadWaits = true;
        assertThat(leader.read(0, leader.log.end(), 4096)).isInstanceOf(LogPiece.Later.class);
        assertThat(leader.read(0, leader.log.end(), 4096)).isInstanceOf(LogPiece.Later.class);
        assertThat(leader.rig.offloaded).hasSize(1);
        assertThat(leader.readables).isZero();
        leader.rig.runOffloaded();
        assertThat(leader.readables).isEqualTo(1);
        assertThat(leader.bytes(0, leader.log.end(), 4096)).isEqualTo(all);
        leader.rig.send(leader.rig.queue("a", 0), "new");
        assertThat(leader.read(all.length, leader.log.end(), 4096))
                .as("what was written lately is at hand")
                .isInstanceOf(LogPiece.Whole.class);
        int size = ByteBuffer.wrap(all).getInt(0);
        assertThat(leader.bytes(0, leader.log.end(), 2 * size - 1))
                .as("whole records")
                .hasSize(size);
        assertThat(leader.bytes(0, leader.log.end(), 1)).as("the first alone").hasSize(size);
        assertThat(leader.read(0, size - 1, 4096)).isInstanceOf(LogPiece.Unreadable.class);
        assertThat(leader.read(leader.log.end(), leader.log.end() + 1, 4096)).isInstanceOf(LogPiece.Unreadable.class);
    }

    /// Messages reach over the ends of windows, and nobody waits for a window that he nears.
    @Test
    void whoReadsOldPartsOfTheLogFindsTheNextPartThere() throws OpenFailed {
        StoreConfig large = TINY.withSegmentBytes(64 << 20).withLimits(1 << 20, 64 << 20, 1000);
        Copying before = new Copying(new FaultDisk(), large).leads();
        for (int i = 0; i < 40; i++) {
            before.rig.sendSized(before.rig.queue("a", 0), 600_000);
        }
        before.confirm(before.log.end());
        long end = before.log.end();
        assertThat(before.rig.store.close()).isTrue();
        Copying leader = new Copying(before.disk.afterKill(), large).leads();
        leader.rig.offloadWaits = true;
        int waited = 0;
        long at = 0;
        while (at < end) {
            LogPiece piece = leader.read(at, end, 256 << 10);
            if (piece instanceof LogPiece.Whole whole) {
                assertThat(whole.bytes().getLong(whole.bytes().position() + 28)).isEqualTo(at);
                at += whole.bytes().remaining();
                leader.rig.runOffloaded();
            } else {
                assertThat(piece).isInstanceOf(LogPiece.Later.class);
                waited++;
                leader.rig.runOffloaded();
            }
        }
        assertThat(waited).as("for the first window alone").isEqualTo(1);
    }

    @Test
    void retentionLeavesWhatIsBeingReadForAWhile() throws OpenFailed {
        Copying before = leader();
        for (int i = 0; i < 40; i++) {
            before.rig.sendSized(before.rig.queue("a", 0), 1000);
        }
        before.confirm(before.log.end());
        before.rig.store.close();
        Copying leader = new Copying(before.disk.afterKill(), RetentionTest.THREE_FILES).leads();
        for (int i = 0; i < 10; i++) {
            assertThat(leader.bytes(0, leader.log.end(), 4096)).isNotEmpty();
            leader.rig.pass(1500);
        }
        assertThat(leader.log.begin()).isZero();
        for (int i = 0; i < 10; i++) {
            leader.rig.pass(1500);
        }
        assertThat(leader.log.begin())
                .as("three files, with the one that was made ahead")
                .isEqualTo(8 * 4096);
        assertThat(leader.read(0, leader.log.end(), 4096)).isInstanceOf(LogPiece.Unreadable.class);
    }
}
