package gantry.store;

import java.time.Instant;
import java.util.List;

/// Decides which files of the log go, and when sends are refused.
///
/// For:   retention, by age, by size, and by the room on the disk; pure, so that every case is a line in a test.
/// Owner: none (stateless).
/// Never: the newest file; anything it was not offered.
///
/// ```
///   free bytes   ├─ reserve ─┼──── 4 × reserve ────┼──────────────────────────────▶
///                 refuse       the oldest go         only what is expired goes
/// ```
/// The shares of the disk that Apache's keys name do the same, while less than `enoughFreeBytes` are free.
final class RetentionRule {
    /// How many files go in one round.
    static final int MOST_PER_ROUND = 10;

    /// From so many times the reserve downward the oldest files go, so that sends are not refused.
    static final int FORCED_RESERVES = 4;

    /// A file of the log that may go.
    ///
    /// @param closedMillis when the last message in it was stored; `Long.MAX_VALUE` when that cannot be told
    record Old(long base, long closedMillis) {}

    /// @param count how many of the oldest go
    /// @param reason why the last of them goes; empty when none goes
    record Verdict(int count, String reason) {}

    private final RetentionConfig config;
    private final long segmentBytes;

    RetentionRule(RetentionConfig config, long segmentBytes) {
        this.config = config;
        this.segmentBytes = segmentBytes;
    }

    /// @param old the files that may go, oldest first
    /// @param logFiles how many files the log has altogether
    Verdict judge(List<Old> old, int logFiles, Disk.Space space, long wallMillis) {
        int count = 0;
        String reason = "";
        while (count < Math.min(old.size(), MOST_PER_ROUND)) {
            Disk.Space then = new Disk.Space(space.totalBytes(), space.freeBytes() + count * segmentBytes);
            String why = why(old.get(count), (logFiles - count) * segmentBytes, then, wallMillis);
            if (why.isEmpty()) {
                break;
            }
            reason = why;
            count++;
        }
        return new Verdict(count, reason);
    }

    private String why(Old file, long logBytes, Disk.Space space, long wallMillis) {
        if (config.maxLogBytes() > 0 && logBytes > config.maxLogBytes()) {
            return "the log has more than " + config.maxLogBytes() + " bytes (maxCommitLogBytes)";
        }
        if (config.forcibly() && isTight(space)) {
            return "only " + space.freeBytes() + " of " + space.totalBytes() + " bytes are free";
        }
        boolean expired = file.closedMillis() != Long.MAX_VALUE
                && wallMillis - file.closedMillis() > config.maxAge().toMillis();
        if (expired && (isHour(wallMillis) || exceeds(space, config.expiredShare()))) {
            return "its messages are older than " + config.maxAge().toHours() + " h (fileReservedTime)";
        }
        return "";
    }

    private boolean isTight(Disk.Space space) {
        return space.freeBytes() < FORCED_RESERVES * config.reserveBytes() || exceeds(space, config.forcedShare());
    }

    private boolean isHour(long wallMillis) {
        return config.hours()
                .contains(Instant.ofEpochMilli(wallMillis).atZone(config.zone()).getHour());
    }

    private boolean exceeds(Disk.Space space, double share) {
        long used = space.totalBytes() - space.freeBytes();
        return space.freeBytes() < config.enoughFreeBytes() && used > share * space.totalBytes();
    }

    /// How many bytes may be written until sends must be refused; not positive when they must be now.
    long roomBytes(Disk.Space space) {
        long room = space.freeBytes() - config.reserveBytes();
        if (config.reserveBytes() < config.enoughFreeBytes()) {
            // A share counts only once less than enough is free: the later of both is where it begins.
            double mostUsed = config.refusedShare() * space.totalBytes();
            long toShare = (long) (mostUsed - (space.totalBytes() - space.freeBytes()));
            long toEnough = space.freeBytes() - config.enoughFreeBytes();
            room = Math.min(room, Math.max(toShare, toEnough));
        }
        return room;
    }

    /// Which limit it is that leaves no room, for the operator.
    String limit(Disk.Space space) {
        return space.freeBytes() <= config.reserveBytes()
                ? config.reserveBytes() + " bytes are kept for the broker's own state (diskSpaceReserveBytes)"
                : "sends are refused above " + Math.round(config.refusedShare() * 100)
                        + " % used (diskSpaceWarningLevelRatio) with less than " + config.enoughFreeBytes()
                        + " bytes free (diskSpaceEnoughBytes)";
    }
}
