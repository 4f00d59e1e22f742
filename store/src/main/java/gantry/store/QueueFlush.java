package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings visible queue entries from memory to the queue files, and moves the checkpoint.
///
/// For:   letting recovery begin near the log's end without writing a queue file per message.
/// Owner: the queue sequencer; `submit` and `flushedCount` are for everybody.
/// Never: the log itself; entries that are not visible yet.
/// Holds: QUEUE-3 when the checkpoint names a place in the log, the entries of all records below it are on disk.
///
/// ```
///   grown queues ─▶ pending ──a queue has a block's worth──▶ its file     (or the first entry behind a dropped queue)
///                      └──a round is due (see RoundRule)──▶ all their files, some per tick ─▶ sync ─▶ checkpoint
/// ```
final class QueueFlush {
    /// How a stop has ended.
    enum Finish {
        /// Everything is in the files and on disk, and the checkpoint says so.
        WRITTEN,
        /// There was no time for all of it; the next start makes the rest from the log, as after a kill.
        LEFT,
        /// The disk did not take it.
        FAILED
    }

    /// Queues that have grown.
    static final class Grown {
        private final Collection<ConsumeQueue> queues;
        private final long @Nullable [] ends;

        /// @param ends how far each of them may be written; null: as far as it is visible
        Grown(Collection<ConsumeQueue> queues, long @Nullable [] ends) {
            this.queues = queues;
            this.ends = ends;
        }
    }

    /// A round that takes longer is told to the operator.
    private static final long STALL_SECONDS = 8;

    /// A round that takes longer is given up, and tried again.
    static final Duration LONGEST_ROUND = Duration.ofMinutes(10);

    /// So many entries of one queue are worth a write of their own; fewer wait for the next round.
    static final int BLOCK_ENTRIES = 256;

    /// How many queues a round writes per tick, so that nothing else waits for longer than a fraction of a second.
    private static final int WRITTEN_PER_TICK = 4_096;

    /// How many queues a closing store writes between two looks at the clock.
    private static final int WRITTEN_AT_ONCE = 256;

    private final RoundRule rule;
    private final boolean owned;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Sequencer sequencer;
    private final Lease session;
    private final Consumer<String> fence;
    private final Notices notices;
    private final Complaint complaint;
    private final Complaint stalled;
    private final Image<IndexMark> indexed;
    private final Queues queues;
    private final Published flushedCount;
    private final Published checkpointed;
    private final Consumer<@Nullable String> stall;
    private final Set<ConsumeQueue> pending = new LinkedHashSet<>();

    /// Of a log that somebody owns: what came while a round was gathered, so that a checkpoint tells of no
    /// entry above its place.
    private final SequencedMap<ConsumeQueue, Long> afterGathering = new LinkedHashMap<>();

    private final QueueWriter writer;
    private QueueWriter.Touched inRound = new QueueWriter.Touched();
    /// The place in the log of the round whose queues are being written, and those that are still to be.
    private @Nullable Mark gathering;

    private final Deque<ConsumeQueue> toWrite = new ArrayDeque<>();
    private boolean roundUnderWay;
    private boolean stopped;
    private long receivedHandOvers;
    private long roundNanos;
    private IndexMark indexInCheckpoint;
    /// What the last checkpoint says of a queue's files is not true any more.
    private boolean outdated;

    /// Fillers that queues began with; `Mark.entryCount` has them.
    private long begunCount;

    /// @param session is held by a round, so that the store's lock outlives it
    /// @param indexed up to where the key index is on disk
    /// @param fence is told when the disk can no longer be trusted
    /// @param stall is told of a round that does not come back, and with null when it has
    QueueFlush(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Lease session,
            Recovered recovered,
            Image<IndexMark> indexed,
            Consumer<String> fence,
            Consumer<@Nullable String> stall) {
        this.rule = RoundRule.of(config);
        this.owned = config.isOwned();
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.sequencer = sequencer;
        this.session = session;
        this.fence = fence;
        this.notices = notices;
        this.complaint = new Complaint(notices);
        this.stalled = new Complaint(notices);
        this.indexed = indexed;
        this.indexInCheckpoint = indexed.read();
        this.flushedCount = new Published(recovered.flushedCount());
        this.checkpointed = new Published(recovered.checkpointed());
        this.stall = stall;
        this.queues = recovered.queues();
        this.roundNanos = clock.nanos();
        this.writer = recovered.queueWriter();
    }

    /// How many entries are in files or need not be; the same count as `LogTail.addedCount`.
    long flushedCount() {
        return flushedCount.read();
    }

    /// The next start looks through the log from here on; -1 when it may have to look through all of it.
    long checkpointed() {
        return checkpointed.read();
    }

    /// @param number counts the hand-overs; a mark is used only when none before it is still on its way
    void submit(Grown grown, long number, Mark mark, long nowNanos) {
        sequencer.submitAlways(() -> accept(grown, number, mark, nowNanos));
    }

    private void accept(Grown grown, long number, Mark mark, long nowNanos) {
        if (stopped) {
            return;
        }
        receivedHandOvers++;
        take(grown);
        // What came while a round is gathered waits for its end, if there is a place that it must not pass.
        boolean waits = owned && gathering != null;
        for (ConsumeQueue queue : waits ? List.<ConsumeQueue>of() : grown.queues) {
            if ((queue.maxOffset() - queue.flushed() >= BLOCK_ENTRIES || isFirstBehindADrop(queue))
                    && write(queue, nowNanos)) {
                pending.remove(queue);
            }
        }
        if (roundUnderWay) {
            nameStall(nowNanos);
        } else if (gathering == null && receivedHandOvers == number && isDue(mark, nowNanos)) {
            gathering = mark;
            toWrite.addAll(pending);
        }
        if (gathering != null) {
            gather(gathering, nowNanos);
        }
    }

    /// Where a kill finds no file of such a queue, a RocketMQ broker makes it again from its old namesake's records,
    /// too;
    /// one entry is enough to tell it that they are done.
    private static boolean isFirstBehindADrop(ConsumeQueue queue) {
        return queue.begin() > 0 && queue.flushed() == queue.begin();
    }

    private void take(Grown grown) {
        long[] ends = grown.ends;
        if (ends == null) {
            pending.addAll(grown.queues);
            return;
        }
        int i = 0;
        for (ConsumeQueue queue : grown.queues) {
            afterGathering.merge(queue, ends[i++], Math::max);
        }
        if (gathering == null) {
            takeGathered();
        }
    }

    private void takeGathered() {
        afterGathering.forEach((queue, end) -> {
            // Hand-overs may come in another order than they were made.
            queue.writableTo = queue.writableTo == Long.MAX_VALUE ? end : Math.max(queue.writableTo, end);
            pending.add(queue);
        });
        afterGathering.clear();
    }

    /// The queue began in the middle, with a file full of fillers: it is made durable with the next checkpoint, which
    /// tells of it.
    void begun(ConsumeQueue queue, long given) {
        sequencer.submitAlways(() -> {
            begunCount += given;
            writer.touched().files().add(queue.files.fileOf(given));
            writer.touched().folders().add(queue.files.folder());
            outdated = true;
            Mark mark = gathering;
            gathering = mark == null ? null : mark.plus(given);
        });
    }

    /// Queues have been made again: the next checkpoint says so, even if the log does not grow.
    void outdate() {
        sequencer.requireInside();
        outdated = true;
    }

    private boolean isDue(Mark mark, long nowNanos) {
        boolean moved = outdated
                || mark.logOffset() > checkpointed.read()
                || indexed.read().logOffset() != indexInCheckpoint.logOffset();
        return moved
                && rule.isDue(
                        nowNanos - roundNanos,
                        pending.size(),
                        mark.logOffset() - checkpointed.read(),
                        mark.entryCount() - begunCount - flushedCount.read());
    }

    /// Writes the next queues of the round; a queue that cannot be written is tried again at the next tick.
    private void gather(Mark mark, long nowNanos) {
        for (int written = 0; written < WRITTEN_PER_TICK && !toWrite.isEmpty(); written++) {
            ConsumeQueue queue = toWrite.getFirst();
            if (!write(queue, nowNanos)) {
                return;
            }
            toWrite.removeFirst();
            pending.remove(queue);
        }
        // A checkpoint must not lack queues of which only memory knows that they were dropped.
        if (toWrite.isEmpty() && queues.dropped().isSettled()) {
            gathering = null;
            startRound(mark, nowNanos);
            takeGathered();
        }
    }

    /// A disk that does not come back is named, because nothing else would tell.
    private void nameStall(long nowNanos) {
        long seconds = (nowNanos - roundNanos) / 1_000_000_000L;
        if (seconds >= STALL_SECONDS) {
            String sentence = "The sync of " + inRound.files().size() + " consume-queue files below "
                    + disk.describe(new FileId(QueueFiles.ROOT)) + " has not come back for " + seconds
                    + " s: the disk is slow or hangs. Messages go on; a restart after a crash would look through"
                    + " more of the log. Check the disk.";
            stalled.alarm(sentence, nowNanos);
            stall.accept(sentence);
        }
    }

    /// Writes everything and the last checkpoint; waits for the disk, but not longer than until `deadlineNanos`.
    ///
    /// @param all every queue, because a hand-over may still be on its way
    Finish finish(Grown all, Mark mark, long deadlineNanos) {
        sequencer.requireInside();
        stopped = true;
        gathering = null;
        take(all);
        boolean written = writePending(clock.nanos(), deadlineNanos);
        if (!written && clock.nanos() - deadlineNanos >= 0) {
            return leave(mark, pending.size() + " consume queues are not written");
        }
        if (!written) {
            complaint.alarm(
                    "The store is not closed cleanly: not all consume queues could be written. The next start makes"
                            + " them from the log.",
                    clock.nanos());
            return Finish.FAILED;
        }
        writer.touched().addAll(inRound);
        Done done = settle(writer.touched(), mark, ends(mark), indexFor(mark), until(deadlineNanos));
        if (done instanceof Done.Failed late && late.kind() == Done.Kind.LATE) {
            return leave(
                    mark, "the sync of " + writer.touched().files().size() + " consume-queue files has not come back");
        }
        if (done instanceof Done.Failed failed) {
            complaint.alarm(
                    "The store is not closed cleanly: " + failed.sentence()
                            + ". The next start makes the consume queues from the log.",
                    clock.nanos());
        }
        return done.isOk() ? Finish.WRITTEN : Finish.FAILED;
    }

    /// Many new queue files take longer than a stop may. The log has it all, and the last checkpoint stays true.
    private Finish leave(Mark mark, String what) {
        notices.info(
                "The stop leaves consume queues to the next start: " + what + " in time. It makes them from the last "
                        + (mark.logOffset() - Math.max(0, checkpointed.read()))
                        + " bytes of the commit log, which is on disk as"
                        + " a whole.");
        return Finish.LEFT;
    }

    private Duration until(long deadlineNanos) {
        return Duration.ofNanos(Math.max(0, deadlineNanos - clock.nanos()));
    }

    /// Lets go of queues whose topic was dropped: nothing is written for them afterwards.
    ///
    /// @param then runs when that is so, outside of this sequencer
    void retire(List<TopicDrops.Retired> queues, Runnable then) {
        sequencer.submitAlways(() -> {
            long spared = 0;
            for (TopicDrops.Retired retired : queues) {
                spared += retired.end() - retired.queue().flushed();
                retired.queue().retired = true;
                pending.remove(retired.queue());
            }
            flushedCount.advance(flushedCount.read() + spared);
            sequencer.after(then);
        });
    }

    /// Deletes those that are empty, in this order; here, because here is where files are made in them.
    void deleteFolders(List<String> folders, Runnable then) {
        sequencer.submitAlways(() -> {
            for (String folder : folders) {
                if (disk.deleteFolder(folder) instanceof Done.Failed failed) {
                    complaint.alarm("An empty folder could not be deleted: " + failed.sentence(), clock.nanos());
                }
            }
            sequencer.after(then);
        });
    }

    /// No more hand-overs are taken; the files stay as they are.
    void stop() {
        sequencer.requireInside();
        stopped = true;
    }

    private boolean writePending(long nowNanos, long deadlineNanos) {
        if (pending.isEmpty()) {
            return true;
        }
        List<ConsumeQueue> written = new ArrayList<>(pending.size());
        int looked = 0;
        for (ConsumeQueue queue : pending) {
            if (++looked % WRITTEN_AT_ONCE == 0 && deadlineNanos < clock.nanos()) {
                break;
            }
            if (write(queue, nowNanos)) {
                written.add(queue);
            }
        }
        if (written.size() == pending.size()) {
            pending.clear();
            return true;
        }
        written.forEach(pending::remove);
        return false;
    }

    private boolean write(ConsumeQueue queue, long nowNanos) {
        if (queue.retired) {
            return true;
        }
        long before = queue.flushed();
        Done done = writer.write(queue);
        flushedCount.advance(flushedCount.read() + queue.flushed() - before);
        if (done instanceof Done.Failed failed) {
            complaint.alarm("A consume queue could not be written, and is tried again: " + failed.sentence(), nowNanos);
        }
        return done.isOk();
    }

    private void startRound(Mark mark, long nowNanos) {
        roundUnderWay = true;
        roundNanos = nowNanos;
        inRound = writer.takeTouched();
        QueueWriter.Touched files = inRound;
        IndexMark index = indexFor(mark);
        byte[] ends = ends(mark);
        outdated = false;
        offload.run(() -> {
            Done done = settleIfOpen(files, mark, ends, index);
            sequencer.submitAlways(() -> roundEnded(mark, index, done));
        });
    }

    /// A cut of the log never goes below the checkpoint's place, so nothing in it may tell of what lies above.
    private IndexMark indexFor(Mark mark) {
        IndexMark index = indexed.read();
        return owned && index.logOffset() > mark.logOffset() ? indexInCheckpoint : index;
    }

    /// What is in the files now; all that was touched is synced before it is written down.
    private byte[] ends(Mark mark) {
        QueueEnds.Writer ends = new QueueEnds.Writer(mark);
        queues.forEach(queue -> {
            if (queue.flushed() > queue.begin()) {
                ends.add(
                        queue.topic(),
                        queue.queueId(),
                        new QueueEnds.End(queue.headOffset(), queue.flushed(), queue.isBeingRebuilt()));
            }
        });
        return ends.content();
    }

    /// Outside of the sequencer: waits for the disk.
    private Done settleIfOpen(QueueWriter.Touched files, Mark mark, byte[] ends, IndexMark index) {
        if (!session.take()) {
            return new Done.Failed(Done.Kind.IO, "the store is closed");
        }
        try {
            return settle(files, mark, ends, index, LONGEST_ROUND);
        } finally {
            session.giveBack();
        }
    }

    private Done settle(QueueWriter.Touched files, Mark mark, byte[] ends, IndexMark index, Duration limit) {
        long deadline = clock.nanos() + limit.toNanos();
        Done done = files.sync(disk, limit);
        return done.isOk() ? Export.overwriteAll(disk, contents(mark, ends, index), until(deadline)) : done;
    }

    /// The two files of a checkpoint; each of them is true by itself.
    static SequencedMap<FileId, byte[]> contents(Mark mark, byte[] ends, IndexMark index) {
        SequencedMap<FileId, byte[]> contents = new LinkedHashMap<>();
        contents.put(QueueEnds.FILE, ends);
        contents.put(Checkpoint.FILE, Checkpoint.encode(mark, index));
        return contents;
    }

    private void roundEnded(Mark mark, IndexMark index, Done done) {
        roundUnderWay = false;
        stall.accept(null);
        if (stopped) {
            return;
        }
        switch (done) {
            case Done.Ok _ -> {
                checkpointed.advance(mark.logOffset());
                indexInCheckpoint = index;
            }
            case Done.Failed failed -> {
                writer.touched().addAll(inRound);
                outdated = true;
                complaint.alarm("The checkpoint could not be moved: " + failed.sentence(), clock.nanos());
                if (failed.kind() != Done.Kind.FULL && failed.kind() != Done.Kind.LATE) {
                    fence.accept("The consume queues could not be made durable (" + failed.sentence()
                            + "). Nothing is accepted any more; check the disk, then restart.");
                }
            }
        }
        inRound = new QueueWriter.Touched();
    }
}
