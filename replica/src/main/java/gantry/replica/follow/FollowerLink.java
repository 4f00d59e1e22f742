package gantry.replica.follow;

import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.Cause;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Outlet;
import gantry.replica.frame.Refusal;
import gantry.replica.frame.Verdict;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.LeaderHello;
import gantry.replica.member.Agreement;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One connection to a leader.
///
/// For:   taking a frame only where it must be the next step.
/// Owner: the log sequencer.
/// Never: lets a leader do what the two logs, as it showed them itself, do not ask for.
///
/// ```
///   Greeting ── hello done: send POSITION ──▶ Positioning ── right CONTINUE ──▶ Streaming
///      │ late, wrong, garbage                     │ right TRUNCATE: cut, ends in peace   │ silent, false, garbage
///      │                                          ├─ right COPY ─▶ Asking ─ offer ─▶ Taking ─ whole: ends in peace
///      └──────────────────────────────────────────┴── refused, false verdict ────────────┴──▶ Ended
/// ```
public final class FollowerLink {
    private sealed interface Stage {
        record Greeting(FollowerHello hello) implements Stage {}

        record Positioning() implements Stage {}

        record Streaming(
                long reign, EpochTable epochs, @Nullable FollowerRanges ranges) implements Stage {}

        record Asking(Copying copy, CopyRequest asked, LogView leader, boolean lost) implements Stage {}

        record Taking(Copying copy, LogView leader) implements Stage {}

        record Ended(Fault why) implements Stage {}
    }

    private final Following following;
    private final Outlet outlet;
    private final FrameReader reader = new FrameReader();
    private final FrameWriter out;
    private final long deadlineNanos;
    private Stage stage;
    private boolean proven;
    /// Whether the two compare their logs.
    private boolean compares;
    private long heardNanos;
    private long ackNanos;
    private long leaderEnd;
    private long leaderConfirm;

    FollowerLink(Following following, Outlet outlet, FollowerHello hello, long nowNanos) {
        this.following = following;
        this.outlet = outlet;
        this.out = new FrameWriter(outlet);
        this.stage = new Stage.Greeting(hello);
        this.heardNanos = nowNanos;
        this.deadlineNanos = nowNanos + following.limits().hello().toNanos();
    }

    void start(long nowNanos) {
        if (stage instanceof Stage.Greeting(FollowerHello hello)) {
            hello.start(out);
            heardNanos = nowNanos;
        }
    }

    /// A frame has arrived; the bytes are lent for this call.
    public void frame(ByteBuffer frame, int at, int length, long nowNanos) {
        if (stage instanceof Stage.Ended) {
            return;
        }
        Fault fault = reader.check(frame, at, length);
        if (fault == null && proven && reader.type() == FrameType.REFUSAL) {
            end(Refusal.received(new BodyReader(frame, reader), "the leader"), false, nowNanos);
            return;
        }
        if (fault == null) {
            fault = switch (stage) {
                case Stage.Greeting(FollowerHello hello) -> onHello(hello, frame, nowNanos);
                case Stage.Positioning _ -> onVerdict(frame, nowNanos);
                case Stage.Streaming streaming -> onStream(streaming, frame, nowNanos);
                case Stage.Asking asking -> onOffer(asking, frame, nowNanos);
                case Stage.Taking taking -> onCopy(taking, frame, nowNanos);
                case Stage.Ended _ -> null;
            };
        }
        if (fault != null) {
            end(fault, proven, nowNanos);
        }
    }

    /// The connection is gone, or was never made.
    public void closed(long nowNanos) {
        boolean shown = stage instanceof Stage.Greeting(FollowerHello hello) && hello.hasProved();
        end(new Fault(shown ? Cause.HELLO_ENDED : Cause.ENDED, ""), false, nowNanos);
    }

    private @Nullable Fault onHello(FollowerHello hello, ByteBuffer frame, long nowNanos) {
        Fault fault = hello.take(reader, frame, out);
        if (fault != null || !hello.isDone()) {
            return fault;
        }
        proven = true;
        compares = hello.version() >= LeaderHello.COMPARES;
        reader.trust();
        heardNanos = nowNanos;
        stage = new Stage.Positioning();
        if (hello.version() != 0) {
            following.position().write(out, hello.version());
            out.send(FrameType.POSITION);
        }
        return null;
    }

    private @Nullable Fault onVerdict(ByteBuffer frame, long nowNanos) {
        if (reader.type() != FrameType.VERDICT) {
            return new Fault(Cause.NOT_NOW, reader.type() + " came where VERDICT was due");
        }
        BodyReader in = new BodyReader(frame, reader);
        Verdict verdict = Verdict.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        heardNanos = nowNanos;
        Agreement ours = Agreement.of(verdict.log(), verdict.reign(), following.view(), following.seen());
        return switch (ours) {
            case Agreement.Continue(long at)
            when verdict.kind() == Verdict.CONTINUE && verdict.at() == at -> {
                stage = new Stage.Streaming(
                        verdict.reign(),
                        verdict.log().epochs(),
                        compares ? following.ranges(out, this::endTelling) : null);
                leaderEnd = verdict.log().end();
                leaderConfirm = verdict.log().confirm();
                following.follows(verdict.log().logId(), verdict.reign(), leaderEnd);
                following.heard(leaderEnd);
                acknowledge(nowNanos);
                yield null;
            }
            case Agreement.CutBack(long at)
            when verdict.kind() == Verdict.TRUNCATE && verdict.at() == at -> {
                following.cutsBack(at);
                leave("the log is cut back first", nowNanos);
                yield null;
            }
            case Agreement.Copy(Fault why) -> {
                Copying copy = following.copying();
                boolean right = verdict.kind() == Verdict.COPY && verdict.at() == 0;
                yield right && copy != null ? ask(copy, why, verdict.log(), nowNanos) : why;
            }
            case Agreement.Refused(Fault why) -> why;
            case Agreement.Continue _, Agreement.CutBack _ ->
                new Fault(
                        Cause.VERDICT_FALSE,
                        "kind " + verdict.kind() + " at " + verdict.at() + ", where " + ours + " follows");
        };
    }

    private @Nullable Fault ask(Copying copy, Fault why, LogView leader, long nowNanos) {
        CopyRequest request = CopyRequest.of(copy.held());
        following.copies(why, nowNanos);
        stage = new Stage.Asking(copy, request, leader, why.cause() == Cause.CONFIRMED_LOST);
        leaderEnd = leader.end();
        ackNanos = nowNanos;
        request.write(out);
        return out.send(FrameType.COPY_REQUEST) ? null : new Fault(Cause.OUTBOX_FULL, "");
    }

    private @Nullable Fault onOffer(Stage.Asking asking, ByteBuffer frame, long nowNanos) {
        if (reader.type() == FrameType.BEAT) {
            return onCopyBeat(asking.copy(), asking.leader(), frame, nowNanos);
        }
        if (reader.type() != FrameType.COPY_OFFER) {
            return new Fault(Cause.NOT_NOW, reader.type() + " came where COPY_OFFER was due");
        }
        BodyReader in = new BodyReader(frame, reader);
        CopyOffer offer = CopyOffer.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        heardNanos = nowNanos;
        stage = new Stage.Taking(asking.copy(), asking.leader());
        return asking.copy().offered(offer, asking.asked(), asking.leader(), asking.lost(), nowNanos);
    }

    private @Nullable Fault onCopy(Stage.Taking taking, ByteBuffer frame, long nowNanos) {
        int at = reader.bodyAt();
        int partLength = reader.bodyLength() - CopyLayout.PART_PAYLOAD;
        int logLength = reader.bodyLength() - CopyLayout.LOG_PAYLOAD;
        Fault fault = switch (reader.type()) {
            case BEAT -> onCopyBeat(taking.copy(), taking.leader(), frame, nowNanos);
            case COPY_PART ->
                partLength <= 0
                        ? new Fault(Cause.BODY, "a part of a copy of " + reader.bodyLength() + " bytes")
                        : taking.copy()
                                .part(
                                        CopyLayout.part(frame, at),
                                        CopyLayout.partOffset(frame, at),
                                        frame,
                                        at + CopyLayout.PART_PAYLOAD,
                                        partLength);
            case COPY_LOG ->
                logLength <= 0
                        ? new Fault(Cause.BODY, "a log of a copy of " + reader.bodyLength() + " bytes")
                        : taking.copy()
                                .log(CopyLayout.logOffset(frame, at), frame, at + CopyLayout.LOG_PAYLOAD, logLength);
            default -> new Fault(Cause.NOT_NOW, reader.type() + " came where the copy's next part was due");
        };
        if (fault == null) {
            heardNanos = nowNanos;
        }
        return fault;
    }

    private @Nullable Fault onCopyBeat(Copying copy, LogView leader, ByteBuffer frame, long nowNanos) {
        Fault fault = onBeat(leader.epochs().newest(), frame);
        if (fault == null) {
            heardNanos = nowNanos;
            copy.told(leaderConfirm);
        }
        return fault;
    }

    private @Nullable Fault onStream(Stage.Streaming streaming, ByteBuffer frame, long nowNanos) {
        Fault fault = switch (reader.type()) {
            case BATCH -> onBatch(streaming, frame);
            case BEAT -> onStreamBeat(streaming, frame);
            case COMPARE, RANGE_REQUEST, RANGE -> onRange(streaming.ranges(), frame, nowNanos);
            default -> new Fault(Cause.NOT_NOW, reader.type() + " came where BATCH or BEAT was due");
        };
        if (fault == null) {
            heardNanos = nowNanos;
        }
        return fault;
    }

    private @Nullable Fault onRange(@Nullable FollowerRanges ranges, ByteBuffer frame, long nowNanos) {
        return ranges == null
                ? new Fault(Cause.NOT_NOW, reader.type() + " came on a link of version 1")
                : ranges.take(reader, frame, nowNanos);
    }

    private void endTelling(Fault why, long nowNanos) {
        end(why, true, nowNanos);
    }

    /// What it compares and gives; null while it does not stream, or the two do not compare their logs.
    @Nullable
    FollowerRanges ranges() {
        return stage instanceof Stage.Streaming streaming ? streaming.ranges() : null;
    }

    private @Nullable Fault onBatch(Stage.Streaming streaming, ByteBuffer frame) {
        int at = reader.bodyAt();
        int length = reader.bodyLength() - BatchLayout.PAYLOAD;
        if (length <= 0) {
            return new Fault(Cause.BODY, "a batch of " + reader.bodyLength() + " bytes");
        }
        long reign = BatchLayout.reign(frame, at);
        long offset = BatchLayout.offset(frame, at);
        long confirm = BatchLayout.confirm(frame, at);
        long waiting = following.received() - following.writtenEnd();
        if (reign != streaming.reign()) {
            return new Fault(Cause.BATCH_EPOCH, "epoch " + reign + ", this is " + streaming.reign());
        }
        if (offset != following.received()) {
            return new Fault(Cause.BATCH_OFFSET, offset + ", the log ends at " + following.received());
        }
        if (streaming.epochs().nextStart(offset, Long.MAX_VALUE) - offset < length) {
            return new Fault(Cause.BATCH_OFFSET, length + " bytes from " + offset + " lie in two epochs");
        }
        if (waiting > 0 && waiting + length > following.limits().creditBytes()) {
            return new Fault(Cause.CREDIT, waiting + " bytes wait, and " + length + " came");
        }
        if (length > Long.MAX_VALUE - offset || confirm < leaderConfirm) {
            return new Fault(Cause.CONFIRM_FALSE, confirm + " after " + leaderConfirm);
        }
        leaderEnd = Math.max(leaderEnd, offset + length);
        leaderConfirm = confirm;
        following.append(
                streaming.epochs().at(offset),
                offset,
                frame,
                at + BatchLayout.PAYLOAD,
                length,
                BatchLayout.leaderMillis(frame, at));
        following.heard(leaderEnd);
        return null;
    }

    private @Nullable Fault onStreamBeat(Stage.Streaming streaming, ByteBuffer frame) {
        Fault fault = onBeat(streaming.reign(), frame);
        if (fault == null) {
            following.heard(leaderEnd);
        }
        return fault;
    }

    private @Nullable Fault onBeat(long reign, ByteBuffer frame) {
        if (reader.bodyLength() != BeatLayout.BYTES) {
            return new Fault(Cause.BODY, "a beat of " + reader.bodyLength() + " bytes");
        }
        int at = reader.bodyAt();
        long end = BeatLayout.end(frame, at);
        long confirm = BeatLayout.confirm(frame, at);
        if (BeatLayout.reign(frame, at) != reign) {
            return new Fault(Cause.BATCH_EPOCH, "epoch " + BeatLayout.reign(frame, at) + ", this is " + reign);
        }
        if (end < leaderEnd) {
            return new Fault(Cause.BATCH_OFFSET, "the leader's end is " + end + " after " + leaderEnd);
        }
        if (confirm < leaderConfirm || confirm > end) {
            return new Fault(Cause.CONFIRM_FALSE, confirm + " after " + leaderConfirm + ", its log ends at " + end);
        }
        leaderEnd = end;
        leaderConfirm = confirm;
        return null;
    }

    /// Tells what is held; also the follower's beat.
    void acknowledge(long nowNanos) {
        switch (stage) {
            case Stage.Asking asking -> acknowledgeCopy(asking.copy(), nowNanos);
            case Stage.Taking taking -> acknowledgeCopy(taking.copy(), nowNanos);
            default -> acknowledgeLog(nowNanos);
        }
    }

    /// Something of the copy is written; perhaps all of it.
    void acknowledgeCopy(Copying copy, long nowNanos) {
        ackNanos = nowNanos;
        CopyLayout.writeAck(out, copy.taken(), copy.credit());
        if (!out.send(FrameType.COPY_ACK)) {
            end(new Fault(Cause.OUTBOX_FULL, ""), false, nowNanos);
        } else if (copy.isWhole()) {
            leave("the copy is whole", nowNanos);
            following.changesLog(copy);
        }
    }

    private void acknowledgeLog(long nowNanos) {
        if (stage instanceof Stage.Streaming streaming) {
            ackNanos = nowNanos;
            AckLayout.write(
                    out,
                    streaming.reign(),
                    following.writtenEnd(),
                    following.syncedEnd(),
                    following.limits().creditBytes());
            if (!out.send(FrameType.ACK)) {
                end(new Fault(Cause.OUTBOX_FULL, ""), false, nowNanos);
            }
        }
    }

    void tick(long nowNanos) {
        switch (stage) {
            case Stage.Greeting _, Stage.Positioning _ -> {
                if (nowNanos - deadlineNanos >= 0) {
                    end(new Fault(Cause.SILENT, "the hello was not done in time"), proven, nowNanos);
                }
            }
            case Stage.Asking _, Stage.Streaming _ -> beat(nowNanos);
            case Stage.Taking taking -> {
                Fault stalled = taking.copy().stalled(nowNanos);
                if (stalled != null) {
                    end(stalled, true, nowNanos);
                } else {
                    beat(nowNanos);
                }
            }
            case Stage.Ended _ -> {}
        }
    }

    private void beat(long nowNanos) {
        if (nowNanos - heardNanos >= following.limits().silence().toNanos()) {
            end(new Fault(Cause.SILENT, (nowNanos - heardNanos) / 1_000_000 + " ms"), false, nowNanos);
        } else if (nowNanos - ackNanos >= following.limits().beat().toNanos()) {
            acknowledge(nowNanos);
        }
    }

    /// Ends it once; whatever comes after counts no more.
    ///
    /// @param tell whether the other side is told why
    void end(Fault fault, boolean tell, long nowNanos) {
        if (stage instanceof Stage.Ended) {
            return;
        }
        FollowerRanges ranges = ranges();
        if (ranges != null) {
            ranges.ended();
        }
        stage = new Stage.Ended(fault);
        if (tell) {
            Refusal.of(fault).write(out);
            out.send(FrameType.REFUSAL);
        }
        outlet.close(fault.toString());
        following.ended(this, fault, false, nowNanos);
    }

    /// Ends it in peace: there is something to do before the next.
    private void leave(String reason, long nowNanos) {
        Fault why = new Fault(Cause.ENDED, reason);
        stage = new Stage.Ended(why);
        outlet.close(why.toString());
        following.ended(this, why, true, nowNanos);
    }

    /// What the leader said last of its confirmOffset.
    long leaderConfirm() {
        return leaderConfirm;
    }

    public boolean isEnded() {
        return stage instanceof Stage.Ended;
    }

    /// Why it ended; null while it has not.
    public @Nullable Fault why() {
        return stage instanceof Stage.Ended(Fault why) ? why : null;
    }
}
