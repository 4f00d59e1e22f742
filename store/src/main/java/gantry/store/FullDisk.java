package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;

/// Refuses sends while the disk is full, and names that for as long as it lasts.
///
/// For:   a full disk that is known to the operator, and to health, whether anybody sends or not.
/// Owner: the log sequencer.
/// Never: decides how full is too full; see `Retention`.
final class FullDisk {
    /// How long a disk that was full is taken to be, when nobody tries to write to it.
    private static final long REMEMBERED_NANOS = 3_000_000_000L;

    private final Clock clock;
    private final Notices notices;
    private final Troubles troubles;
    private final Complaint complaint;
    private boolean everFull;
    private long fullAtNanos;

    FullDisk(Clock clock, Notices notices, Troubles troubles) {
        this.clock = clock;
        this.notices = notices;
        this.troubles = troubles;
        this.complaint = new Complaint(notices);
    }

    /// Somebody wanted to write and could not.
    Refusal refuse(String sentence) {
        fullAtNanos = clock.nanos();
        everFull = true;
        tell(sentence, fullAtNanos);
        return new Refusal(Refusal.Kind.DISK_FULL, sentence);
    }

    private void tell(String sentence, long now) {
        complaint.alarm(
                "Messages are refused: " + sentence + ". Reading and offsets go on. Make room; nothing else needs to be"
                        + " done.",
                now);
        troubles.set(Trouble.Kind.DISK_FULL, sentence);
    }

    /// The end of the log cannot be cleaned either.
    void complain(String sentence) {
        complaint.alarm("Messages are refused: " + sentence, clock.nanos());
    }

    /// A full disk is a trouble until a send could be taken, or would be.
    ///
    /// @param noRoom whether sends are refused, for which `room` gives the reason
    /// @param clean whether nothing of a failed write is left
    void look(long now, boolean noRoom, String room, boolean clean) {
        if (noRoom) {
            tell(room, now);
        }
        boolean lately = everFull && now - fullAtNanos < REMEMBERED_NANOS;
        if (!noRoom && !lately && clean && troubles.has(Trouble.Kind.DISK_FULL)) {
            troubles.set(Trouble.Kind.DISK_FULL, null);
            notices.over("There is room on the disk again: messages are taken.");
        }
    }
}
