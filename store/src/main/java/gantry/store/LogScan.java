package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Walks over the records of the log and checks each of them.
///
/// ```
///   from              damage: told, stepped over     certain      not whole: here the log ends
///    ▼                          ▼                       ▼              ▼
///    │ record │ record │ ▒▒▒▒▒▒▒▒▒▒▒ │ record │ record  │ record │ ▒▒▒ record 0 0 0
/// ```
/// For:   finding where the log ends, and giving every record of a part of it to somebody.
/// Owner: recovery.
/// Never: changes anything; takes a bad place below `certain` for the log's end.
final class LogScan {
    /// Takes one record after the other.
    interface Visitor {
        void record(RecordView record) throws DiskFailed, OpenFailed;
    }

    /// Told of what is stepped over, and now and then how far the scan has come.
    interface Watcher {
        void damaged(Damage damage);

        void reached(long logOffset);
    }

    /// For who looks at what a start tells of anyway.
    static final Watcher UNTOLD = new Watcher() {
        @Override
        public void damaged(Damage damage) {}

        @Override
        public void reached(long logOffset) {}
    };

    /// How closely a record is looked at.
    enum Depth {
        /// Whether its parts add up: for a part of the log that was checked before.
        PARTS,
        /// And its checksums: for what was once on disk.
        CHECKSUMS,
        /// And holes that a loss of power leaves: for what may never have been.
        WHOLE
    }

    private static final long REACHED_EVERY_BYTES = 16 << 20;

    private static final long LOOK_AGAIN = -1;

    /// A disk that gives a place one time and not the next, so often, is failing.
    private static final int MOST_LOOKS_AGAIN = 10;

    private final Disk disk;
    private final Segments segments;
    private final Depth depth;
    private final Watcher watcher;
    private final RecordView view = new RecordView();
    private final ReadProbe probe;
    private String stop = "";
    private boolean stoppedAtEnd;
    private boolean metUnreadable;
    private long lastMillis;
    private long recordCount;
    private @Nullable SealedReading sealed;
    private boolean inDoubt;
    private boolean patient;
    private int looksAgain;

    LogScan(Disk disk, Segments segments, Depth depth, Watcher watcher) {
        this.disk = disk;
        this.segments = segments;
        this.depth = depth;
        this.watcher = watcher;
        this.probe = new ReadProbe(disk);
    }

    /// Goes on where another scan ended.
    LogScan after(long storeMillis) {
        lastMillis = storeMillis;
        return this;
    }

    /// What cannot be read now is for another run: it may heal.
    LogScan patient(boolean whether) {
        patient = whether;
        return this;
    }

    /// Holds every record against the seals of its blocks.
    LogScan against(@Nullable SealedReading seals) {
        sealed = seals;
        return this;
    }

    /// Whether the record that is visited lies where so much has changed that what it says may be wrong.
    boolean isInDoubt() {
        return inDoubt;
    }

    /// Visits the records from `from` on, up to `to`, or up to the first place at or above `certain` that is not valid.
    ///
    /// @param certain everything below it was on disk: a bad place there is damage, and not the end
    /// @return where it stopped
    long run(long from, long to, long certain, Visitor visitor) throws DiskFailed, OpenFailed {
        long at = from;
        long told = from;
        while (at < to) {
            if (at - told >= REACHED_EVERY_BYTES) {
                told = at;
                watcher.reached(at);
            }
            Segment segment = segments.find(at);
            if (segment == null) {
                stoppedAtEnd = true;
                stop = "no further file";
                return at;
            }
            String fault = faultAt(segment, at);
            if (fault == null) {
                at = visit(segment, at, visitor);
                continue;
            }
            if (metUnreadable && patient) {
                throw new DiskFailed(new Disk.Done.Failed(Disk.Done.Kind.IO, fault));
            }
            // What cannot be read may have been on disk, and no loss of power explains it.
            long behind = at < certain || metUnreadable ? goBehind(segment, at) : at;
            if (behind == LOOK_AGAIN) {
                if (++looksAgain > MOST_LOOKS_AGAIN) {
                    throw new DiskFailed(new Disk.Done.Failed(Disk.Done.Kind.IO, fault));
                }
                continue;
            }
            if (behind == at) {
                stop = fault;
                return at;
            }
            at = behind;
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

    /// How many records were visited.
    long recordCount() {
        return recordCount;
    }

    /// @return null when a record stands there, or the unused end of the file
    private @Nullable String faultAt(Segment segment, long at) {
        metUnreadable = false;
        int limit = segment.bytes().capacity();
        int place = (int) (at - segment.base());
        if (limit - place < LogTail.BLANK_BYTES) {
            view.wrap(segment.bytes(), limit, limit, false);
            return null;
        }
        String unreadable = probe.unreadable(segment, place, LogTail.BLANK_BYTES);
        int claimed = unreadable == null ? segment.bytes().getInt(place) : 0;
        if (claimed > LogTail.BLANK_BYTES && claimed <= limit - place && !isBlank(segment, place)) {
            unreadable = probe.unreadable(segment, place, claimed);
        }
        if (unreadable != null) {
            stoppedAtEnd = false;
            metUnreadable = true;
            return "something that cannot be read (" + unreadable + ")";
        }
        Check check = view.wrap(segment.bytes(), place, limit, depth != Depth.PARTS);
        stoppedAtEnd = check == Check.END;
        return switch (check) {
            case OK -> {
                if (view.logOffset() != at) {
                    yield "a message that belongs to log offset " + view.logOffset();
                }
                yield depth == Depth.WHOLE && TornCheck.isTorn(segment.bytes(), view) ? "a message with a hole" : null;
            }
            case BLANK -> view.size() == limit - place ? null : "an end of file that does not end there";
            default -> faultOf(check);
        };
    }

    private static boolean isBlank(Segment segment, int place) {
        return segment.bytes().getInt(place + MessageLayout.MAGIC) == MessageLayout.MAGIC_BLANK;
    }

    /// @return where the next one stands
    private long visit(Segment segment, long at, Visitor visitor) throws DiskFailed, OpenFailed {
        if (!view.hasParts()) {
            return segment.base() + segment.bytes().capacity();
        }
        readAsSealed(segment, at);
        lastMillis = Math.max(lastMillis, view.storeMillis());
        recordCount++;
        visitor.record(view);
        return at + view.size();
    }

    /// What its own checks call sound may have changed where they do not look.
    private void readAsSealed(Segment segment, long at) {
        inDoubt = false;
        SealedReading seals = sealed;
        if (seals == null) {
            return;
        }
        int place = (int) (at - segment.base());
        int size = view.size();
        ByteBuffer right = seals.asSealed(segment, place, size);
        boolean isRight = right != null
                && view.wrap(right, 0, size, depth != Depth.PARTS) == Check.OK
                && view.size() == size
                && view.logOffset() == at;
        if (right != null && !isRight) {
            view.wrap(segment.bytes(), place, segment.bytes().capacity(), false);
        }
        inDoubt = isRight
                ? seals.isInDoubt(segment.base(), place, place + size)
                : seals.isChanged(segment.base(), place, place + size);
    }

    /// @return where records go on; `at` when there are no further ones; `LOOK_AGAIN` when one is there after all
    private long goBehind(Segment segment, long at) throws DiskFailed {
        int limit = segment.bytes().capacity();
        SegmentWalk walk = new SegmentWalk(disk, segment.file(), segment.base(), limit, depth == Depth.WHOLE)
                .from(at - segment.base(), lastMillis);
        SegmentWalk.Step step = walk.next();
        boolean goesOn = isBegun(segments.find(segment.base() + limit));
        long behindFile = goesOn ? segment.base() + limit : at;
        if (!goesOn && walk.metUnreadable() && (step == SegmentWalk.Step.END || walk.isAtEnd())) {
            // Nobody can say whether the log ends there.
            return LOOK_AGAIN;
        }
        return switch (step) {
            // What could not be read a moment ago is there: it is no end, and no damage.
            case RECORD -> metUnreadable ? LOOK_AGAIN : at;
            case END -> {
                if (goesOn) {
                    watcher.damaged(new Damage(segment.file(), at - segment.base(), limit, faultOf(Check.END), null));
                }
                yield behindFile;
            }
            case DAMAGE -> {
                if (patient && walk.metUnreadable()) {
                    throw new DiskFailed(new Disk.Done.Failed(
                            Disk.Done.Kind.IO, walk.damage().sentence(disk)));
                }
                watcher.damaged(walk.damage());
                yield walk.isAtEnd() ? behindFile : segment.base() + walk.place();
            }
        };
    }

    private boolean isBegun(@Nullable Segment segment) {
        return segment != null
                && (probe.unreadable(segment, 0, Long.BYTES) != null
                        || segment.bytes().getLong(0) != 0);
    }

    /// What stands there if it is no record, for a sentence.
    static String faultOf(Check check) {
        return switch (check) {
            case OK, BLANK, END -> "nothing, where there should be messages";
            case SHORT -> "a message that does not end in this file";
            case BAD_SIZE -> "an impossible message size";
            case BAD_MAGIC -> "no message";
            case BAD_LAYOUT -> "a message whose parts do not add up to its size";
            case BAD_BODY_CRC, BAD_RECORD_CRC -> "a message whose checksum does not match";
        };
    }
}
