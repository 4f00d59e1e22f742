package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows what a start makes of a damaged log: the torn end is cut off, a bad place before it is stepped over and named,
/// the rest is served, and no offset is given twice.
class DamageTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final int MESSAGES = 24;

    private final FaultDisk disk = new FaultDisk();
    private final List<AppendBatch> sent = new ArrayList<>();

    /// Queue `a/0` with 24 messages in three segments and three files, `b/1` with one behind them all; checkpointed.
    private Rig fill() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        for (int i = 0; i < MESSAGES; i++) {
            sent.add(rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300)));
        }
        rig.send(rig.queue("b", 1), "first");
        sent.add(rig.send(rig.queue("b", 1), "alone"));
        rig.pass(500);
        rig.pass(1500);
        return rig;
    }

    private static String segmentOf(AppendBatch batch) {
        return "commitlog/" + Names.ofOffset(batch.logOffset(0) / 4096 * 4096);
    }

    private static long placeOf(AppendBatch batch) {
        return batch.logOffset(0) % 4096;
    }

    private static void flip(FaultDisk disk, String file, long at) {
        disk.overwrite(file, at, (byte) (disk.bytes(file)[(int) at] ^ 1));
    }

    private static void dropQueue(FaultDisk disk, String topic) {
        disk.files().stream()
                .filter(name -> name.startsWith("consumequeue/" + topic))
                .forEach(disk::remove);
    }

    /// The messages that a consumer gets from the begin to the end of a queue, by their numbers.
    private static List<Integer> numbers(Rig rig) {
        List<Integer> numbers = new ArrayList<>();
        for (String body : rig.read(rig.queue("a", 0), rig.queue("a", 0).minOffset())) {
            numbers.add(Integer.parseInt(body.substring(1, body.indexOf('-'))));
        }
        return numbers;
    }

    private static List<Integer> allBut(int... lost) {
        return IntStream.range(0, MESSAGES)
                .filter(number -> Arrays.stream(lost).noneMatch(one -> one == number))
                .boxed()
                .toList();
    }

    // ---- the end

    /// From some byte on, or up to some byte, the last record did not get to the disk.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endTornAtAnyByteOfTheLastRecordIsCutAndNothingBeforeIt(boolean headLanded) throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.sendTagged(rig.queue("a", 0), "t", "kept");
        AppendBatch last = rig.sendTagged(rig.queue("a", 0), "t", "last");
        int start = (int) placeOf(last);
        int size = (int) (last.endOffset() - last.logOffset(0));
        byte[] whole = disk.bytes(FIRST);
        for (int at = 0; at < size; at++) {
            FaultDisk crashed = disk.afterKill();
            int from = headLanded ? start + at : start;
            int to = headLanded ? start + size : start + at + 1;
            crashed.overwrite(FIRST, from, new byte[to - from]);
            boolean unchanged = Arrays.equals(whole, crashed.bytes(FIRST));

            Rig again = new Rig(crashed, Rig.TINY);
            assertThat(again.read(again.queue("a", 0), 0))
                    .as("torn at byte %d", at)
                    .isEqualTo(unchanged ? List.of("kept", "last") : List.of("kept"));
            assertThat(again.store.appended()).isEqualTo(unchanged ? last.endOffset() : last.logOffset(0));
            assertThat(again.notices).noneMatch(text -> text.startsWith("ALARM"));
        }
    }

    /// R052: what was acknowledged at its durability is there, to the last record.
    @Test
    void lastAcknowledgedRecordIsThereAfterEveryLossOfPower() throws OpenFailed {
        for (int seed = 0; seed < 50; seed++) {
            FaultDisk before = new FaultDisk();
            Rig rig = new Rig(before, Rig.TINY.withDurability(Durability.SYNCED));
            AppendBatch batch = rig.batch();
            batch.waitsForSync(true);
            Rig.put(batch, rig.queue("a", 0), "last");
            rig.store.append(batch);
            assertThat(rig.told).contains("confirmed a/0:0");

            Rig again = new Rig(before.afterPowerLoss(new SplittableRandom(seed)), Rig.TINY);
            assertThat(again.read(again.queue("a", 0), 0)).containsExactly("last");
        }
    }

    /// R041: the end of one file and the begin of the next are both given their entries again.
    @Test
    void killRightAfterAFileRollLosesNoEntryOfEitherFile() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        while (rig.store.appended() < 4096 + 10) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + rig.queue("a", 0).maxOffset() + "-" + "x".repeat(300));
        }
        long count = rig.queue("a", 0).maxOffset();
        FaultDisk killed = disk.afterKill();
        assertThat(killed.files()).noneMatch(name -> name.startsWith("consumequeue/a"));

        assertThat(numbers(new Rig(killed, Rig.TINY))).hasSize((int) count).isSorted();
    }

    // ---- the middle

    /// Where in the record the bit flips: its size, its magic, its log offset, its topic's length.
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 33, 393})
    void badRecordBelowTheCheckpointIsSteppedOverWhenItsQueueIsMadeAgain(int at) throws OpenFailed {
        fill().store.close();
        flip(disk, segmentOf(sent.get(5)), placeOf(sent.get(5)) + at);
        dropQueue(disk, "a");

        Rig again = new Rig(disk, Rig.TINY);
        assertThat(numbers(again)).isEqualTo(allBut(5));
        assertThat(again.read(again.queue("b", 1), 0)).containsExactly("first", "alone");
        assertThat(again.notices)
                .anyMatch(text -> text.startsWith("ALARM")
                        && text.contains("/store/" + FIRST + ": from byte " + placeOf(sent.get(5)) + " to "
                                + placeOf(sent.get(6))));
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(MESSAGES);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void lostCheckpointDoesNotMakeABadPlaceTheEndOfTheLog(Durability durability) throws OpenFailed {
        fill();
        FaultDisk crashed = disk.afterKill();
        crashed.remove("checkpoint");
        crashed.remove("checkpoint.queues");
        flip(crashed, segmentOf(sent.get(5)), placeOf(sent.get(5)) + 120);

        Rig again = new Rig(crashed, Rig.TINY.withDurability(durability));
        assertThat(numbers(again)).isEqualTo(allBut(5));
        assertThat(again.store.appended()).isEqualTo(sent.getLast().endOffset());
        assertThat(again.notices)
                .anyMatch(text -> text.startsWith("ALARM")
                        && text.contains("checksum does not match")
                        && text.contains("a/0 offset 5"));
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(MESSAGES);
    }

    @Test
    void zeroedPageBelowTheCheckpointTakesOnlyWhatStoodThere() throws OpenFailed {
        fill().store.close();
        disk.overwrite(FIRST, 1024, new byte[1024]);
        dropQueue(disk, "a");

        Rig again = new Rig(disk, Rig.TINY);
        TreeMap<Long, Integer> hit = new TreeMap<>();
        for (int i = 0; i < MESSAGES; i++) {
            boolean isHit = sent.get(i).logOffset(0) < 2048 && sent.get(i).endOffset() > 1024;
            if (isHit) {
                hit.put((long) i, i);
            }
        }
        assertThat(hit).isNotEmpty();
        List<Integer> read = numbers(again);
        assertThat(read).isSorted();
        assertThat(allBut(hit.values().stream().mapToInt(i -> i).toArray())).isSubsetOf(read);
        assertThat(again.notices).anyMatch(text -> text.startsWith("ALARM") && text.contains("/store/" + FIRST));
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(MESSAGES);
    }

    @Test
    void zeroedEndOfAFileInTheMiddleLeavesTheNextFileServed() throws OpenFailed {
        fill().store.close();
        disk.overwrite(FIRST, 2048, new byte[2048]);
        dropQueue(disk, "a");

        Rig again = new Rig(disk, Rig.TINY);
        assertThat(numbers(again)).contains(MESSAGES - 1, 0, 1).doesNotContain(7);
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(MESSAGES);
    }

    /// The lost record was its queue's last: nothing in the log tells its offset.
    @ParameterizedTest
    @ValueSource(strings = {"entry kept", "queue lost", "queue lost too, and stopped again"})
    void offsetOfALostLastMessageIsNeverGivenAgain(String kind) throws OpenFailed {
        fill().store.close();
        AppendBatch alone = sent.getLast();
        disk.overwrite(segmentOf(alone), placeOf(alone), new byte[60]);
        if (!kind.startsWith("entry")) {
            dropQueue(disk, "b");
        }
        Rig again = new Rig(disk, Rig.TINY);
        if (kind.contains("again")) {
            again.store.close();
            again = new Rig(disk, Rig.TINY);
        }
        assertThat(again.send(again.queue("b", 1), "next").queueOffset(0)).isEqualTo(2);
        assertThat(numbers(again)).isEqualTo(allBut());
    }

    /// Where in the record the bit flips: its size, its magic, its log offset.
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 33})
    void damagedRecordThatAConsumerMeetsIsNamedOnceAndThenPassed(int at) throws OpenFailed {
        fill().store.close();
        Rig rig = new Rig(disk, Rig.TINY);
        flip(disk, segmentOf(sent.get(5)), placeOf(sent.get(5)) + at);

        assertThat(rig.statusAt(rig.queue("a", 0), 5)).isEqualTo(Fetch.Status.UNREADABLE);
        assertThat(rig.statusAt(rig.queue("a", 0), 5)).isEqualTo(Fetch.Status.FOUND);
        assertThat(numbers(rig)).isEqualTo(allBut(5));
        assertThat(rig.notices)
                .filteredOn(text -> text.startsWith("ALARM A message is lost"))
                .singleElement()
                .asString()
                .contains("a/0 offset 5", "/store/" + FIRST + ": from byte " + placeOf(sent.get(5)));
    }

    @Test
    void messageThatTheDiskCannotReadIsWaitedForAndNeverPassed() throws OpenFailed {
        fill().store.close();
        Rig rig = new Rig(disk, Rig.TINY);
        flip(disk, segmentOf(sent.get(5)), placeOf(sent.get(5)) + 5);
        disk.failReadsOf(file -> file.path().equals(FIRST));
        for (int i = 0; i < 30; i++) {
            assertThat(rig.statusAt(rig.queue("a", 0), 5)).isEqualTo(Fetch.Status.UNREADABLE);
            rig.pass(1000);
        }
        assertThat(rig.notices).noneMatch(text -> text.contains("A message is lost"));

        disk.failReadsOf(_ -> false);
        flip(disk, segmentOf(sent.get(5)), placeOf(sent.get(5)) + 5);
        assertThat(numbers(rig)).isEqualTo(allBut());
    }

    @Test
    void entryThatLeadsIntoAWholeMessageIsNotTakenForALostOne() throws OpenFailed {
        fill().store.close();
        Rig rig = new Rig(disk, Rig.TINY);
        byte[] entry = new byte[8];
        ByteBuffer.wrap(entry).putLong(sent.get(5).logOffset(0) + 7);
        disk.overwrite("consumequeue/a/0/" + Names.ofOffset(0), 5 * 20, entry);

        for (int i = 0; i < 30; i++) {
            assertThat(rig.statusAt(rig.queue("a", 0), 5)).isEqualTo(Fetch.Status.UNREADABLE);
            rig.pass(1000);
        }
        assertThat(rig.notices).noneMatch(text -> text.contains("A message is lost"));
    }

    @Test
    void lostMessageInTheMiddleStaysLostOverRestartsAndTheRestServed() throws OpenFailed {
        fill().store.close();
        flip(disk, segmentOf(sent.get(5)), placeOf(sent.get(5)) + 2);
        dropQueue(disk, "a");
        new Rig(disk, Rig.TINY).rebuilt().store.close();

        Rig third = new Rig(disk, Rig.TINY);
        assertThat(third.notices).isEmpty();
        assertThat(third.queue("a", 0).minOffset()).isZero();
        assertThat(numbers(third)).isEqualTo(allBut(5));
    }

    @Test
    void startAfterAKillSaysWhatItCheckedAndFound() throws OpenFailed {
        Rig rig = fill();
        long from = rig.store.appended();
        rig.send(rig.queue("a", 0), "one", "two");
        long end = rig.store.appended();

        Rig again = new Rig(disk.afterKill(), Rig.TINY);
        assertThat(again.notices)
                .singleElement()
                .asString()
                .startsWith("INFO The store was not stopped cleanly.")
                .contains("from logOffset " + from + " on (byte " + (from - 8192) + " of /store/commitlog/")
                .contains("the last checkpoint", " 2 messages, in ", "All of it is whole")
                .contains("ends at logOffset " + end + ", and nothing stood behind it");

        FaultDisk torn = disk.afterKill();
        torn.overwrite("commitlog/" + Names.ofOffset(8192), end - 8192 - 1, (byte) 99);
        assertThat(new Rig(torn, Rig.TINY).notices)
                .anyMatch(text -> text.contains(" 1 messages, in ") && text.contains("behind it was cut away"));
    }

    @Test
    void wholeMessagesThatAreCutWithATornOneAreCountedAloud() throws OpenFailed {
        Rig rig = fill();
        long torn = rig.send(rig.queue("a", 0), "torn ").logOffset(0);
        rig.send(rig.queue("b", 1), "behind");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite("commitlog/" + Names.ofOffset(8192), torn - 8192 + 90, (byte) 1);

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(again.store.appended()).isEqualTo(torn);
        assertThat(again.warnings())
                .singleElement()
                .asString()
                .startsWith("ALARM")
                .contains("at byte " + (torn - 8192), "with it 1 messages");
    }

    // ---- what is made from the log

    enum Loss {
        REMOVED,
        ZEROED,
        TRUNCATED,
        EMPTY,
        GARBLED;

        void befall(FaultDisk disk, String file) {
            int length = disk.bytes(file).length;
            switch (this) {
                case REMOVED -> disk.remove(file);
                case ZEROED -> disk.overwrite(file, 0, new byte[length]);
                case TRUNCATED -> disk.setLength(file, length / 2);
                case EMPTY -> disk.setLength(file, 0);
                case GARBLED -> {
                    byte[] garbage = new byte[length];
                    new SplittableRandom(7).nextBytes(garbage);
                    disk.overwrite(file, 0, garbage);
                }
            }
        }
    }

    private void assertWholeAfter(Consumer<FaultDisk> loss, String what) throws OpenFailed {
        FaultDisk damaged = disk.afterKill();
        loss.accept(damaged);
        Rig again = new Rig(damaged, Rig.TINY);
        assertThat(numbers(again)).as(what).isEqualTo(allBut());
        assertThat(again.read(again.queue("b", 1), 0)).as(what).containsExactly("first", "alone");
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0))
                .as(what)
                .isEqualTo(MESSAGES);
        assertThat(again.faults).isEmpty();
    }

    /// R045: a queue's file that is gone, empty or garbage is made again, that queue's alone; clean stop or kill.
    @ParameterizedTest
    @EnumSource(Loss.class)
    void everyFileThatIsMadeFromTheLogIsMadeAgain(Loss loss) throws OpenFailed {
        Rig rig = fill();
        for (boolean clean : new boolean[] {false, true}) {
            if (clean) {
                rig.store.close();
            }
            for (String file : disk.files()) {
                if (file.startsWith("consumequeue/") || file.startsWith("checkpoint")) {
                    assertWholeAfter(damaged -> loss.befall(damaged, file), loss + " " + file + ", clean " + clean);
                }
            }
        }
    }

    /// R045: asynchronous flush, the log's end is lost, and a queue's last file says more than the log.
    @Test
    void queueFileThatSaysMoreThanTheLogIsBroughtBackToTheLog() throws OpenFailed {
        Rig rig = fill();
        AppendBatch lost = rig.sendTagged(rig.queue("a", 0), "t", "lost");
        rig.pass(100);
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(segmentOf(lost), placeOf(lost), new byte[200]);

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(numbers(again)).isEqualTo(allBut());
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(MESSAGES);
    }

    // ---- the first file

    @Test
    void missingFirstFileIsAsIfItHadExpired() throws OpenFailed {
        fill().store.close();
        disk.remove(FIRST);

        Rig again = new Rig(disk, Rig.TINY);
        long min = again.queue("a", 0).minOffset();
        assertThat(min).isPositive();
        assertThat(numbers(again)).first().isEqualTo((int) min);
        assertThat(again.store
                        .fetch(again.queue("a", 0), new FetchRequest(0, 1, 1, TagCodes.ANY), (_, _) -> {})
                        .status())
                .isEqualTo(Fetch.Status.OFFSET_TOO_SMALL);
    }
}
