package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import gantry.wire.message.Check;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordView;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One commit log with its queues.
///
/// For:   storing records in one order, and giving them back by queue and offset.
/// Owner: itself; every method may be called from any thread.
/// Never: leaders, groups, sockets; the wall clock except for storeMillis.
public final class Store {
    static final FileId ABORT = new FileId("abort");

    /// How long a stop waits for the disk; less than a process has for all of its stop.
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer logSequencer;
    private final Sequencer queueSequencer;
    private final Queues queues;
    private final QueueFlush flush;
    private final Log log;
    private final ReadAhead ahead;
    private final Sequencer indexSequencer;
    private final KeyIndex index;
    private final Sequencer rebuildSequencer;
    private final QueueRebuild rebuild;
    private final TopicEnds topicEnds;
    private final Sequencer scrubSequencer;
    private final Scrubber scrubber;
    private final boolean recordCrc;

    private Store(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            Disk.Lock lock,
            EntryRule rule,
            Recovered recovered,
            IndexLoad.Loaded indexFiles) {
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.logSequencer = new Sequencer("log", offload, faults);
        this.queueSequencer = new Sequencer("queues", offload, faults);
        this.queues = recovered.queues();
        Lease session = new Lease(lock::close);
        Image<IndexMark> indexed = new Image<>(new IndexMark(indexFiles.position(), indexFiles.current()));
        this.flush = new QueueFlush(
                config,
                disk,
                clock,
                offload,
                notices,
                queueSequencer,
                session,
                recovered,
                indexed,
                this::fence,
                this::tellQueueStall);
        this.log = new Log(
                config, disk, clock, offload, notices, logSequencer, session, recovered, flush, rule, this::met);
        this.ahead = new ReadAhead(disk, log, clock);
        this.indexSequencer = new Sequencer("index", offload, faults);
        this.index = new KeyIndex(config, disk, clock, offload, notices, indexSequencer, log, indexFiles, indexed);
        this.rebuildSequencer = new Sequencer("rebuild", offload, faults);
        this.rebuild = new QueueRebuild(
                config,
                disk,
                clock,
                offload,
                notices,
                rebuildSequencer,
                session,
                log,
                recovered.rebuild(),
                new Rebuilding());
        this.rebuild.begin();
        TopicExpiry expiry = new TopicExpiry(disk, clock, offload, logSequencer, session, log, queues);
        this.topicEnds = new TopicEnds(disk, logSequencer, queues, log, rebuild, expiry);
        this.recordCrc = config.integrity().recordCrc();
        this.scrubSequencer = new Sequencer("scrub", offload, faults);
        this.scrubber =
                new Scrubber(config, disk, clock, offload, notices, scrubSequencer, session, log, recovered.sealed());
        recovered.rotten().forEach(scrubber::met);
    }

    /// Opens the store below the disk's root, recovers it, and starts to serve. Blocks.
    ///
    /// @throws OpenFailed with a sentence for the operator; then nothing is kept open
    public static Store open(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            QueueListener wakes)
            throws OpenFailed {
        return open(config, disk, clock, offload, notices, faults, wakes, RecordView::tagsCode);
    }

    /// As above, for a broker whose queue entries do not all carry the code of their message's tag.
    ///
    /// @param rule what an entry says that has to be made again from its record
    public static Store open(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            QueueListener wakes,
            EntryRule rule)
            throws OpenFailed {
        Disk.Lock lock = StoreAtRest.take(disk);
        boolean opened = false;
        try {
            StoreSwitch.finish(disk, notices);
            new ForeignFiles(disk, notices).refuse();
            StoreConfig fitting = new SizesOnDisk(disk, notices).fit(config);
            Queues queues = new Queues(fitting.queueFileBytes(), wakes, DroppedTopics.load(disk, notices));
            Recovered recovered = new Recovery(fitting, disk, clock, notices, queues, rule).run();
            IndexLoad.Loaded indexFiles = loadIndex(fitting, disk, notices, recovered);
            Store store = new Store(fitting, disk, clock, offload, notices, faults, lock, rule, recovered, indexFiles);
            opened = true;
            return store;
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    private static IndexLoad.Loaded loadIndex(StoreConfig config, Disk disk, Notices notices, Recovered recovered)
            throws DiskFailed {
        Checkpoint checkpoint = recovered.checkpoint();
        IndexMark mark = checkpoint.index();
        if (!config.index().enabled()) {
            long position = mark == null ? recovered.segments().minOffset() : mark.logOffset();
            return new IndexLoad.Loaded(new TreeMap<>(), mark == null ? null : mark.file(), position);
        }
        IndexLayout layout =
                new IndexLayout(config.index().slots(), config.index().entries());
        return new IndexLoad(
                        disk,
                        layout,
                        notices,
                        recovered.segments(),
                        recovered.end().logOffset())
                .run(mark, recovered.clean() ? Long.MAX_VALUE : checkpoint.indexMillis());
    }

    /// What records of this store are made from: with or without room for a CRC over the whole record.
    public RecordDraft draft() {
        return new RecordDraft(recordCrc);
    }

    /// Takes a batch; never blocks. Its listener is told what becomes of it, maybe before this returns.
    public void append(AppendBatch batch) {
        log.submit(batch);
    }

    /// The queues of a topic as it is now; whoever keeps them is told by `isDropped` when it is dropped.
    public TopicQueues queuesOf(String topic) {
        return queues.ofTopic(topic);
    }

    /// How topics end, and begin again.
    public TopicEnds topicEnds() {
        return topicEnds;
    }

    /// The queue, made on demand.
    public ConsumeQueue queue(String topic, int queueId) {
        return queues.findOrMake(topic, queueId);
    }

    /// The queue, if there is one.
    public @Nullable ConsumeQueue find(String topic, int queueId) {
        return queues.find(topic, queueId);
    }

    /// All queues, in order of topic and id.
    public Collection<ConsumeQueue> queues() {
        return queues.all();
    }

    /// Looks for messages that are confirmed; see `Fetch.Status`. May read from disk.
    public Fetch fetch(ConsumeQueue queue, FetchRequest request, FetchSink sink) {
        return fetch(queue, request, sink, null);
    }

    /// As `fetch`, but only if it does not have to wait for the disk, because `readAhead` was there before;
    /// then it asks for the next block in time.
    ///
    /// @return null when it would have to wait: fetch elsewhere, then read ahead from the offset behind
    public @Nullable Fetch fetchAhead(ConsumeQueue queue, FetchRequest request, FetchSink sink) {
        AheadBlock block = ahead.find(queue, request.queueOffset());
        if (block == null) {
            return null;
        }
        Fetch fetch = fetch(queue, request, sink, block);
        if (block.wantsFollower(fetch.nextOffset())) {
            offload.run(() -> ahead.read(queue, block.end()));
        }
        return fetch;
    }

    /// Reads what a consumer asks next that goes on at `queueOffset`. Waits for the disk.
    public void readAhead(ConsumeQueue queue, long queueOffset) {
        ahead.read(queue, queueOffset);
    }

    private Fetch fetch(ConsumeQueue queue, FetchRequest request, FetchSink sink, @Nullable AheadBlock block) {
        Fetcher fetcher = new Fetcher(log, disk, queue, request, block);
        Fetch fetch = fetcher.run(sink);
        String damage = fetcher.damage();
        if (damage != null && fetch.status() == Fetch.Status.UNREADABLE) {
            logSequencer.submit(() -> log.complain(damage));
            if (fetcher.suspect() >= 0) {
                log.suspect(fetcher.suspect(), queue + " offset " + fetcher.suspectOffset());
            }
        }
        return fetch;
    }

    /// Makes a lost queue again up to an offset without waiting for ticks, unless the disk fails; for a start
    /// that needs what is in it. Blocks.
    public void awaitReadable(ConsumeQueue queue, long queueOffset) {
        rebuild.runUntilReadable(queue, queueOffset);
    }

    /// False while the entry at an offset is being made again.
    public boolean isReadable(ConsumeQueue queue, long queueOffset) {
        return !queue.missing().covers(queueOffset);
    }

    /// The offset of the message that was stored at a time; -1 when it cannot be told.
    public long offsetAt(ConsumeQueue queue, long wallMillis, Boundary boundary) {
        return new TimeSearch(log, disk, queue).offsetAt(wallMillis, boundary);
    }

    /// When the message at an offset was stored; -1 when it is not there.
    public long storeMillisAt(ConsumeQueue queue, long queueOffset) {
        return new TimeSearch(log, disk, queue).storeMillisAt(queueOffset);
    }

    /// Shows the confirmed record that starts at `logOffset`.
    ///
    /// @return false when none starts there, or it is gone
    public boolean view(long logOffset, RecordSink sink) {
        long confirmed = log.confirmed();
        Segment segment =
                logOffset < 0 || logOffset >= confirmed ? null : log.segments().find(logOffset);
        if (segment == null || !segment.take()) {
            return false;
        }
        try {
            int at = (int) (logOffset - segment.base());
            int limit = (int) Math.min(segment.bytes().capacity(), confirmed - segment.base());
            RecordView view = new RecordView();
            if (view.wrap(segment.bytes(), at, limit, false) != Check.OK || view.logOffset() != logOffset) {
                return false;
            }
            sink.record(segment.bytes().slice(at, view.size()));
            return true;
        } catch (InternalError e) {
            logSequencer.submit(() -> log.complain(disk.describe(segment.file())
                    + ": the disk cannot read the message at " + "byte " + (logOffset - segment.base())));
            return false;
        } finally {
            segment.giveBack();
        }
    }

    /// Copies confirmed records as they are stored, from the one at `from` on: as many as fit `mostBytes`, or that one
    /// alone; less than 8 MiB. Waits for the disk.
    ///
    /// @param from below `confirmOffset`
    public ConfirmedPiece copyConfirmed(long from, int mostBytes) {
        return new ConfirmedReading(disk).read(log.segments(), from, log.confirmed(), mostBytes);
    }

    /// Looks for confirmed messages by key; may answer on another thread. What was confirmed before is found,
    /// unless the key index is far behind because much of it is being built again.
    public void query(KeyQuery query, KeyAnswer answer) {
        index.query(query, answer);
    }

    /// Up to where the log's messages can be found by key.
    public long indexedOffset() {
        return index.followed();
    }

    /// Everything below it can no longer be taken back.
    public long confirmOffset() {
        return log.confirmed();
    }

    /// The end of the log.
    public long appended() {
        return log.appended();
    }

    /// Everything below it survives a loss of power.
    public long durable() {
        return log.durable();
    }

    /// Where the oldest kept segment starts.
    public long minOffset() {
        return log.segments().minOffset();
    }

    public State state() {
        return log.state();
    }

    /// How far the search for what has changed on disk has come.
    public ScrubState scrub() {
        return scrubber.state();
    }

    /// The places of the log that changed on disk and are not mended, as far as they are known.
    public List<RottenPlace> rotten() {
        return scrubber.rotten();
    }

    public StoreFigures figures() {
        long durable = durable();
        long confirm = confirmOffset();
        return new StoreFigures(minOffset(), appended(), confirm, durable, indexedOffset(), log.space(), scrub());
    }

    /// What is wrong at the moment, besides what `state` says.
    public List<Trouble> troubles() {
        return log.troubles();
    }

    /// The log, for whoever says what of it is confirmed; only where `StoreConfig.confirmation` is `BY_OWNER`,
    /// and once.
    ///
    /// @param owner told from now on
    public MemberLog ownedBy(LogOwner owner) {
        MemberLog member = new MemberLog(log, scrubber);
        logSequencer.submitAlways(() -> log.owned().ownedBy(owner));
        return member;
    }

    /// What a copy of the whole log needs besides the log, by the names of its parts (see `SideStore.part`): the
    /// ends of all queues, because one may have no message left, and which topics were dropped. To be taken before
    /// the end of the copied log is chosen.
    public SequencedMap<String, byte[]> copyParts() {
        SequencedMap<String, byte[]> parts = new LinkedHashMap<>();
        QueueEnds.Writer ends = new QueueEnds.Writer(new Checkpoint.Mark(log.confirmed(), 0, 0));
        for (ConsumeQueue queue : queues.all()) {
            long end = queue.maxOffset();
            ends.add(queue.topic(), queue.queueId(), new QueueEnds.End(queue.minOffset(), end, false));
        }
        parts.put(QueueEnds.FILE.path(), ends.content());
        parts.put(DroppedTopics.FILE.path(), queues.dropped().encode());
        return parts;
    }

    /// Retention leaves the records of this queue from `neededFrom` on, which may be asked on any thread.
    public void hold(ConsumeQueue queue, LongSupplier neededFrom) {
        logSequencer.submitAlways(() -> log.hold(queue, neededFrom));
    }

    /// How long messages are kept, and how full the disk may become, from now on and until the store is closed.
    public void retain(RetentionConfig next) {
        logSequencer.submitAlways(() -> log.retain(next));
    }

    /// Runs `then` once `confirmOffset` has reached `logOffset`: at once, or after the log sequencer is left. It
    /// never runs when the store is fenced or closed before that.
    ///
    /// @return false when too many wait already; `then` was not taken
    public boolean whenConfirmed(long logOffset, Runnable then) {
        return log.when(logOffset, then);
    }

    /// To be called every 100 ms or so: flush by time, queue files, key index, checkpoint, late answers.
    public void tick() {
        log.submitTick();
        index.tick();
        rebuild.tick();
        scrubber.submitTick();
    }

    /// Clean stop: everything is synced and `abort` removed, unless the store is fenced or the disk takes longer
    /// than `CLOSE_LIMIT`; then the next start recovers. Consume queues that there is no time for are left to the
    /// next start; then `abort` stays, but the stop is clean: no message depends on it. Blocks; called once.
    ///
    /// @return whether the stop was clean: every message is on disk
    public boolean close() {
        long deadline = clock.nanos() + CLOSE_LIMIT.toNanos();
        scrubSequencer.runAndWait(scrubber::stop);
        rebuildSequencer.runAndWait(rebuild::stop);
        boolean[] clean = new boolean[1];
        QueueFlush.Finish[] finish = {QueueFlush.Finish.FAILED};
        QueueFlush.Grown[] last = {new QueueFlush.Grown(List.of(), null)};
        logSequencer.runAndWait(() -> clean[0] = log.stop(CLOSE_LIMIT));
        if (clean[0]) {
            logSequencer.runAndWait(() -> {
                clean[0] = finishDrops(deadline);
                last[0] = log.last();
            });
        }
        indexSequencer.runAndWait(clean[0] ? () -> index.finish(deadline) : index::stop);
        queueSequencer.runAndWait(() -> {
            if (clean[0]) {
                finish[0] = flush.finish(last[0], log.mark(), deadline);
                clean[0] = finish[0] != QueueFlush.Finish.FAILED;
            } else {
                flush.stop();
            }
        });
        // Records that are not confirmed are in no queue file yet: the next start looks at them.
        boolean whole = finish[0] == QueueFlush.Finish.WRITTEN && log.settled() == log.appended();
        if (whole && unmark(deadline) instanceof Done.Failed failed) {
            clean[0] = false;
            notices.warn("The next start may look through the end of the log: " + failed.sentence());
        }
        logSequencer.runAndWait(log::end);
        return clean[0];
    }

    private boolean finishDrops(long deadline) {
        Done done = log.finishDrops(Duration.ofNanos(Math.max(0, deadline - clock.nanos())));
        if (done instanceof Done.Failed failed) {
            notices.alarm("The store is not closed cleanly: which topics were deleted last could not be written down ("
                    + failed.sentence() + "); the next start deletes them again.");
        }
        return done.isOk();
    }

    private Done unmark(long deadline) {
        Done deleted = disk.delete(ABORT);
        Duration left = Duration.ofNanos(Math.max(0, deadline - clock.nanos()));
        return deleted.isOk() ? disk.syncAll(List.of(), List.of(""), left) : deleted;
    }

    /// What the rebuild of lost queues tells the others.
    private final class Rebuilding implements QueueRebuild.Outcome {
        @Override
        public void rebuilt(ConsumeQueue queue, long first, Missing missing) {
            logSequencer.submitAlways(() -> log.rebuilt(queue, first, missing));
        }

        @Override
        public void progress(@Nullable String sentence) {
            logSequencer.submitAlways(() -> log.tell(Trouble.Kind.REBUILDING, sentence));
        }

        @Override
        public void rotten(RottenPlace place) {
            scrubber.met(place);
        }

        @Override
        public void whole() {
            // Behind what was told before: whoever writes the checkpoint finds every queue whole.
            logSequencer.submitAlways(() -> queueSequencer.submitAlways(flush::outdate));
        }
    }

    private void tellQueueStall(@Nullable String sentence) {
        logSequencer.submitAlways(() -> log.tell(Trouble.Kind.QUEUES_STALLED, sentence));
    }

    private void met(RottenPlace found) {
        scrubber.met(found);
    }

    private void fence(String reason) {
        logSequencer.submitAlways(() -> log.fence(reason));
    }
}
