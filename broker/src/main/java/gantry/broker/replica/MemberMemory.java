package gantry.broker.replica;

import gantry.base.Notices;
import gantry.store.MemberLog;
import org.jspecify.annotations.Nullable;

/// A member's record, as it is now and as it is on disk.
///
/// For:   both roles: one order of writes, and the confirmOffset written now and then.
/// Owner: the log sequencer.
final class MemberMemory {
    private static final long CONFIRM_EVERY_NANOS = 5_000_000_000L;

    /// Told inside the log sequencer what became of a write; null when it is on disk.
    interface Written {
        void done(@Nullable String trouble);
    }

    private final MemberFile file;
    private final MemberLog log;
    private final Notices notices;
    private MemberRecord record;
    private long lightly = -1;
    private boolean noting;
    private boolean troubleTold;
    private boolean noted;
    /// A write has failed, and none since has brought the record to the disk.
    private boolean unwritten;
    private long notedNanos;

    /// Confirms in the log what is known to be.
    MemberMemory(MemberFile file, MemberLog log, Notices notices, MemberRecord found) {
        this.file = file;
        this.log = log;
        this.notices = notices;
        this.record = found;
        log.submitAlways(() -> {
            log.confirm(found.confirm());
            log.confirmThroughDrops();
        });
    }

    MemberRecord record() {
        return record;
    }

    /// Whether it stands on disk, or will by a write that is under way.
    boolean isWritten() {
        return !unwritten;
    }

    /// It is on disk already.
    void became(MemberRecord next) {
        record = next;
    }

    void write(MemberRecord next, Written written) {
        if (!next.logId().equals(record.logId())) {
            // Of this log nothing is known yet.
            lightly = 0;
            file.noteConfirm(0);
        }
        record = next;
        file.writeLater(
                next,
                trouble -> log.submitAlways(() -> {
                    unwritten = trouble != null;
                    written.done(trouble);
                }));
    }

    /// Writes the confirmOffset down: at once where the end of the process cannot take it away, and now and then
    /// where a loss of power cannot.
    void noteConfirm(long confirmOffset, long nowNanos) {
        if (confirmOffset > lightly) {
            lightly = confirmOffset;
            file.noteConfirm(confirmOffset);
        }
        boolean due = !noted || nowNanos - notedNanos >= CONFIRM_EVERY_NANOS;
        if (noting || !due || confirmOffset <= record.confirm()) {
            return;
        }
        noting = true;
        noted = true;
        notedNanos = nowNanos;
        write(record.confirmed(confirmOffset), trouble -> {
            noting = false;
            if (trouble == null) {
                troubleTold = false;
            } else if (!troubleTold) {
                troubleTold = true;
                notices.warn("how far the log is confirmed could not be written down: " + trouble
                        + ". Nothing is lost; after a restart the last messages are shown once the other members are"
                        + " there");
            }
        });
    }
}
