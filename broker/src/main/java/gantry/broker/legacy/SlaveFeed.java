package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.broker.replica.MemberStatus;
import gantry.replica.member.MemberState;
import gantry.store.ConfirmedPiece;
import gantry.store.Store;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection of a RocketMQ slave, and what is sent on it.
///
/// ```
///   GREETING ── first report ──▶ LOOKING: does a record begin there? ──▶ SERVED: read, sent, reported, read …
///      │ 10 s                       │ no                       10 s without a report, or progress │
///      └──────────────▶ ended, with a cause ◀───────────────────────────────┘
/// ```
/// For:   the log's confirmed records, in order, to one slave.
/// Owner: the sequencer of `LegacySlaves`; reads run outside, one at a time.
/// Never: begins a piece while `WINDOW_BYTES` are on their way; sends a byte that is not confirmed, or a record whose
///        checks fail.
final class SlaveFeed {
    /// What a slave may have been sent and not reported before it is sent more.
    static final int WINDOW_BYTES = 1 << 20;

    /// Read at once; a larger message is read whole.
    static final int PIECE_BYTES = 128 * 1024;

    /// Of one frame; a slave gathers a frame whole, in 4 MiB.
    static final int FRAME_BYTES = 1 << 20;

    /// Reports that may wait for the sequencer; a slave sends 8 bytes at a time.
    static final int MOST_WAITING_BYTES = 64 * 1024;

    private static final int HEADER_BYTES = 12;

    /// RocketMQ's slaves give up after 20 s without a byte.
    private static final long BEAT_NANOS = 3_000_000_000L;

    private final Link link;
    private final Store store;
    private final Clock clock;
    private final Offload offload;
    private final Consumer<Runnable> sequencer;
    private final BiConsumer<SlaveFeed, LegacyFault> left;
    private final SlaveReports reports = new SlaveReports();
    private final long openedNanos;
    private long heardNanos;
    private long spokenNanos;
    private long movedNanos;
    private long sent;
    private int number;
    private boolean looking;
    private boolean served;
    private boolean reading;
    private boolean closed;

    /// @param left told once, when the connection is over
    SlaveFeed(
            Link link,
            Store store,
            Clock clock,
            Offload offload,
            Consumer<Runnable> sequencer,
            BiConsumer<SlaveFeed, LegacyFault> left) {
        this.link = link;
        this.store = store;
        this.clock = clock;
        this.offload = offload;
        this.sequencer = sequencer;
        this.left = left;
        this.openedNanos = clock.nanos();
        this.heardNanos = openedNanos;
        this.spokenNanos = openedNanos;
        this.movedNanos = openedNanos;
    }

    /// Under which it is shown, below 0.
    void number(int next) {
        number = next;
    }

    int number() {
        return number;
    }

    long id() {
        return link.id();
    }

    String host() {
        return link.remote().host();
    }

    String address() {
        return link.remote().toString();
    }

    long openedNanos() {
        return openedNanos;
    }

    long heardNanos() {
        return heardNanos;
    }

    boolean isServed() {
        return served;
    }

    /// It has all below.
    long held() {
        return served ? reports.held() : -1;
    }

    void take(ByteBuffer bytes) {
        if (closed) {
            return;
        }
        long nowNanos = clock.nanos();
        heardNanos = nowNanos;
        long before = reports.held();
        LegacyFault fault = reports.feed(bytes, 0, bytes.capacity(), store.minOffset(), store.confirmOffset());
        if (reports.held() > before || sent == reports.held()) {
            movedNanos = nowNanos;
        }
        if (fault != null) {
            end(fault);
        } else if (reports.isBegun() && !looking) {
            looking = true;
            look();
        } else {
            goOn();
        }
    }

    /// A copy that went on in the middle of a record would be a log that nobody can read.
    private void look() {
        sent = reports.start();
        if (reports.wasEmpty() || sent == store.confirmOffset()) {
            begin(null);
            return;
        }
        long place = sent;
        offload.run(() -> {
            LegacyFault found = fault(store.copyConfirmed(place, 1), place);
            sequencer.accept(() -> begin(found));
        });
    }

    private static @Nullable LegacyFault fault(ConfirmedPiece piece, long place) {
        return switch (piece) {
            case ConfirmedPiece.Whole _ -> null;
            case ConfirmedPiece.Gone _ ->
                new LegacyFault(LegacyCause.SLAVE_BEHIND, "log offset " + place + " was just deleted");
            case ConfirmedPiece.NoRecord _ ->
                new LegacyFault(
                        LegacyCause.FALSE_REPORT,
                        "no message begins at log offset " + place
                                + " (a RocketMQ slave that is restarted cuts its log back to whole messages)");
            case ConfirmedPiece.Unreadable unreadable ->
                new LegacyFault(LegacyCause.OUR_RECORD, unreadable.what() + " (log offset " + place + ")");
        };
    }

    private void begin(@Nullable LegacyFault fault) {
        if (closed) {
            return;
        }
        if (fault != null) {
            end(fault);
            return;
        }
        served = true;
        movedNanos = clock.nanos();
        goOn();
    }

    /// Sends the next piece, if there is one and the slave has room.
    void goOn() {
        if (closed || !served || reading || sent >= store.confirmOffset() || sent - reports.held() >= WINDOW_BYTES) {
            return;
        }
        reading = true;
        long from = sent;
        offload.run(() -> {
            ConfirmedPiece piece = store.copyConfirmed(from, PIECE_BYTES);
            sequencer.accept(() -> send(piece, from));
        });
    }

    private void send(ConfirmedPiece piece, long from) {
        reading = false;
        if (closed) {
            return;
        }
        if (!(piece instanceof ConfirmedPiece.Whole whole)) {
            LegacyFault fault = fault(piece, from);
            // What we have sent ended with a record, so it is our log that has none behind it.
            end(
                    fault == null || fault.cause() == LegacyCause.FALSE_REPORT
                            ? new LegacyFault(LegacyCause.OUR_RECORD, "no message begins at log offset " + from)
                            : fault);
            return;
        }
        ByteBuffer bytes = whole.bytes();
        if (sent == reports.held()) {
            movedNanos = clock.nanos();
        }
        while (bytes.hasRemaining()) {
            ByteBuffer body = bytes.slice(bytes.position(), Math.min(FRAME_BYTES, bytes.remaining()));
            if (!link.send(header(sent, body.remaining()), 0, HEADER_BYTES, body)) {
                end(new LegacyFault(LegacyCause.SLAVE_SILENT, "it takes no more bytes"));
                return;
            }
            sent += body.remaining();
            reports.sent(sent);
            bytes.position(bytes.position() + body.remaining());
        }
        spokenNanos = clock.nanos();
        goOn();
    }

    private static byte[] header(long logOffset, int size) {
        return ByteBuffer.allocate(HEADER_BYTES).putLong(logOffset).putInt(size).array();
    }

    void tick(long nowNanos) {
        if (closed) {
            return;
        }
        if (!reports.isBegun() && nowNanos - openedNanos >= LegacySlaves.FIRST_REPORT_NANOS) {
            end(new LegacyFault(LegacyCause.STRANGER, "it did not say within 10 s where its log ends"));
        } else if (nowNanos - heardNanos >= LegacySlaves.SILENCE_NANOS) {
            end(new LegacyFault(LegacyCause.SLAVE_SILENT, "it reported nothing for 10 s"));
        } else if (served && sent > reports.held() && nowNanos - movedNanos >= LegacySlaves.SILENCE_NANOS) {
            end(new LegacyFault(
                    LegacyCause.SLAVE_STUCK,
                    "it was sent up to log offset " + sent + ", and has been at " + reports.held() + " for 10 s"));
        } else {
            goOn();
            if (served && !reading && nowNanos - spokenNanos >= BEAT_NANOS) {
                spokenNanos = nowNanos;
                link.send(header(sent, 0), 0, HEADER_BYTES);
            }
        }
    }

    MemberStatus status(long nowNanos) {
        long lag = lacks();
        MemberState state = !served
                ? new MemberState.Connecting()
                : lag == 0 ? new MemberState.InSync() : new MemberState.CatchingUp(lag);
        return new MemberStatus(
                number,
                address(),
                state,
                served ? OptionalLong.of(lag) : OptionalLong.empty(),
                served && lag == 0 ? OptionalLong.of(0) : OptionalLong.empty(),
                OptionalLong.of((nowNanos - heardNanos) / 1_000_000));
    }

    /// How much of what is confirmed it has not reported.
    long lacks() {
        return Math.max(0, store.confirmOffset() - reports.held());
    }

    /// The broker stops.
    void close(String why) {
        closed = true;
        link.close(why);
    }

    void hungUp(String reason) {
        end(new LegacyFault(LegacyCause.SLAVE_SILENT, "its connection ended: " + reason));
    }

    private void end(LegacyFault why) {
        if (!closed) {
            closed = true;
            link.close(why.sentence());
            left.accept(this, new LegacyFault(why.cause(), address() + ": " + why.detail()));
        }
    }

    /// What the link hears.
    Network.Session session() {
        return new Ear();
    }

    private final class Ear implements Network.Session {
        private long queuedBytes;

        /// Belongs to the sequencer; read by the event loop.
        private final Published takenBytes = new Published(0);

        @Override
        public void frame(ByteBuffer bytes, int at, int length) {
            queuedBytes += length;
            if (queuedBytes - takenBytes.read() > MOST_WAITING_BYTES) {
                link.close("more than " + MOST_WAITING_BYTES + " bytes of reports wait");
                return;
            }
            ByteBuffer kept = ByteBuffer.allocate(length);
            kept.put(0, bytes, at, length);
            long taken = queuedBytes;
            sequencer.accept(() -> {
                take(kept);
                takenBytes.advance(taken);
            });
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            sequencer.accept(() -> hungUp(reason));
        }
    }
}
