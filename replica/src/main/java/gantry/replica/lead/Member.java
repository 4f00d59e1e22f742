package gantry.replica.lead;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What the leader knows of one other member.
///
/// For:   progress per member, not per connection: two connections of one member never count twice.
/// Owner: the group.
final class Member {
    private final long id;
    private @Nullable LeaderLink link;
    private long instance;
    /// Another process that says it is this member, and when it came first.
    private OptionalLong rival = OptionalLong.empty();

    private long rivalNanos;
    /// The operator was told of a trouble with it, and not yet of its end.
    private boolean troubled;
    private boolean streaming;
    /// What it is copying on this link.
    private @Nullable CopyStream copy;
    /// On this link it has had, once, everything that was there when it was looked at before.
    private boolean caughtUp;
    private long written = -1;
    private long synced = -1;
    private long heardNanos;
    private MemberState state = new MemberState.NeverSeen();

    /// It has caught up to where the log ended at `caughtUpNanos`.
    private long caughtUpNanos;

    private long markEnd;
    private long markNanos;
    private final CompareRound round = new CompareRound();

    Member(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    @Nullable
    LeaderLink link() {
        return link;
    }

    /// How far its log is compared with ours.
    CompareRound round() {
        return round;
    }

    /// Where its link comes from; empty while it has none.
    String host() {
        LeaderLink by = link;
        return by == null ? "" : by.host();
    }

    /// Whether another process with its number has to wait for this one's link.
    ///
    /// A machine that lost its power, or a container that was killed, says nothing more and closes nothing, and is
    /// soon back: only who is heard after the other has come lives at the same time.
    ///
    /// @return null when this one is not heard any more, or it is the same process
    @Nullable
    Fault keepsOut(long process, Limits limits, long nowNanos) {
        LeaderLink holder = link;
        if (holder == null || process == instance) {
            return null;
        }
        long quietNanos = nowNanos - holder.heardNanos();
        if (quietNanos >= limits.quiet().toNanos()) {
            return null;
        }
        if (rival.isEmpty() || rival.getAsLong() != process) {
            rival = OptionalLong.of(process);
            rivalNanos = nowNanos;
        }
        return holder.heardNanos() - rivalNanos > 0
                ? new Fault(Cause.DUPLICATE_MEMBER, "" + id)
                : new Fault(
                        Cause.ENDED,
                        "a process with its number was heard " + quietNanos / 1_000_000
                                + " ms ago; it takes that one's place unless that is heard again");
    }

    MemberState state() {
        return state;
    }

    void state(MemberState now) {
        state = now;
    }

    long heardNanos() {
        return heardNanos;
    }

    /// False: no process with its number has connected yet.
    boolean wasHeard() {
        return !(state instanceof MemberState.NeverSeen);
    }

    void heard(long nowNanos) {
        heardNanos = nowNanos;
    }

    void connected(LeaderLink by, long process, long nowNanos) {
        link = by;
        instance = process;
        rival = OptionalLong.empty();
        heardNanos = nowNanos;
        streaming = false;
        copy = null;
        state = new MemberState.Connecting();
    }

    /// It has shown its log anew: what it acknowledged before counts no more, for its disk may be another.
    void shown() {
        written = -1;
        synced = -1;
        caughtUp = false;
    }

    /// Its log and ours are the same up to its end, where the stream begins.
    void streams(long end, long onDisk, long leaderEnd, long nowNanos) {
        streaming = true;
        written = end;
        synced = onDisk;
        caughtUp = false;
        caughtUpNanos = nowNanos;
        markEnd = leaderEnd;
        markNanos = nowNanos;
    }

    void copies(CopyStream by) {
        copy = by;
    }

    @Nullable
    CopyStream copy() {
        return copy;
    }

    void ended(MemberState after) {
        link = null;
        streaming = false;
        copy = null;
        state = after;
    }

    void troubled() {
        troubled = true;
    }

    /// Whether a trouble that was told is over now.
    boolean isOver(MemberState now) {
        boolean over = troubled && now instanceof MemberState.InSync;
        troubled &= !over;
        return over;
    }

    boolean isStreaming() {
        return streaming;
    }

    void acknowledged(long nowWritten, long nowSynced, Promise promise, long leaderEnd, long nowNanos) {
        written = nowWritten;
        synced = nowSynced;
        catchUp(position(promise), leaderEnd, nowNanos);
    }

    /// Whether it has, as promised, everything up to `least`, and keeps up.
    boolean mayEnter(Promise promise, long least, long leaderEnd, Duration slow, long nowNanos) {
        return streaming
                && position(promise) >= least
                && (caughtUp || position(promise) >= leaderEnd)
                && behindNanos(promise, leaderEnd, nowNanos) <= slow.toNanos();
    }

    private void catchUp(long position, long leaderEnd, long nowNanos) {
        if (position >= leaderEnd) {
            caughtUpNanos = nowNanos;
        } else if (position >= markEnd) {
            caughtUpNanos = markNanos;
        } else {
            return;
        }
        caughtUp = true;
        markEnd = leaderEnd;
        markNanos = nowNanos;
    }

    /// What it is known to hold as promised, -1 when nothing is known.
    long position(Promise promise) {
        return promise.counted(written, synced);
    }

    long written() {
        return written;
    }

    /// How long it has not had everything.
    long behindNanos(Promise promise, long leaderEnd, long nowNanos) {
        return position(promise) >= leaderEnd ? 0 : nowNanos - caughtUpNanos;
    }
}
