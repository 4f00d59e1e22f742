package gantry.replica.rig;

import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.SideCopy;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.follow.CopyTarget;
import gantry.replica.follow.Copying;
import gantry.replica.follow.FollowerLog;
import gantry.replica.follow.Following;
import gantry.replica.frame.Cause;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A follower over a log in memory, whose log answers when the test says so, or at once.
///
/// For:   tests of the follower's side, and clusters.
/// Owner: its test.
public final class Follower implements FollowerLog, CopyTarget {
    public final long id;
    public MemoryLog log;
    public final Notebook notebook = new Notebook();
    public final Following following;
    public EpochTable epochs;
    public LogId logId;
    public long seen;
    public long confirmed;
    public int synced;
    public int cuts;
    public int rejections;
    private int written;
    private final ArrayDeque<Integer> pending = new ArrayDeque<>();
    public long fileBytes;
    private int cutAt = -1;
    private int damagedAt = -1;

    /// What is beside the log, as it would be found after the end of the process.
    public @Nullable Side side;
    public final Copying copying;
    /// Bytes that are free; asked for at the begin of a copy.
    public long room = Long.MAX_VALUE;
    /// The old log of the last copy that an operator was to see.
    public @Nullable MemoryLog setAside;
    public int copies;
    public int goneOn;
    public int noRooms;
    /// What is there of a copy turns out to be of no use, once.
    public boolean losesWhatItHolds;
    public int keptOld;
    private boolean beginDue;
    private long beginNeeds;
    private boolean switchDue;
    private long switchConfirm;
    private long switchSeen;
    private final ArrayDeque<Long> copied = new ArrayDeque<>();
    private long rejectedAt = -1;

    /// A copy beside the log.
    public static final class Side {
        public CopyPlan plan;
        public final MemoryLog log;
        public long held;

        Side(CopyPlan plan) {
            this.plan = plan;
            this.log = MemoryLog.from(plan.begin());
        }

        /// Some of its last bytes were not on disk.
        public void lose(long bytes) {
            held = Math.max(0, held - bytes);
            if (held > plan.snapshot().bytes()) {
                log.cut(log.boundary(plan.logAt(held)));
                held = plan.positionOf(log.end());
            } else {
                log.cut((int) plan.begin());
            }
        }
    }

    public Follower(long id, Limits limits) {
        this(id, new MemoryLog(), LogId.NONE, EpochTable.EMPTY, 0, 0, limits, id);
    }

    public Follower(
            long id, MemoryLog log, LogId logId, EpochTable epochs, long confirm, long seen, Limits limits, long seed) {
        this(id, log, logId, epochs, confirm, seen, limits, seed, null);
    }

    public Follower(
            long id,
            MemoryLog log,
            LogId logId,
            EpochTable epochs,
            long confirm,
            long seen,
            Limits limits,
            long seed,
            @Nullable Side side) {
        this.side = side;
        this.id = id;
        this.log = log;
        this.logId = logId;
        this.epochs = epochs;
        this.confirmed = confirm;
        this.seen = seen;
        this.written = log.end();
        this.synced = log.end();
        following = new Following(
                Leader.identity(id),
                Trust.bySecret(Leader.SECRET),
                limits,
                new LogView(logId, epochs, log.begin(), log.end(), confirm),
                log.end(),
                seen,
                this,
                notebook,
                Leader.entropy(seed));
        copying = following.takesCopies(this, side == null ? null : new SideCopy(side.plan, side.held));
    }

    /// The log answers one thing that it was asked; false when there is nothing.
    public boolean answerOne(long now) {
        return answerCopy(now) || answerLog(now);
    }

    private boolean answerCopy(long now) {
        if (beginDue) {
            beginDue = false;
            if (losesWhatItHolds) {
                losesWhatItHolds = false;
                side = null;
                copying.lost("its files are gone", now);
            } else if (beginNeeds > room) {
                noRooms++;
                copying.noRoom(beginNeeds, room, now);
            } else {
                copying.begun(now);
            }
            return true;
        }
        if (!copied.isEmpty()) {
            copying.written(copied.poll(), now);
            return true;
        }
        if (rejectedAt >= 0) {
            long at = rejectedAt;
            rejectedAt = -1;
            rejections++;
            copying.rejected(at, Cause.NO_ROOM, "the disk is full", now);
            return true;
        }
        if (switchDue) {
            changeLog();
            copying.switched(now);
            return true;
        }
        return false;
    }

    /// The end of the process while the switch is under way: it has happened, or not.
    public boolean isSwitching() {
        return switchDue;
    }

    /// Puts the copy in the place of the log, all at once.
    public void changeLog() {
        Side whole = sideOrFail();
        if (whole.held != whole.plan.bytes()) {
            throw new AssertionError("a copy of " + whole.held + " of " + whole.plan.bytes() + " bytes is not whole");
        }
        switchDue = false;
        copies++;
        if (whole.plan.keepOld()) {
            keptOld++;
            setAside = log;
        }
        log = whole.log;
        logId = whole.plan.logId();
        epochs = whole.plan.epochs().cutAt(log.end()).dropBelow(log.begin());
        written = log.end();
        synced = log.end();
        confirmed = switchConfirm;
        seen = switchSeen;
        side = null;
    }

    private Side sideOrFail() {
        if (side == null) {
            throw new AssertionError("there is no copy");
        }
        return side;
    }

    /// What the copy holds beyond this is not written, and what comes is not taken, until the next link.
    public void rejectCopy() {
        if (copied.isEmpty() && side != null && !beginDue && !switchDue) {
            rejectedAt = side.held;
        }
    }

    private boolean answerLog(long now) {
        if (cutAt >= 0) {
            int at = cutAt;
            cutAt = -1;
            log.cut(at);
            epochs = epochs.cutAt(at);
            written = at;
            synced = at;
            cuts++;
            following.cut(at, now);
            return true;
        }
        if (!pending.isEmpty()) {
            written = pending.poll();
            following.written(written, now);
            return true;
        }
        if (damagedAt >= 0) {
            int at = damagedAt;
            damagedAt = -1;
            rejections++;
            following.rejected(at, Cause.RECORD_DAMAGED, "at log offset " + at, now);
            return true;
        }
        return false;
    }

    public void answerAll(long now) {
        while (answerOne(now)) {
            // Each answer may lead to the next.
        }
        sync(now);
    }

    public void sync(long now) {
        if (cutAt < 0 && synced < written) {
            synced = written;
            following.synced(synced, now);
        }
    }

    public int written() {
        return written;
    }

    @Override
    public void begin(CopyPlan plan, long from) {
        beginDue = true;
        beginNeeds = plan.bytes() - from;
        if (from == 0) {
            side = new Side(plan);
        } else {
            goneOn++;
            Side on = sideOrFail();
            if (on.held != from || on.plan.begin() != plan.begin()) {
                throw new AssertionError("goes on at " + from + ", held is " + on.held);
            }
            on.plan = plan;
        }
    }

    @Override
    public void part(int part, long offset, ByteBuffer frame, int at, int length) {
        if (rejectedAt >= 0) {
            return;
        }
        Side on = sideOrFail();
        for (int i = 0; i < length; i++) {
            if (frame.get(at + i) != Leader.stateByte(on.plan.snapshot().offset(), part, offset + i)) {
                throw new AssertionError("part " + part + " is wrong at " + (offset + i));
            }
        }
        if (on.held != on.plan.startOf(part) + offset) {
            throw new AssertionError("part " + part + " at " + offset + ", held is " + on.held);
        }
        on.held += length;
        copied.add(on.held);
    }

    @Override
    public void append(long offset, ByteBuffer frame, int at, int length) {
        if (rejectedAt >= 0) {
            return;
        }
        Side on = sideOrFail();
        if (offset != on.log.end() || MemoryLog.sound(frame, at, length) != length) {
            throw new AssertionError("copied at " + offset + ", the copy ends at " + on.log.end());
        }
        byte[] bytes = new byte[length];
        frame.get(at, bytes);
        on.log.add(bytes);
        on.held += length;
        copied.add(on.held);
    }

    @Override
    public void switchOver(CopyPlan plan, long confirm, long nowSeen) {
        switchDue = true;
        switchConfirm = confirm;
        switchSeen = nowSeen;
    }

    @Override
    public void discard() {
        side = null;
    }

    @Override
    public long fileBytes() {
        return fileBytes;
    }

    @Override
    public void follows(LogId id, long reign) {
        logId = id;
        seen = reign;
    }

    @Override
    public void begins(Epoch epoch) {
        epochs = epochs.begin(epoch);
    }

    @Override
    public void append(long offset, ByteBuffer frame, int at, int length, long leaderMillis) {
        if (damagedAt >= 0) {
            return;
        }
        if (offset != log.end()) {
            throw new AssertionError("appended at " + offset + ", the log ends at " + log.end());
        }
        int sound = MemoryLog.sound(frame, at, length);
        byte[] bytes = new byte[sound];
        frame.get(at, bytes);
        log.add(bytes);
        pending.add(log.end());
        if (sound < length) {
            damagedAt = log.end();
        }
    }

    @Override
    public void cutBack(long end) {
        if (end < confirmed) {
            throw new AssertionError("FOLLOW-2 cut at " + end + ", confirmed " + confirmed);
        }
        cutAt = (int) end;
    }

    @Override
    public void confirmed(long confirmOffset) {
        if (confirmOffset <= confirmed || confirmOffset > written) {
            throw new AssertionError("FOLLOW-1 from " + confirmed + " to " + confirmOffset + ", written " + written);
        }
        confirmed = confirmOffset;
    }
}
