package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.store.Checkpoint.Mark;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows when the checkpoint may move, with hand-overs that overtake each other and a disk that refuses.
class QueueFlushTest implements Clock, Notices {
    private static final long SECOND = 1_000_000_000L;

    private final FaultDisk disk = new FaultDisk();
    private final List<String> notices = new ArrayList<>();
    private final List<String> fences = new ArrayList<>();
    private final List<Runnable> offloaded = new ArrayList<>();
    private final Queues queues = new Queues(200, _ -> {}, new DroppedTopics());
    private final Image<IndexMark> indexed = new Image<>(new IndexMark(0, null));
    private final QueueFlush flush = new QueueFlush(
            Rig.TINY,
            disk,
            this,
            offloaded::add,
            this,
            new Sequencer("queues", Runnable::run, (_, cause) -> {
                throw new AssertionError(cause);
            }),
            new Lease(() -> {}),
            new Recovered(
                    new Segments(4096, List.of()),
                    new Mark(0, 0, 0),
                    queues,
                    Checkpoint.NONE,
                    false,
                    -1,
                    new QueueWriter(disk),
                    List.of(),
                    Rebuild.NOTHING,
                    new SealOpening.Opened(new Seals(disk, 4096), 0),
                    new Mark(0, 0, 0),
                    new QueueRing(),
                    List.of()),
            indexed,
            fences::add,
            _ -> {});

    private ConsumeQueue grown(String topic, int count) {
        ConsumeQueue queue = queues.findOrMake(topic, 0);
        for (int i = 0; i < count; i++) {
            queue.number();
            queue.add(100L * i, 100, i);
        }
        queue.show(queue.next());
        return queue;
    }

    private static QueueFlush.Grown all(List<ConsumeQueue> queues) {
        return new QueueFlush.Grown(queues, null);
    }

    private long checkpointed() throws DiskFailed {
        offloaded.forEach(Runnable::run);
        offloaded.clear();
        Mark mark = Checkpoint.load(disk, this).mark();
        return mark == null ? -1 : mark.logOffset();
    }

    @Test
    void markIsNotUsedWhileAnEarlierHandOverIsOnItsWay() throws DiskFailed {
        ConsumeQueue early = grown("early", 3);
        ConsumeQueue late = grown("late", 3);
        flush.submit(all(List.of(late)), 2, new Mark(600, 1, 6), 2 * SECOND);
        assertThat(checkpointed()).as("the first hand-over has not come").isEqualTo(-1);

        flush.submit(all(List.of(early)), 1, new Mark(300, 1, 3), 2 * SECOND);
        assertThat(checkpointed()).as("an older mark than what was handed over").isEqualTo(-1);

        flush.submit(all(List.of()), 3, new Mark(600, 1, 6), 4 * SECOND);
        assertThat(checkpointed()).isEqualTo(600);
        assertThat(flush.flushedCount()).isEqualTo(6);
    }

    @Test
    void checkpointMovesOnlyWhenItsTimeHasCome() throws DiskFailed {
        flush.submit(all(List.of(grown("a", 1))), 1, new Mark(100, 1, 1), SECOND / 2);
        assertThat(checkpointed()).isEqualTo(-1);
        flush.submit(all(List.of(grown("a", 1))), 2, new Mark(200, 1, 2), SECOND);
        assertThat(checkpointed()).isEqualTo(200);
        flush.submit(all(List.of(grown("a", 1))), 3, new Mark(300, 1, 3), SECOND + SECOND / 2);
        assertThat(checkpointed()).isEqualTo(200);
    }

    @Test
    void entriesThatFindNoRoomStayInMemoryAndHoldTheCheckpointBack() throws DiskFailed {
        disk.fullFor(file -> file.path().startsWith("consumequeue"));
        ConsumeQueue queue = grown("a", 12);
        flush.submit(all(List.of(queue)), 1, new Mark(1200, 1, 12), SECOND);
        assertThat(checkpointed()).isEqualTo(-1);
        assertThat(flush.flushedCount()).isZero();
        assertThat(notices).singleElement().asString().contains("ALARM", "/store/consumequeue/a/0/", "full");

        disk.fullFor(file -> false);
        flush.submit(all(List.of()), 2, new Mark(1200, 1, 12), 2 * SECOND);
        assertThat(checkpointed()).isEqualTo(1200);
        assertThat(flush.flushedCount()).isEqualTo(12);
        assertThat(fences).isEmpty();
    }

    @Test
    void checkpointAlsoMovesWhenOnlyTheKeyIndexHasGoneOn() throws DiskFailed {
        flush.submit(all(List.of(grown("a", 1))), 1, new Mark(100, 9, 1), SECOND);
        assertThat(checkpointed()).isEqualTo(100);
        assertThat(Checkpoint.load(disk, this).indexMillis()).isZero();

        IndexMark mark = new IndexMark(90, new IndexFile(20231114000000000L, new IndexHeader(7, 8, 0, 50, 1, 2)));
        indexed.publish(mark);
        flush.submit(all(List.of()), 2, new Mark(100, 9, 1), 2 * SECOND);
        assertThat(checkpointed()).isEqualTo(100);
        assertThat(Checkpoint.load(disk, this).index()).isEqualTo(mark);
        assertThat(Checkpoint.load(disk, this).indexMillis()).isEqualTo(8 + 60_000);
    }

    @Test
    void fewEntriesWaitForTheRoundAndManyAreWrittenAtOnce() {
        ConsumeQueue few = grown("few", 3);
        ConsumeQueue many = grown("many", 300);
        flush.submit(all(List.of(few, many)), 1, new Mark(300, 1, 303), SECOND / 2);
        assertThat(few.flushed()).isZero();
        assertThat(many.flushed()).isEqualTo(300);
        flush.submit(all(List.of()), 2, new Mark(300, 1, 303), SECOND);
        assertThat(few.flushed()).isEqualTo(3);
    }

    @Test
    void aRoundOverManyQueuesTakesSeveralTicksAndMovesTheCheckpointAtItsEnd() throws DiskFailed {
        List<ConsumeQueue> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(grown("t" + i, 1));
        }
        flush.submit(all(all), 1, new Mark(1_000, 1, 10_000), 61 * SECOND);
        assertThat(flush.flushedCount()).isBetween(1L, 9_999L);
        assertThat(checkpointed()).isEqualTo(-1);
        // What grows meanwhile does not prolong the round.
        flush.submit(all(List.of(grown("later", 1))), 2, new Mark(1_100, 1, 10_001), 61 * SECOND);
        flush.submit(all(List.of()), 3, new Mark(1_100, 1, 10_001), 61 * SECOND);
        assertThat(checkpointed()).isEqualTo(1_000);
        assertThat(flush.flushedCount()).isEqualTo(10_000);
    }

    @Test
    void failedSyncOfAQueueFileFencesAndTheCheckpointStays() throws DiskFailed {
        disk.failSyncsOf(file -> file.path().startsWith("consumequeue"));
        flush.submit(all(List.of(grown("a", 1))), 1, new Mark(100, 1, 1), SECOND);
        assertThat(checkpointed()).isEqualTo(-1);
        assertThat(fences).singleElement().asString().contains("/store/consumequeue/a/0/", "check the disk");
    }

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    @Override
    public void tell(Level level, String text) {
        notices.add(level + " " + text);
    }
}
