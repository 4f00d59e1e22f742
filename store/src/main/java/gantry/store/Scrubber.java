package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.wire.message.Check;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads the durable part of the log again and again, and says what has changed since it was written.
///
/// ```
///   WAITING ── a day after the last round began ──▶ READING ── at the durable end ──▶ WAITING
///      ▲                                               │ fenced: no piece is started, the place stays
///      └── place and round are kept in a file ◀────────┘
///   meanwhile, as soon as a block more is durable: it is sealed (see `Sealer`)
/// ```
/// For:   finding bit rot while a copy elsewhere may still be good, and before a consumer does.
/// Owner: its own sequencer; a piece runs outside, one at a time. `state` is for everybody.
/// Never: repairs; more than `scrubBytesPerSecond` on average, more than a tenth of the time reading: a disk that is
///        busy answers slowly, and is left alone for longer.
/// Holds: SCRUB-1 one piece at a time, of reading, of sealing or of what others ask; SCRUB-2 nothing is read at or
///        above `settled`.
final class Scrubber {
    /// What is read at once; also the most that an idle time may save up.
    static final int PIECE_BYTES = 1 << 20;

    static final long ROUND_MILLIS = 24 * 3_600_000L;

    /// After a piece so many times its own duration is left to others.
    private static final int RESTS = 9;

    private static final long SAVED_EVERY_NANOS = 60_000_000_000L;

    /// Bad places of one round that are told one by one.
    private static final int MOST_TOLD = 20;

    /// Looks and mends that may wait.
    private static final int MOST_ASKED = 64;

    private static final String CLOSED = "the store is closed";

    private static final String SINCE_OWNED =
            ". They are fetched again from another member of the group; if this stays, no member that is in sync could"
                    + " give them: see the comparison in /health.";
    private static final String SINCE_ALONE =
            ". Nobody else has a copy of this log, so these messages are lost unless the disk reads them again. Copy"
                    + " the store's disk, run gantry verify on it, and restore the file if there is a good copy; a"
                    + " broker with followers mends such places by itself.";

    /// What the log can tell at any time.
    interface View {
        Segments segments();

        /// Everything below is durable and cannot be taken back.
        long settled();

        boolean isServing();

        /// Hands over the sums of blocks that were filled since the last time, soon.
        ///
        /// @return false when that is not possible now
        boolean takeSums(Consumer<BlockSums> to);

        /// What of the log is rotten now, in a sentence; null when nothing is known to be.
        void tellRot(@Nullable String sentence);

        /// These bytes are right again.
        void mended(long from, long to);
    }

    private final long bytesPerSecond;
    private final Sealer sealer;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Lease session;
    private final View log;
    private final Runnable tick = this::tick;
    private final Image<Boolean> tickWaits = new Image<>(false);
    private final Image<ScrubState> state;
    private @Nullable SegmentWalk walk;
    private @Nullable Segment segment;
    private long walkLimit;
    private long place;
    private long lastMillis;
    private long roundStartedMillis;
    private long rounds;
    private long damageCount;
    private long toldInRound;
    private @Nullable String lastDamage;
    private double credit;
    private long creditNanos;
    private long notBeforeNanos;
    private long savedNanos;
    private List<Damage> damagedBefore = List.of();
    private boolean sealedLast;
    private boolean reading;
    private boolean stopped;
    private final boolean isOwned;
    private final RangeReader ranges;
    private final RangeMend mend;
    private final RotList rot = new RotList();
    private final ArrayDeque<Asked> asked = new ArrayDeque<>();
    private final int blockBytes;
    /// Messages begin here; the older lies at or before every block that ends in the piece that is read next.
    private long olderPlace;

    private long newerPlace;
    private @Nullable String toldRot;

    /// What somebody wants done where waiting is allowed, in the order of asking.
    ///
    /// @param work gives what is to be done with its outcome, inside the scrub sequencer
    private record Asked(Supplier<Runnable> work) {}

    Scrubber(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Lease session,
            View log,
            SealOpening.Opened sealed) {
        this.bytesPerSecond = config.integrity().scrubBytesPerSecond();
        this.sealer = new Sealer(
                config.integrity().sealsBlocks(), disk, notices, sealed.seals(), sealed.sealedTo(), clock.nanos());
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = sequencer;
        this.session = session;
        this.log = log;
        ScrubMemory memory = bytesPerSecond == 0 ? ScrubMemory.NONE : ScrubMemory.load(disk);
        this.place = memory.logOffset();
        this.roundStartedMillis = memory.roundStartedMillis();
        this.rounds = memory.rounds();
        this.creditNanos = clock.nanos();
        this.notBeforeNanos = creditNanos;
        this.savedNanos = creditNanos;
        this.isOwned = config.isOwned();
        this.blockBytes = sealed.seals().layout().blockBytes();
        Seals kept = sealer.isEnabled() ? sealed.seals() : null;
        this.ranges = new RangeReader(disk, kept);
        this.mend = new RangeMend(config, disk, kept, sealer.check());
        this.state = new Image<>(look(bytesPerSecond == 0 ? "off" : "waiting"));
    }

    /// What is rotten, as far as it is known.
    List<RottenPlace> rotten() {
        return rot.places();
    }

    /// Looks at a part of the log soon; `answer` is told inside the scrub sequencer.
    void look(RangeAsk range, Consumer<RangeLook> answer) {
        sequencer.submitAlways(() -> {
            String why = busy();
            if (why != null) {
                answer.accept(new RangeLook.NotNow(why));
                return;
            }
            ask(() -> {
                RangeLook seen =
                        session.take() ? inSession(() -> ranges.look(log.segments(), log.settled(), range)) : null;
                return () -> {
                    RangeLook told = seen == null ? new RangeLook.NotNow(CLOSED) : seen;
                    note(told);
                    answer.accept(told);
                };
            });
        });
    }

    /// Puts what another member has given in the place of what is rotten; `answer` is told inside the scrub sequencer.
    void mend(long from, ByteBuffer given, byte[] digest, Consumer<RangeMended> answer) {
        sequencer.submitAlways(() -> {
            String why = busy();
            if (why != null) {
                answer.accept(new RangeMended.Failed(why));
                return;
            }
            ask(() -> {
                RangeMended done = session.take()
                        ? inSession(
                                () -> mend.mend(log.segments(), log.settled(), from, given, digest, clock.wallMillis()))
                        : null;
                return () -> {
                    RangeMended told = done == null ? new RangeMended.Failed(CLOSED) : done;
                    note(from, told);
                    answer.accept(told);
                };
            });
        });
    }

    private <T> T inSession(Supplier<T> work) {
        try {
            return work.get();
        } finally {
            session.giveBack();
        }
    }

    private @Nullable String busy() {
        if (stopped || !log.isServing()) {
            return "the store takes no part now";
        }
        return asked.size() >= MOST_ASKED ? "too many parts of the log are looked at" : null;
    }

    private void ask(Supplier<Runnable> work) {
        asked.add(new Asked(work));
        startAsked();
    }

    private void startAsked() {
        Asked next = reading ? null : asked.poll();
        if (next != null) {
            reading = true;
            offload.run(() -> {
                Runnable outcome = next.work().get();
                sequencer.submitAlways(() -> {
                    reading = false;
                    outcome.run();
                    startAsked();
                });
            });
        }
    }

    private void note(RangeLook seen) {
        switch (seen) {
            case RangeLook.Sound sound -> cleared(sound.from(), sound.to());
            case RangeLook.Rotten rotten -> {
                if (rot.add(new RottenPlace(rotten.from(), rotten.to(), rotten.what()))) {
                    damageCount++;
                    lastDamage = rotten.what();
                    alarm(rotten.what());
                }
                tellRot();
            }
            case RangeLook.Gone _, RangeLook.NotNow _ -> {}
        }
    }

    private void note(long from, RangeMended done) {
        switch (done) {
            case RangeMended.Mended mended -> {
                notices.over("Bit rot is mended: the commit log from " + from + " to " + mended.to()
                        + " has been fetched again from another member of the group. What stood there is kept in "
                        + mended.kept() + "; the newest " + KeptRot.MOST_KEPT + " such files are kept.");
                cleared(from, mended.to());
                log.mended(from, mended.to());
            }
            case RangeMended.Same same -> cleared(from, same.to());
            case RangeMended.Gone _ -> cleared(0, log.segments().minOffset());
            case RangeMended.Differs _, RangeMended.Unfit _, RangeMended.Failed _ -> {}
        }
    }

    private void cleared(long from, long to) {
        rot.clear(from, to);
        tellRot();
    }

    /// A reader has met something that is no message.
    void met(RottenPlace found) {
        sequencer.submitAlways(() -> {
            rot.add(found);
            tellRot();
        });
    }

    private void tellRot() {
        List<RottenPlace> places = rot.places();
        String sentence = places.isEmpty()
                ? null
                : places.size() + (places.size() == 1 ? " place" : " places") + " of the commit log changed on disk: "
                        + places.getFirst().what() + (isOwned ? SINCE_OWNED : SINCE_ALONE);
        if (!Objects.equals(sentence, toldRot)) {
            toldRot = sentence;
            log.tellRot(sentence);
        }
    }

    ScrubState state() {
        return state.read();
    }

    /// A tick that comes while the one before still waits is dropped.
    void submitTick() {
        if ((bytesPerSecond > 0 || sealer.isEnabled()) && !tickWaits.read()) {
            tickWaits.publish(true);
            if (!sequencer.submit(tick)) {
                tickWaits.publish(false);
            }
        }
    }

    /// No further piece is started. What was read since the place was kept is read again: a stop waits for nothing.
    void stop() {
        sequencer.requireInside();
        stopped = true;
    }

    private void tick() {
        tickWaits.publish(false);
        long now = clock.nanos();
        credit = Math.min(PIECE_BYTES, credit + bytesPerSecond * ((now - creditNanos) / 1e9));
        creditNanos = now;
        if (stopped || reading) {
            return;
        }
        if (!log.isServing()) {
            state.publish(look(bytesPerSecond == 0 ? "off" : "fenced"));
            return;
        }
        rot.clear(0, log.segments().minOffset());
        if (!sealedLast && sealer.isDue(log.segments(), log.settled(), now)) {
            startSealing();
            return;
        }
        sealedLast = false;
        if (bytesPerSecond > 0) {
            scrub(now);
        }
    }

    private void startSealing() {
        reading = true;
        // The next tick may be a piece's turn, however much there is to seal.
        sealedLast = true;
        if (!log.takeSums(this::seal)) {
            seal(new BlockSums());
        }
    }

    private void seal(BlockSums fresh) {
        Segments segments = log.segments();
        long settled = log.settled();
        offload.run(() -> {
            if (session.take()) {
                try {
                    Sealer.Run run = sealer.run(segments, settled, fresh);
                    sequencer.submitAlways(() -> {
                        reading = false;
                        sealer.ended(run, segments, clock.nanos());
                        startAsked();
                    });
                } finally {
                    session.giveBack();
                }
            }
        });
    }

    private void scrub(long now) {
        if (!isUnderWay() && !begin()) {
            return;
        }
        long wanted = Math.min(PIECE_BYTES, Math.max(1, log.settled() - place));
        if (credit >= wanted && now - notBeforeNanos >= 0) {
            startPiece(now);
        }
    }

    /// Between the begin of a round and its end at the durable end.
    private boolean isUnderWay() {
        return roundStartedMillis > 0 && place >= 0;
    }

    private boolean begin() {
        long wall = clock.wallMillis();
        // A clock that was set back does not put the next round off for ever.
        boolean due = wall - roundStartedMillis >= ROUND_MILLIS || wall < roundStartedMillis;
        if (!due) {
            return false;
        }
        roundStartedMillis = wall;
        place = 0;
        lastMillis = 0;
        toldInRound = 0;
        walk = null;
        damagedBefore = List.of();
        return true;
    }

    private void startPiece(long now) {
        Segments segments = log.segments();
        place = Math.max(place, segments.minOffset());
        long settled = log.settled();
        Segment next = place < settled ? segments.find(place) : null;
        if (next == null) {
            endRound();
            return;
        }
        long limit = Math.min(next.bytes().capacity(), settled - next.base());
        SegmentWalk going = walk;
        if (next != segment) {
            damagedBefore = List.of();
            olderPlace = next.base();
            newerPlace = next.base();
        }
        if (going == null || next != segment || limit != walkLimit) {
            // Never at a hole that a crash left: what is durable has none.
            going = new SegmentWalk(disk, next.file(), next.base(), limit, false).from(place - next.base(), lastMillis);
            walk = going;
            segment = next;
            walkLimit = limit;
        }
        SegmentWalk ready = going;
        List<Damage> before = damagedBefore;
        reading = true;
        state.publish(look("reading"));
        offload.run(() -> {
            Piece piece = readAndCompare(next, ready, limit, before);
            sequencer.submitAlways(() -> pieceEnded(piece, now));
        });
    }

    /// What came of one piece.
    ///
    /// @param to where to go on
    /// @param seals what the blocks' seals say
    private record Piece(
            long from, long to, long lastMillis, @Nullable Damage damage, Sealer.Found seals) {
        Piece(long from, long to, long lastMillis, @Nullable Damage damage) {
            this(from, to, lastMillis, damage, Sealer.Found.NOTHING);
        }
    }

    /// Outside of the sequencer: waits for the disk.
    private Piece readAndCompare(Segment holder, SegmentWalk going, long limit, List<Damage> before) {
        long from = going.place();
        if (!session.take()) {
            return new Piece(from, from, 0, null);
        }
        try {
            Piece piece = read(holder, going, limit);
            List<Damage> damaged = new ArrayList<>(before);
            if (piece.damage() != null) {
                damaged.add(piece.damage());
            }
            Sealer.Found found = sealer.pass(holder, from, piece.to(), damaged);
            return new Piece(from, piece.to(), piece.lastMillis(), piece.damage(), found);
        } finally {
            session.giveBack();
        }
    }

    /// Ends at the first damage, so that each is told.
    private Piece read(Segment holder, SegmentWalk going, long limit) {
        long from = going.place();
        try {
            while (going.place() - from < PIECE_BYTES) {
                SegmentWalk.Step step = going.next();
                if (step == SegmentWalk.Step.DAMAGE) {
                    return new Piece(from, going.damage().to(), going.lastMillis(), going.damage());
                }
                if (step == SegmentWalk.Step.END) {
                    return endOfFile(holder, going, from, limit);
                }
            }
            return new Piece(from, going.place(), going.lastMillis(), null);
        } catch (DiskFailed e) {
            // Retention took the file away; the next piece begins where the log begins now.
            return new Piece(from, holder.bytes().capacity(), going.lastMillis(), null);
        }
    }

    private static Piece endOfFile(Segment holder, SegmentWalk going, long from, long limit) {
        Damage empty = limit - going.place() >= LogTail.BLANK_BYTES
                ? new Damage(holder.file(), going.place(), limit, LogScan.faultOf(Check.END), null)
                : null;
        return new Piece(from, limit, going.lastMillis(), empty);
    }

    private void pieceEnded(Piece piece, long startedNanos) {
        reading = false;
        Segment holder = segment;
        long now = clock.nanos();
        credit -= piece.to() - piece.from();
        notBeforeNanos = now + (now - startedNanos) * RESTS;
        if (holder != null && !stopped) {
            place = holder.base() + piece.to();
            lastMillis = Math.max(lastMillis, piece.lastMillis());
            if (piece.damage() == null && piece.seals().changed().isEmpty()) {
                rot.clear(holder.base() + piece.from(), place);
            }
            if (piece.damage() != null) {
                tell(piece.damage());
                rot.add(rotten(holder, holder.base() + piece.damage().from(), piece.damage()));
                walk = null;
                damagedBefore = List.of(piece.damage());
            }
            if (holder.base() + piece.from() - newerPlace >= blockBytes) {
                olderPlace = newerPlace;
                newerPlace = holder.base() + piece.from();
            }
            for (Damage changed : piece.seals().changed()) {
                tell(changed);
                rot.add(rotten(holder, olderPlace, changed));
            }
            tellRot();
            sealer.passed(piece.seals(), now);
            if (now - savedNanos >= SAVED_EVERY_NANOS
                    || piece.to() == holder.bytes().capacity()) {
                savedNanos = now;
                save();
            }
            state.publish(look("reading"));
        }
        startAsked();
    }

    /// To where the piece ends: messages go on there.
    private RottenPlace rotten(Segment holder, long from, Damage damage) {
        return new RottenPlace(from, Math.max(place, holder.base() + damage.to()), damage.sentence(disk));
    }

    private void alarm(String damage) {
        notices.alarm("Bit rot: " + damage + ". It was whole when it was written. "
                + (isOwned
                        ? "It is fetched again from another member of the group."
                        : "Copy the store's disk, look at it with gantry verify, and restore the file if there is a"
                                + " good copy."));
    }

    private void tell(Damage damage) {
        damageCount++;
        lastDamage = damage.sentence(disk);
        toldInRound++;
        if (toldInRound <= MOST_TOLD) {
            alarm(lastDamage);
        } else if (toldInRound == MOST_TOLD + 1) {
            notices.alarm("Bit rot: there are more bad places than are named here; gantry verify shows all.");
        }
    }

    private void endRound() {
        rounds++;
        place = -1;
        walk = null;
        segment = null;
        state.publish(look("waiting"));
        save();
    }

    private void save() {
        ScrubMemory memory = memory();
        offload.run(() -> {
            if (session.take()) {
                try {
                    memory.save(disk);
                } finally {
                    session.giveBack();
                }
            }
        });
    }

    private ScrubMemory memory() {
        return new ScrubMemory(place, roundStartedMillis, rounds);
    }

    private ScrubState look(String phase) {
        return new ScrubState(phase, Math.max(0, place), rounds, damageCount, lastDamage);
    }
}
