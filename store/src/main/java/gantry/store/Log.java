package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Invariant;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Everything that the log sequencer owns.
///
/// For:   carrying an append from the batch to its answer, in this order:
///        admit → tail.append → (sync) → confirm → show queue entries → answer.
/// Owner: the log sequencer; `submit`, `when` and the published positions are for everybody.
/// Never: waits for the disk, except for the copy that a buffered write is.
/// Holds: LOG-2 durable <= appended; LOG-3 confirmOffset never goes back, and is <= appended, and in mode SYNCED
///        <= durable, unless somebody else confirms; LOG-6 a queue shows no entry at or above confirmOffset.
final class Log implements LogSync.Outcome, Scrubber.View {
    private static final Refusal BUSY =
            new Refusal(Refusal.Kind.BUSY, "the store has more to do than it may keep waiting; send again");
    private static final Refusal GONE =
            new Refusal(Refusal.Kind.GONE, "a topic was deleted while messages for it were on their way; send again");
    private static final Refusal CLOSED = new Refusal(Refusal.Kind.CLOSED, "the store is closing");

    private final StoreConfig config;
    private final Clock clock;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Lease session;
    private final SegmentShelf shelf;
    private final LogTail tail;
    private final LogSync sync;
    private final QueueFlush flush;
    private final Growth growth;
    private final Retention retention;
    private long ownerKeepsFrom = Long.MAX_VALUE;
    private final Queues queues;
    private final LostRecords lost;
    private final TopicDrops drops;
    private final Troubles troubles = new Troubles();
    private final Unconfirmed unconfirmed;
    private final @Nullable OwnedEnd owned;
    private final @Nullable LogCopying copying;
    private final LogReading reading;
    private final Published appended;
    private final Published confirmed;
    private final Image<State> state = new Image<>(new State.Serving());
    private final FullDisk fullDisk;
    private final DirtyEnd dirtyEnd;
    private final Complaint unreadable;
    private final SyncWatch syncWatch;
    private final Runnable tick = this::tick;
    private final Image<Boolean> tickWaits = new Image<>(false);

    Log(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Lease session,
            Recovered recovered,
            QueueFlush flush,
            EntryRule rule,
            Consumer<RottenPlace> met) {
        this.config = config;
        this.clock = clock;
        this.notices = notices;
        this.sequencer = sequencer;
        this.session = session;
        this.flush = flush;
        this.queues = recovered.queues();
        Checkpoint.Mark end = recovered.end();
        this.shelf = new SegmentShelf(
                config, disk, offload, sequencer, session, clock, notices, recovered.segments(), this::syncIfWaited);
        this.tail = new LogTail(config, disk, shelf, end.logOffset(), end.storeMillis(), end.entryCount());
        this.sync = new LogSync(disk, clock, sequencer, shelf, tail, this, end);
        this.lost = new LostRecords(disk, clock, offload, notices, sequencer, this, config.isOwned() ? met : null);
        this.owned = config.isOwned() ? new OwnedEnd(recovered.confirmed(), recovered.hidden(), end) : null;
        this.reading = new LogReading(disk, offload, sequencer, session, shelf, tail, this::tellReadable);
        this.unconfirmed = new Unconfirmed(recovered.hidden());
        this.copying = owned == null
                ? null
                : new LogCopying(
                        this, tail, sync, shelf, queues, owned, unconfirmed, flush, disk, sequencer, config, rule);
        this.growth = new Growth(sequencer, config.isOwned(), config.isOwned() ? List.of() : recovered.unflushed());
        this.retention = new Retention(
                config,
                disk,
                clock,
                offload,
                sequencer,
                session,
                shelf,
                recovered.queues(),
                troubles,
                notices,
                this::fence);
        this.drops = new TopicDrops(
                disk, clock, offload, notices, sequencer, shelf, recovered.queues(), flush, sync, this::settled);
        this.appended = new Published(end.logOffset());
        this.confirmed = new Published(recovered.confirmed().logOffset());
        this.fullDisk = new FullDisk(clock, notices, troubles);
        this.dirtyEnd = new DirtyEnd(disk, offload, sequencer, shelf, tail, fullDisk, this::fence);
        this.unreadable = new Complaint(notices);
        this.syncWatch = new SyncWatch(disk, sync, shelf, troubles, notices);
    }

    // ---- for everybody

    void submit(AppendBatch batch) {
        if (!sequencer.submit(batch.bound(this))) {
            batch.endsRefused(BUSY).run();
        }
    }

    /// A tick that comes while the one before still waits is dropped.
    void submitTick() {
        if (!tickWaits.read()) {
            tickWaits.publish(true);
            if (!sequencer.submit(tick)) {
                tickWaits.publish(false);
            }
        }
    }

    boolean when(long logOffset, Runnable then) {
        if (logOffset <= confirmed.read()) {
            then.run();
            return true;
        }
        return unconfirmed.workCount() < Unconfirmed.MAX_WORKS && sequencer.submit(() -> await(logOffset, then));
    }

    @Override
    public Segments segments() {
        return shelf.read();
    }

    Queues queues() {
        return queues;
    }

    long appended() {
        return appended.read();
    }

    /// Inside the log sequencer.
    long entryCount() {
        return tail.entryCount();
    }

    long confirmed() {
        return confirmed.read();
    }

    long durable() {
        return sync.durable();
    }

    @Override
    public long settled() {
        return Math.min(sync.durable(), confirmed.read());
    }

    @Override
    public boolean takeSums(Consumer<BlockSums> to) {
        return sequencer.submit(() -> {
            BlockSums sums = tail.takeSums();
            sequencer.after(() -> to.accept(sums));
        });
    }

    @Override
    public void tellRot(@Nullable String sentence) {
        sequencer.submitAlways(() -> {
            if (sentence == null && troubles.has(Trouble.Kind.BIT_ROT)) {
                notices.over("No place of the commit log is known to be rotten any more.");
            }
            troubles.set(Trouble.Kind.BIT_ROT, sentence);
        });
    }

    @Override
    public void mended(long from, long to) {
        sequencer.submitAlways(() -> lost.mended(from, to));
    }

    /// Hands over the keys of what was appended since the last time, outside of the sequencer; null when they are not
    /// kept.
    ///
    /// @return false when the log has too much to do
    boolean takeKeys(Consumer<@Nullable KeyTrail> to) {
        return sequencer.submit(() -> {
            KeyTrail trail = tail.takeKeys();
            sequencer.after(() -> to.accept(trail));
        });
    }

    /// For the next time; whoever took it does not use it any more.
    void giveBack(KeyTrail trail) {
        sequencer.submit(() -> tail.giveBack(trail));
    }

    State state() {
        return state.read();
    }

    /// Of the disk, as retention saw it last.
    Disk.Space space() {
        return retention.space();
    }

    List<Trouble> troubles() {
        return troubles.read();
    }

    // ---- inside

    void append(AppendBatch batch) {
        sequencer.requireInside();
        Refusal refusal = admit(batch);
        if (refusal == null) {
            Done.Failed failure = tail.append(batch, clock.wallMillis());
            refusal = failure == null ? null : notWritten(failure);
        }
        if (refusal != null) {
            sequencer.after(batch.endsRefused(refusal));
            return;
        }
        appended.advance(tail.end());
        if (owned != null) {
            holdBack(batch);
            owned.appended(tail);
            syncIfWaited();
        } else if (config.durability() == Durability.WRITTEN) {
            sequencer.after(batch.endsWrittenAndConfirmed());
            growth.show(batch);
            confirm(tail.end());
        } else {
            holdBack(batch);
            sync.start();
        }
        shelf.lookAhead(tail.end());
    }

    private @Nullable Refusal admit(AppendBatch batch) {
        return switch (state.read()) {
            case State.Fenced fenced -> new Refusal(Refusal.Kind.FENCED, fenced.reason());
            case State.Closed _ -> CLOSED;
            case State.Serving _ -> {
                Refusal following = owned == null ? null : owned.following();
                if (following != null) {
                    yield following;
                }
                Refusal noRoom = admit(batch.usesReserve());
                if (noRoom != null) {
                    yield noRoom;
                }
                if (isForClosed(batch)) {
                    yield GONE;
                }
                yield tail.fits(batch) ? null : tooLarge();
            }
        };
    }

    /// Whether anything can be written now.
    private @Nullable Refusal admit(boolean usesReserve) {
        Refusal dirty = dirtyEnd.refusal();
        if (dirty != null) {
            return dirty;
        }
        if (tail.end() >= retention.refusedFrom() && !usesReserve) {
            return fullDisk.refuse(retention.room());
        }
        return tail.end() - sync.durable() > config.maxUnsyncedBytes()
                        || tail.addedCount() - flush.flushedCount() > config.maxUnflushedEntries()
                ? BUSY
                : null;
    }

    private static boolean isForClosed(AppendBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            if (batch.queue(i).closed()) {
                return true;
            }
        }
        return false;
    }

    private Refusal tooLarge() {
        return new Refusal(
                Refusal.Kind.TOO_LARGE,
                "a message may have " + config.maxRecordBytes() + " bytes as it is stored, and messages that are sent"
                        + " as one must fit a commit-log file of " + config.segmentBytes() + " bytes together");
    }

    /// Nothing may be seen before it is confirmed, and who waits is answered then.
    private void holdBack(AppendBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            if (i + 1 == batch.count() || batch.queue(i + 1) != batch.queue(i)) {
                unconfirmed.shows().add(batch.queue(i), batch.queueOffset(i) + 1, batch.endOffset());
            }
        }
        if (batch.waitsForSync()) {
            batch.waitUntil(clock.nanos() + config.syncTimeout().toNanos());
            unconfirmed.add(batch);
            batch.listener().written(batch);
        } else {
            sequencer.after(batch.endsWrittenAndConfirmed());
        }
    }

    private void confirm(long logOffset) {
        Invariant.check(logOffset <= appended.read(), "LOG-3 confirmOffset is <= appended");
        confirmed.advance(logOffset);
        QueueRing shows = unconfirmed.shows();
        while (shows.has(logOffset)) {
            growth.show(shows.queue(), shows.shows());
            if (owned != null) {
                owned.shown(shows.queue(), shows.shows(), shows.end());
            }
            shows.drop();
        }
        for (AppendBatch b = unconfirmed.nextBatch(logOffset); b != null; b = unconfirmed.nextBatch(logOffset)) {
            sequencer.after(b.endsConfirmed());
        }
        for (Runnable w = unconfirmed.nextWork(logOffset); w != null; w = unconfirmed.nextWork(logOffset)) {
            sequencer.after(w);
        }
    }

    private void await(long logOffset, Runnable then) {
        if (logOffset <= confirmed.read()) {
            sequencer.after(then);
        } else {
            unconfirmed.add(logOffset, then);
        }
    }

    void syncIfWaited() {
        if (config.durability() == Durability.SYNCED && isServing()) {
            sync.start();
        }
    }

    @Override
    public void durableMoved(long durable) {
        if (owned != null) {
            owned.owner().durable(durable);
            syncIfWaited();
        } else if (config.durability() == Durability.SYNCED) {
            confirm(durable);
            syncIfWaited();
        }
        drops.pump();
    }

    @Override
    public void syncFailed(Done.Failed why) {
        fence("The commit log could not be made durable (" + why.sentence()
                + "). Nothing is accepted any more; check the disk, then restart.");
    }

    private void tick() {
        tickWaits.publish(false);
        long now = clock.nanos();
        if (state.read() instanceof State.Closed) {
            return;
        }
        for (AppendBatch late = unconfirmed.nextLate(now); late != null; late = unconfirmed.nextLate(now)) {
            sequencer.after(late.endsLate());
        }
        if (isServing()) {
            if (now - sync.startedNanos() >= config.flushInterval().toNanos()) {
                sync.start();
            }
            shelf.lookAhead(tail.end());
            dirtyEnd.tick();
            syncWatch.tick(now);
            drops.pump();
            reading.giveBack();
            retention.tick(now, tail.end(), mark(), keptFrom(now));
            fullDisk.look(now, tail.end() >= retention.refusedFrom(), retention.room(), dirtyEnd.isClean());
        }
        growth.trim();
        growth.handOver(flush, settle(), now);
        if (owned != null && isServing()) {
            owned.owner().tick(now);
        }
    }

    /// Lists what may be in files by now.
    private Checkpoint.Mark settle() {
        Checkpoint.Mark settled = mark();
        if (owned != null) {
            owned.settle(settled, growth);
        }
        return settled;
    }

    /// @param sentence null when it is over
    void tell(Trouble.Kind kind, @Nullable String sentence) {
        troubles.set(kind, sentence);
    }

    /// A part of a lost queue has been made again.
    void rebuilt(ConsumeQueue queue, long first, Missing missing) {
        sequencer.requireInside();
        queue.startAt(first);
        queue.lacks(missing);
        if (queue.watched().read()) {
            sequencer.after(queue.wake);
        }
    }

    boolean dropsAreThrough() {
        return drops.isThrough();
    }

    /// Where the log ended when a topic was dropped last that it still has something of; 0 when there is none.
    long droppedAt() {
        return queues.dropped().newest();
    }

    void close(String topic) {
        // One that is made too late is closed as well.
        queues.ofTopic(topic).close();
    }

    /// @param settled told when no crash can bring the topic's messages back
    void drop(String topic, long below, Runnable settled) {
        if (isServing()) {
            drops.drop(topic, below, settled);
        }
    }

    void beginAnew(String topic, long below) {
        if (isServing()) {
            drops.beginAnew(topic, below);
        }
    }

    /// After `stop`: writes down which topics were dropped last; waits for the disk, but not longer than `limit`.
    Done finishDrops(Duration limit) {
        return drops.finish(limit);
    }

    void hold(ConsumeQueue queue, LongSupplier neededFrom) {
        retention.hold(queue, neededFrom);
    }

    void keepFrom(long logOffset) {
        ownerKeepsFrom = logOffset;
    }

    /// Sends come before a reader who can begin anew.
    private long keptFrom(long now) {
        long kept = Math.min(flush.checkpointed(), reading.keptFrom(now));
        return tail.end() >= retention.refusedFrom() ? kept : Math.min(kept, ownerKeepsFrom);
    }

    void retain(RetentionConfig next) {
        retention.obey(next);
    }

    @Override
    public boolean isServing() {
        return state.read() instanceof State.Serving;
    }

    // ---- for whoever owns the log; inside

    OwnedEnd owned() {
        if (owned == null) {
            throw notOwned();
        }
        return owned;
    }

    private static IllegalStateException notOwned() {
        return new IllegalStateException("this store confirms by itself: see StoreConfig.confirmation");
    }

    Sequencer sequencer() {
        return sequencer;
    }

    /// Everything below is held by as many as was promised. It takes effect up to where an append, or a copied record,
    /// ended.
    void confirmUpTo(long logOffset) {
        sequencer.requireInside();
        long end = owned().confirm(logOffset);
        if (end > confirmed.read()) {
            confirm(end);
        }
    }

    /// A row of a dropped topic is written when the log is confirmed and durable up to its place. A leader that
    /// forgets that stands still with a member that has yet to take the topic that came again: it waits for the
    /// end of the old one to be confirmed.
    void confirmThroughDrops() {
        confirmUpTo(queues.dropped().newest());
    }

    void lead() {
        sequencer.requireInside();
        owned().lead();
    }

    /// What waits for a confirmation may still get it, but nobody here will know.
    void follow(String leader) {
        sequencer.requireInside();
        refuseWaiting(owned().follow(leader));
    }

    LogPiece read(long from, long to, int maxBytes) {
        sequencer.requireInside();
        return reading.read(from, to, maxBytes, clock.nanos());
    }

    private void tellReadable() {
        owned().owner().readable();
    }

    LogCopying copying() {
        if (copying == null) {
            throw notOwned();
        }
        return copying;
    }

    /// Why nothing can be copied into the log now, or null.
    @Nullable
    Refusal refusesCopies() {
        return switch (state.read()) {
            case State.Fenced fenced -> new Refusal(Refusal.Kind.FENCED, fenced.reason());
            case State.Closed _ -> CLOSED;
            case State.Serving _ -> admit(false);
        };
    }

    /// The tail has more than before.
    void grown() {
        appended.advance(tail.end());
    }

    // ---- what goes wrong

    Refusal notWritten(Done.Failed failure) {
        if (failure.kind() == Done.Kind.FULL) {
            Refusal refusal = fullDisk.refuse(failure.sentence());
            dirtyEnd.refuseWith(refusal);
            return refusal;
        }
        fence("The commit log could not be written (" + failure.sentence()
                + "). Nothing is accepted any more; check the disk, then restart.");
        return new Refusal(Refusal.Kind.FENCED, failure.sentence());
    }

    /// Whether the message that started there is lost for certain, and was named.
    boolean isLost(long logOffset) {
        return lost.holds(logOffset);
    }

    /// There is no message where an entry leads.
    void suspect(long logOffset, String queue) {
        lost.suspect(logOffset, queue);
    }

    /// Something of the log or its queues could not be read.
    void complain(String damage) {
        unreadable.alarm("Messages cannot be read: " + damage + ". Check the disk.", clock.nanos());
    }

    /// Takes no part any more, but stays up for reading.
    void fence(String reason) {
        sequencer.requireInside();
        if (!isServing()) {
            return;
        }
        state.publish(new State.Fenced(reason));
        notices.alarm(reason);
        refuseWaiting(new Refusal(Refusal.Kind.FENCED, reason));
    }

    private void refuseWaiting(Refusal why) {
        for (AppendBatch b = unconfirmed.nextBatch(); b != null; b = unconfirmed.nextBatch()) {
            sequencer.after(b.endsRefused(why));
        }
    }

    // ---- the end

    /// Takes no more appends, and makes the log durable; waits for the disk, but not longer than `limit`.
    ///
    /// @return whether the stop is clean so far: everything appended is durable
    boolean stop(Duration limit) {
        sequencer.requireInside();
        boolean clean = isServing() && dirtyEnd.isClean();
        retention.end();
        drops.end();
        if (clean && sync.finish(limit) instanceof Done.Failed failed) {
            clean = false;
            if (failed.kind() == Done.Kind.LATE) {
                notices.alarm("The store is not closed cleanly: the end of the commit log is written, but not synced ("
                        + failed.sentence() + "). It is lost only if the machine loses power before the next start.");
            } else {
                syncFailed(failed);
            }
        }
        refuseWaiting(CLOSED);
        state.publish(new State.Closed());
        return clean;
    }

    /// What the queue files may hold in the end, after `stop`.
    QueueFlush.Grown last() {
        settle();
        return growth.grown(List.copyOf(queues.all()));
    }

    /// The place up to which everything is confirmed and durable, with what belongs to it.
    Checkpoint.Mark mark() {
        return owned == null ? sync.mark() : owned.settled(sync.mark());
    }

    void end() {
        retention.end();
        reading.giveBack();
        shelf.end();
        session.end();
    }
}
