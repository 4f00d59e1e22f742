package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shows what happens to a store whose log loses its head, and to one that runs out of room.
class RetentionTest {
    private static final int RECORD_BYTES = 1000;
    private static final int PER_SEGMENT = 4;
    private static final long MIB = 1 << 20;
    private static final RetentionConfig RULES = RetentionConfig.DEFAULT.withFreeBytes(0, 64 * MIB);

    /// Keeps three files of four messages each, whatever their age.
    static final StoreConfig THREE_FILES = Rig.TINY.withRetention(RULES.keeping(Duration.ofDays(3), 3 * 4096));

    private final FaultDisk disk = new FaultDisk();

    private static void fill(Rig rig, ConsumeQueue queue, int messages) {
        for (int i = 0; i < messages; i++) {
            rig.sendSized(queue, RECORD_BYTES);
        }
    }

    /// Long enough for syncs, a checkpoint, and two rounds of retention.
    private static void settle(Rig rig) {
        for (int i = 0; i < 8; i++) {
            rig.pass(700);
        }
    }

    private static Fetch fetch(Rig rig, ConsumeQueue queue, long from) {
        return rig.store.fetch(queue, new FetchRequest(from, 32, 1 << 20, TagCodes.ANY), (_, _) -> {});
    }

    @Test
    void headGoesAndQueuesBeginLaterAndWhoAsksForLessIsToldWhereTheyBegin() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 40);

        settle(rig);

        assertThat(rig.store.minOffset()).isEqualTo(7 * 4096);
        assertThat(queue.minOffset()).isEqualTo(7 * PER_SEGMENT);
        assertThat(queue.maxOffset()).isEqualTo(40);
        assertThat(fetch(rig, queue, 0))
                .extracting(Fetch::status, Fetch::nextOffset)
                .containsExactly(Fetch.Status.OFFSET_TOO_SMALL, 28L);
        assertThat(rig.read(queue, 28)).hasSize(12);
        assertThat(disk.files().stream().filter(file -> file.startsWith("commitlog")))
                .as("three, and the next one")
                .hasSize(4);
        assertThat(disk.files().stream().filter(file -> file.startsWith("consumequeue")))
                .as("ten entries a file: 20 to 29 and 30 to 39")
                .hasSize(2);
        assertThat(rig.notices).anyMatch(notice -> notice.contains("maxCommitLogBytes") && notice.contains("28672"));
    }

    @Test
    void otherLimitsHoldWhileTheStoreIsOpen() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withRetention(RULES));
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 40);
        settle(rig);
        assertThat(rig.store.minOffset()).isZero();

        rig.store.retain(RULES.keeping(Duration.ofDays(3), 3 * 4096));
        settle(rig);

        assertThat(rig.store.minOffset()).isEqualTo(7 * 4096);
    }

    /// A deleted file goes on taking writes for as long as it is open: nobody would be told until the next start.
    @Test
    void fileOfTheLogThatSomebodyTakesAwayFencesTheStore() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 10);
        settle(rig);
        assertThat(disk.delete(Segments.fileAt(4096)).isOk()).isTrue();

        settle(rig);

        rig.told.clear();
        rig.send(queue, "one more");
        assertThat(rig.told).containsExactly("refused FENCED");
        assertThat(rig.notices)
                .anyMatch(notice -> notice.startsWith("ALARM")
                        && notice.contains("commitlog/00000000000000004096 is not there any more")
                        && notice.contains("restart"));
        assertThat(rig.read(queue, 0)).as("what was there can be read").hasSize(10);
        assertThat(rig.store.close()).as("a clean stop").isFalse();
    }

    @Test
    void storeWithoutAHeadIsOpenedAgainAndGoesOnWithTheNextOffset() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        fill(rig, rig.queue("T", 0), 40);
        rig.send(rig.queue("early", 0), "gone");
        settle(rig);
        fill(rig, rig.queue("T", 0), 20);
        settle(rig);
        ConsumeQueue early = rig.queue("early", 0);
        assertThat(early.minOffset()).isEqualTo(1);

        for (boolean clean : new boolean[] {true, false}) {
            if (clean) {
                assertThat(rig.store.close()).isTrue();
            }
            rig = new Rig(disk.afterKill(), THREE_FILES);
            ConsumeQueue queue = rig.queue("T", 0);
            assertThat(queue.maxOffset()).isEqualTo(60);
            assertThat(rig.read(queue, queue.minOffset())).isNotEmpty();
            early = rig.queue("early", 0);
            assertThat(early.minOffset()).isEqualTo(1);
            assertThat(rig.send(early, "next").queueOffset(0)).isEqualTo(1);
        }
    }

    @Test
    void mappingThatSomebodyReadsIsClosedWhenHeIsDone() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 12);
        List<Integer> closed = new ArrayList<>();

        Fetch found = rig.store.fetch(queue, new FetchRequest(0, 2, 1 << 20, TagCodes.ANY), (_, ranges) -> {
            fill(rig, queue, 12);
            settle(rig);
            closed.add(disk.closedMappings());
            assertThat(Rig.bodies(ranges)).hasSize(2);
        });

        assertThat(found.status()).isEqualTo(Fetch.Status.FOUND);
        assertThat(rig.store.minOffset()).isEqualTo(3 * 4096);
        assertThat(closed)
                .as("of the three that went, the one in use is still mapped")
                .containsExactly(2);
        assertThat(disk.closedMappings()).isEqualTo(3);
    }

    @Test
    void expiredFilesGoInTheirHour() throws OpenFailed {
        Rig rig = new Rig(
                disk,
                Rig.TINY.withRetention(RULES.keeping(Duration.ofHours(2), 0).deletingAt(Set.of(0), ZoneOffset.UTC)));
        rig.wallMillis =
                Duration.ofDays(20_000).toMillis() - Duration.ofHours(4).toMillis();
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 13);
        settle(rig);
        rig.pass(Duration.ofHours(3).toMillis());
        settle(rig);
        assertThat(rig.store.minOffset()).as("expired, but it is 23:00").isZero();

        rig.pass(Duration.ofHours(1).toMillis());
        settle(rig);

        assertThat(rig.store.minOffset()).as("all but the newest").isEqualTo(3 * 4096);
    }

    @Test
    void whatAHoldNeedsStays() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        ConsumeQueue facts = rig.queue("facts", 0);
        ConsumeQueue queue = rig.queue("T", 0);
        long[] needed = {0};
        rig.store.hold(facts, () -> needed[0]);
        fill(rig, queue, 6);
        rig.send(facts, "a");
        fill(rig, queue, 20);
        rig.send(facts, "b");
        fill(rig, queue, 20);
        settle(rig);
        assertThat(rig.store.minOffset())
                .as("the first fact is in the second file")
                .isEqualTo(4096);

        needed[0] = 1;
        settle(rig);
        assertThat(rig.store.minOffset()).isGreaterThan(4096);
        assertThat(rig.read(facts, 1)).containsExactly("b");

        needed[0] = 2;
        settle(rig);
        assertThat(facts.minOffset()).isEqualTo(2);
        assertThat(rig.store.appended() - rig.store.minOffset()).isLessThanOrEqualTo(3 * 4096);
    }

    @Test
    void nothingGoesThatTheCheckpointDoesNotCover() throws OpenFailed {
        Rig rig = new Rig(disk, THREE_FILES);
        disk.fullFor(file -> file.path().startsWith("consumequeue"));
        fill(rig, rig.queue("T", 0), 40);

        settle(rig);

        assertThat(rig.store.minOffset()).isZero();
    }

    @Test
    void powerThatGoesInTheMiddleOfARoundLeavesAStoreThatOpens() throws OpenFailed {
        SplittableRandom chance = new SplittableRandom(7);
        boolean finished = false;
        int cuts = 0;
        for (int at = 0; !finished; at++) {
            FaultDisk mine = new FaultDisk();
            Rig rig = new Rig(mine, Rig.TINY);
            fill(rig, rig.queue("T", 0), 40);
            settle(rig);
            assertThat(rig.store.close()).isTrue();
            FaultDisk cut = mine.afterKill();
            rig = new Rig(cut, THREE_FILES);
            fill(rig, rig.queue("T", 0), 1);
            cut.cutPowerAt(at);
            try {
                settle(rig);
                finished = true;
            } catch (FaultDisk.PowerCut e) {
                cuts++;
            }
            Rig next = new Rig(cut.afterPowerLoss(chance), Rig.TINY);
            ConsumeQueue queue = next.queue("T", 0);
            assertThat(queue.maxOffset()).as("cut at %d", at).isBetween(40L, 41L);
            assertThat(queue.minOffset()).as("cut at %d", at).isLessThanOrEqualTo(32);
            assertThat(next.read(queue, queue.minOffset())).as("cut at %d", at).hasSize((int)
                    (queue.maxOffset() - queue.minOffset()));
            assertThat(next.faults).isEmpty();
        }
        assertThat(cuts).isGreaterThan(20);
    }

    /// R063, R065, R066
    @Test
    void withoutRoomSendsAreRefusedWithPathBytesAndLimitAndOwnStateAndReadingGoOn() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withRetention(RULES));
        ConsumeQueue queue = rig.queue("T", 0);
        rig.send(queue, "before");
        disk.space(1000 * MIB, 63 * MIB);
        rig.pass(2100);
        rig.told.clear();

        rig.send(queue, "refused");
        AppendBatch own = rig.batch();
        Rig.put(own, rig.queue("facts", 0), "a fact");
        own.usesReserve(true);
        rig.store.append(own);

        assertThat(rig.told).containsExactly("refused DISK_FULL", "written facts/0:0", "confirmed facts/0:0");
        assertThat(rig.store.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.kind()).isEqualTo(Trouble.Kind.DISK_FULL))
                .extracting(Trouble::sentence)
                .asString()
                .contains(
                        "/store/commitlog",
                        "66060288 of 1048576000 bytes are free",
                        "67108864",
                        "diskSpaceReserveBytes");
        assertThat(rig.notices)
                .filteredOn(notice -> notice.contains("Messages are refused"))
                .hasSize(1);
        assertThat(rig.read(queue, 0)).containsExactly("before");

        disk.space(1000 * MIB, 500 * MIB);
        rig.pass(2100);
        rig.pass(3100);
        rig.told.clear();
        rig.send(queue, "after");

        assertThat(rig.told).containsExactly("written T/0:1", "confirmed T/0:1");
        assertThat(rig.store.troubles()).isEmpty();
        assertThat(rig.notices).anyMatch(notice -> notice.contains("room on the disk again"));
    }

    @Test
    void roomIsNotOverrunBetweenTwoLooks() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withRetention(RULES));
        disk.space(1000 * MIB, 64 * MIB + 3000);
        rig.pass(100);
        ConsumeQueue queue = rig.queue("T", 0);

        fill(rig, queue, 6);

        assertThat(rig.told.stream().filter(told -> told.startsWith("refused")).count())
                .isEqualTo(3);
    }

    /// R066
    @Test
    void oldestFilesGoBeforeSendsAreRefused() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withRetention(RULES));
        ConsumeQueue queue = rig.queue("T", 0);
        fill(rig, queue, 20);
        disk.space(1000 * MIB, 200 * MIB);
        settle(rig);
        rig.told.clear();

        rig.send(queue, "taken");

        assertThat(rig.store.minOffset()).isEqualTo(4 * 4096);
        assertThat(rig.told).containsExactly("written T/0:20", "confirmed T/0:20");
    }
}
