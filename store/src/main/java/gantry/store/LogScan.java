package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import org.jspecify.annotations.Nullable;

/// Walks over the records of the log and checks each of them.
///
/// For:   finding where the log ends, and giving every record of a part of it to somebody.
/// Owner: recovery.
/// Never: changes anything.
final class LogScan {
    /// Takes one record after the other.
    interface Visitor {
        void record(RecordView record) throws DiskFailed, OpenFailed;
    }

    private final Segments segments;
    private final boolean checkWhole;
    private final RecordView view = new RecordView();
    private String stop = "";
    private boolean stoppedAtEnd;
    private long lastMillis;

    /// @param checkWhole false for a part of the log that was checked before
    LogScan(Segments segments, boolean checkWhole) {
        this.segments = segments;
        this.checkWhole = checkWhole;
    }

    /// Visits the records from `from` on, up to the first that is not valid, or up to `to`.
    ///
    /// @return where it stopped
    long run(long from, long to, Visitor visitor) throws DiskFailed, OpenFailed {
        long at = from;
        while (at < to) {
            Segment segment = segments.find(at);
            if (segment == null) {
                stoppedAtEnd = true;
                stop = "there is no further file";
                return at;
            }
            int limit = segment.bytes().capacity();
            int place = (int) (at - segment.base());
            Check check = view.wrap(segment.bytes(), place, limit, checkWhole);
            if (check == Check.BLANK || limit - place < LogTail.BLANK_BYTES) {
                at = segment.base() + limit;
                continue;
            }
            String fault = check == Check.OK && checkWhole && TornCheck.isTorn(segment.bytes(), view)
                    ? "a message with a hole"
                    : faultOf(check, at);
            if (fault != null) {
                stop = fault;
                stoppedAtEnd = check == Check.END;
                return at;
            }
            lastMillis = Math.max(lastMillis, view.storeMillis());
            visitor.record(view);
            at += view.size();
        }
        return at;
    }

    /// Why the last run stopped, for a sentence.
    String stop() {
        return stop;
    }

    /// Whether it stopped where nothing was written, and not at something that is wrong.
    boolean stoppedAtEnd() {
        return stoppedAtEnd;
    }

    /// The latest storeMillis that was seen.
    long lastMillis() {
        return lastMillis;
    }

    private @Nullable String faultOf(Check check, long at) {
        return switch (check) {
            case OK -> view.logOffset() == at ? null : "a message that belongs to log offset " + view.logOffset();
            case BLANK, END -> "nothing was written";
            case SHORT -> "a message that does not end in this file";
            case BAD_SIZE -> "an impossible message size";
            case BAD_MAGIC -> "no message";
            case BAD_LAYOUT -> "a message whose parts do not add up to its size";
            case BAD_BODY_CRC, BAD_RECORD_CRC -> "a message whose checksum does not match";
        };
    }
}
