package gantry.replica.lead;

import gantry.replica.epoch.LogView;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Hello;
import gantry.replica.frame.Outlet;
import gantry.replica.frame.Position;
import gantry.replica.frame.Refusal;
import gantry.replica.frame.Verdict;
import gantry.replica.hello.LeaderHello;
import gantry.replica.member.Agreement;
import gantry.replica.member.MemberState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One connection to a leader, from a stranger's first byte to a follower's last acknowledgement.
///
/// For:   letting frames through to the group only once it is known whose they are.
/// Owner: the log sequencer.
/// Never: believes an offset before the hello; answers a stranger's fault.
///
/// ```
///   Greeting ── hello done, member admitted ──▶ Positioning ── CONTINUE ──▶ Streaming
///      │ late, wrong, garbage                      ├── COPY ──▶ Copying ── whole     │ silent, false, garbage
///      │                                           │ refused; cut back: ends too │   │
///      └───────────────────────────────────────────┴─────────────────────────────┴───┴──▶ Ended
/// ```
public final class LeaderLink {
    /// While batches are on their way, beats that only tell a new confirmOffset are no closer than this: otherwise
    /// each acknowledgement would be answered by one.
    private static final long CONFIRM_NANOS = 5_000_000L;

    private sealed interface Stage {
        record Greeting(LeaderHello hello) implements Stage {}

        record Positioning(Member member) implements Stage {}

        /// @param ranges null where the two do not compare their logs
        record Streaming(
                Member member, Stream stream, @Nullable LeaderRanges ranges) implements Stage {}

        record Copying(Member member, CopyStream copy) implements Stage {}

        record Ended(Fault why) implements Stage {}
    }

    private final ReplicaGroup group;
    private final Outlet outlet;
    private final String host;
    private final FrameReader reader = new FrameReader();
    private final FrameWriter out;
    private final long deadlineNanos;
    private Stage stage;
    private boolean proven;
    /// Whether the two compare their logs.
    private boolean compares;
    private int version;
    private long heardNanos;
    private long beatNanos;

    LeaderLink(ReplicaGroup group, Outlet outlet, String host, LeaderHello hello, long nowNanos) {
        this.group = group;
        this.outlet = outlet;
        this.host = host;
        this.out = new FrameWriter(outlet);
        this.stage = new Stage.Greeting(hello);
        this.heardNanos = nowNanos;
        this.deadlineNanos = nowNanos + group.limits().hello().toNanos();
    }

    /// A frame has arrived; the bytes are lent for this call.
    public void frame(ByteBuffer frame, int at, int length, long nowNanos) {
        if (stage instanceof Stage.Ended) {
            return;
        }
        Fault fault = reader.check(frame, at, length);
        if (fault == null && proven && reader.type() == FrameType.REFUSAL) {
            end(Refusal.received(new BodyReader(frame, reader), "the member"), false, nowNanos);
            return;
        }
        if (fault == null) {
            fault = switch (stage) {
                case Stage.Greeting(LeaderHello hello) -> onHello(hello, frame, nowNanos);
                case Stage.Positioning(Member member) -> onPosition(member, frame, nowNanos);
                case Stage.Streaming streaming -> onStream(streaming, frame, nowNanos);
                case Stage.Copying(Member member, CopyStream copy) -> onCopy(member, copy, frame, nowNanos);
                case Stage.Ended _ -> null;
            };
        }
        if (fault != null) {
            end(fault, proven, nowNanos);
        }
    }

    /// The connection is gone.
    public void closed(long nowNanos) {
        end(new Fault(Cause.ENDED, ""), false, nowNanos);
    }

    private @Nullable Fault onHello(LeaderHello hello, ByteBuffer frame, long nowNanos) {
        Fault fault = hello.take(reader, frame, out);
        Hello peer = hello.proven();
        if (fault != null || peer == null) {
            return fault;
        }
        proven = true;
        version = hello.agreed();
        compares = version >= LeaderHello.COMPARES;
        reader.trust();
        group.proven(host);
        Fault refused = group.refusal(peer, nowNanos);
        if (refused != null) {
            return refused;
        }
        heardNanos = nowNanos;
        stage = new Stage.Positioning(group.admit(this, peer, nowNanos));
        return null;
    }

    private @Nullable Fault onPosition(Member member, ByteBuffer frame, long nowNanos) {
        if (reader.type() != FrameType.POSITION) {
            return new Fault(Cause.NOT_NOW, reader.type() + " came where POSITION was due");
        }
        BodyReader in = new BodyReader(frame, reader);
        Position position = Position.read(in, version);
        Fault fault = in.fault() != null ? in.fault() : group.refusal(position);
        if (fault != null) {
            return fault;
        }
        heardNanos = nowNanos;
        member.shown();
        LogView ours = group.view();
        return switch (Agreement.of(ours, group.reign(), position.log(), position.seen())) {
            case Agreement.Continue(long at) -> {
                verdict(Verdict.CONTINUE, at, ours);
                Stream stream = group.stream(out, at, position);
                stage = new Stage.Streaming(
                        member, stream, compares ? group.ranges(out, member, this::endTelling) : null);
                beatNanos = nowNanos;
                group.streams(member, stream, nowNanos);
                yield group.fill(stream);
            }
            case Agreement.CutBack(long at) -> {
                verdict(Verdict.TRUNCATE, at, ours);
                leave(new MemberState.Diverged(at), member, nowNanos);
                yield null;
            }
            case Agreement.Copy(Fault why) -> {
                CopyStream copy = group.copy(out, member, ours, nowNanos);
                if (copy == null) {
                    yield why;
                }
                verdict(Verdict.COPY, 0, ours);
                stage = new Stage.Copying(member, copy);
                beatNanos = nowNanos;
                group.copies(member, copy, why, nowNanos);
                yield null;
            }
            case Agreement.Refused(Fault why) -> {
                if (why.cause() == Cause.OUTRANKED) {
                    end(why, true, nowNanos);
                    group.outranked(member, position.seen());
                }
                yield why;
            }
        };
    }

    private @Nullable Fault onStream(Stage.Streaming streaming, ByteBuffer frame, long nowNanos) {
        LeaderRanges ranges = streaming.ranges();
        if (ranges == null || reader.type() == FrameType.ACK) {
            return onAck(streaming.member(), streaming.stream(), frame, nowNanos);
        }
        Fault fault = reader.type() == FrameType.COMPARED
                ? ranges.comparing().take(reader, frame, nowNanos)
                : ranges.link().take(reader, frame, nowNanos);
        if (fault == null) {
            heardNanos = nowNanos;
        }
        return fault;
    }

    private void endTelling(Fault why, long nowNanos) {
        end(why, true, nowNanos);
    }

    private @Nullable Fault onAck(Member member, Stream stream, ByteBuffer frame, long nowNanos) {
        if (reader.type() != FrameType.ACK) {
            return new Fault(Cause.NOT_NOW, reader.type() + " came where ACK was due");
        }
        Fault fault = stream.acknowledge(reader, frame);
        if (fault != null) {
            return fault;
        }
        heardNanos = nowNanos;
        group.acknowledged(member, stream, nowNanos);
        return group.fill(stream);
    }

    private @Nullable Fault onCopy(Member member, CopyStream copy, ByteBuffer frame, long nowNanos) {
        Fault fault = switch (reader.type()) {
            case COPY_REQUEST -> copy.requested(reader, frame);
            case COPY_ACK -> copy.acknowledge(reader, frame, nowNanos);
            default -> new Fault(Cause.NOT_NOW, reader.type() + " came where COPY_ACK was due");
        };
        if (fault != null) {
            return fault;
        }
        heardNanos = nowNanos;
        member.heard(nowNanos);
        if (copy.isDone()) {
            leave(new MemberState.Reseeding(copy.total(), copy.total()), member, nowNanos);
            return null;
        }
        return group.fill(copy, nowNanos);
    }

    private void verdict(int kind, long at, LogView ours) {
        new Verdict(kind, at, group.reign(), ours).write(out);
        out.send(FrameType.VERDICT);
    }

    /// The log has grown, or can be read again.
    void fill(long nowNanos) {
        if (stage instanceof Stage.Streaming streaming) {
            endFor(group.fill(streaming.stream()), nowNanos);
        } else if (stage instanceof Stage.Copying copying) {
            endFor(group.fill(copying.copy(), nowNanos), nowNanos);
        }
    }

    void tick(long nowNanos) {
        switch (stage) {
            case Stage.Greeting _, Stage.Positioning _ -> {
                if (nowNanos - deadlineNanos >= 0) {
                    end(new Fault(Cause.HELLO_LATE, ""), proven, nowNanos);
                }
            }
            case Stage.Streaming streaming -> {
                if (isSilent(nowNanos)) {
                    return;
                }
                if (isBeatDue(nowNanos)) {
                    endFor(group.beat(streaming.stream()), nowNanos);
                } else {
                    tellConfirm(nowNanos);
                }
                LeaderRanges ranges = streaming.ranges();
                if (ranges != null && !isEnded()) {
                    group.compare(streaming.member(), streaming.stream(), ranges, nowNanos);
                }
            }
            case Stage.Copying copying -> {
                endFor(copying.copy().stalled(nowNanos), nowNanos);
                if (!isSilent(nowNanos) && isBeatDue(nowNanos)) {
                    endFor(group.beat(out), nowNanos);
                }
            }
            case Stage.Ended _ -> {}
        }
    }

    /// A follower shows only what it knows to be confirmed: without another batch to tell it, a beat does.
    void tellConfirm(long nowNanos) {
        if (stage instanceof Stage.Streaming streaming
                && group.owesConfirm(streaming.stream())
                && (streaming.stream().isIdle() || nowNanos - beatNanos >= CONFIRM_NANOS)) {
            beatNanos = nowNanos;
            endFor(group.beat(streaming.stream()), nowNanos);
        }
    }

    /// Ends it when nothing was heard for too long.
    private boolean isSilent(long nowNanos) {
        boolean silent = nowNanos - heardNanos >= group.limits().silence().toNanos();
        if (silent) {
            end(new Fault(Cause.SILENT, (nowNanos - heardNanos) / 1_000_000 + " ms"), false, nowNanos);
        }
        return silent;
    }

    private boolean isBeatDue(long nowNanos) {
        boolean due =
                !isEnded() && nowNanos - beatNanos >= group.limits().beat().toNanos();
        if (due) {
            beatNanos = nowNanos;
        }
        return due;
    }

    private void endFor(@Nullable Fault fault, long nowNanos) {
        if (fault != null) {
            end(fault, true, nowNanos);
        }
    }

    /// Ends it once; whatever comes after counts no more.
    ///
    /// @param tell whether the other side is told why
    void end(Fault fault, boolean tell, long nowNanos) {
        Member member = member();
        if (stage instanceof Stage.Ended) {
            return;
        }
        LeaderRanges ranges = ranges();
        if (ranges != null) {
            ranges.ended();
        }
        stage = new Stage.Ended(fault);
        if (tell) {
            Refusal.of(fault).write(out);
            out.send(FrameType.REFUSAL);
        }
        outlet.close(fault.toString());
        group.ended(this, member, proven, host, fault, nowNanos);
    }

    /// Ends it in peace: the follower has something to do before it comes again.
    private void leave(MemberState state, Member member, long nowNanos) {
        Fault why = new Fault(Cause.ENDED, state.words());
        stage = new Stage.Ended(why);
        outlet.close(why.toString());
        group.left(this, member, state, nowNanos);
    }

    private @Nullable Member member() {
        return switch (stage) {
            case Stage.Greeting _, Stage.Ended _ -> null;
            case Stage.Positioning(Member member) -> member;
            case Stage.Streaming streaming -> streaming.member();
            case Stage.Copying copying -> copying.member();
        };
    }

    /// What it compares and gives; null while it does not stream, or the two do not compare their logs.
    @Nullable
    LeaderRanges ranges() {
        return stage instanceof Stage.Streaming streaming ? streaming.ranges() : null;
    }

    /// From where it comes, without the port.
    String host() {
        return host;
    }

    long heardNanos() {
        return heardNanos;
    }

    public boolean isEnded() {
        return stage instanceof Stage.Ended;
    }

    /// Why it ended; null while it has not.
    public @Nullable Fault why() {
        return stage instanceof Stage.Ended(Fault why) ? why : null;
    }
}
