package gantry.replica.rig;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.follow.FollowerLog;
import gantry.replica.follow.Following;
import gantry.replica.frame.Cause;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// A follower over a log in memory, whose log answers when the test says so, or at once.
///
/// For:   tests of the follower's side, and clusters.
/// Owner: its test.
public final class Follower implements FollowerLog {
    public final long id;
    public final MemoryLog log;
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
    private int cutAt = -1;
    private int damagedAt = -1;

    public Follower(long id, Limits limits) {
        this(id, new MemoryLog(), LogId.NONE, EpochTable.EMPTY, 0, 0, limits, id);
    }

    public Follower(
            long id, MemoryLog log, LogId logId, EpochTable epochs, long confirm, long seen, Limits limits, long seed) {
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
    }

    /// The log answers one thing that it was asked; false when there is nothing.
    public boolean answerOne(long now) {
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
