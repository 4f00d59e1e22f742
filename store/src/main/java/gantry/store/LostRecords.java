package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Messages that consumers have met and that are lost for certain, so that they may be passed.
///
/// ```
///   a fetch finds no message where an entry leads ─▶ outside: the file is read from its begin, record by record
///        ├─ a record starts there after all, or the entry leads into one, or it cannot be read ─▶ nothing
///        └─ it is damaged ─▶ in a group: a minute for another member to give it again
///                         ─▶ named once ─▶ from now on fetches go on behind it, until it is mended
/// ```
/// For:   one rotten record must not stop a queue for ever, nor be passed without a name.
/// Owner: the log sequencer; the search runs outside, one at a time; `holds` and `suspect` are for everybody.
/// Never: takes an error of reading, or a wrong queue entry, for a lost message: those may heal.
final class LostRecords {
    /// More are not remembered: consumers wait there until an operator has looked.
    static final int MOST = 10_000;

    private static final long AGAIN_NANOS = 10_000_000_000L;

    /// So long another member may take to give a message again, before consumers go on behind it.
    static final long MENDED_WITHIN_NANOS = 60_000_000_000L;

    /// So many messages wait for that at a time; further ones are given up at once.
    private static final int MOST_WAITING = 1_000;

    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Scrubber.View log;
    private final Image<Set<Long>> places = new Image<>(Set.of());
    /// Null where nobody else has the log.
    private final @Nullable Consumer<RottenPlace> met;

    /// When a message that another member may give again was met first.
    private final SortedMap<Long, Long> waiting = new TreeMap<>();

    private boolean searching;
    private long searchedPlace = -1;
    private long searchedNanos;

    /// @param met takes what is damaged, to have it mended; null where nobody can
    LostRecords(
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Scrubber.View log,
            @Nullable Consumer<RottenPlace> met) {
        this.met = met;
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = sequencer;
        this.log = log;
    }

    /// Whether the message that started at this log offset is known to be lost.
    boolean holds(long logOffset) {
        return places.read().contains(logOffset);
    }

    /// A queue entry leads here, and no message is here.
    ///
    /// @param queue which, and which offset, for a sentence
    void suspect(long logOffset, String queue) {
        sequencer.submit(() -> {
            long now = clock.nanos();
            boolean again = logOffset == searchedPlace && now - searchedNanos < AGAIN_NANOS;
            Segment segment = log.segments().find(logOffset);
            if (searching
                    || again
                    || segment == null
                    || holds(logOffset)
                    || places.read().size() >= MOST) {
                return;
            }
            searching = true;
            searchedPlace = logOffset;
            searchedNanos = now;
            long end = Math.min(segment.bytes().capacity(), log.settled() - segment.base());
            offload.run(() -> {
                Damage found = search(segment, logOffset - segment.base(), end);
                sequencer.submitAlways(() -> searched(segment.base(), logOffset, queue, found));
            });
        });
    }

    /// Another member has what begins there again.
    void mended(long from, long to) {
        waiting.subMap(from, to).clear();
        if (places.read().stream().anyMatch(place -> place >= from && place < to)) {
            Set<Long> fewer = new TreeSet<>(places.read());
            fewer.removeIf(place -> place >= from && place < to);
            places.publish(Set.copyOf(fewer));
        }
    }

    private boolean mayBeMended(long logOffset, long base, Damage found) {
        Consumer<RottenPlace> mender = met;
        if (mender == null || (waiting.size() >= MOST_WAITING && !waiting.containsKey(logOffset))) {
            return false;
        }
        mender.accept(new RottenPlace(base + found.from(), base + found.to(), found.sentence(disk)));
        long since = waiting.computeIfAbsent(logOffset, _ -> clock.nanos());
        return clock.nanos() - since < MENDED_WITHIN_NANOS;
    }

    /// Outside of the sequencer: reads the file up to the place.
    private @Nullable Damage search(Segment segment, long place, long end) {
        SegmentWalk walk = new SegmentWalk(disk, segment.file(), segment.base(), end, false).from(0, 0);
        try {
            while (walk.place() <= place) {
                switch (walk.next()) {
                    case RECORD -> {}
                    case END -> {
                        return null;
                    }
                    case DAMAGE -> {
                        Damage damage = walk.damage();
                        if (damage.from() <= place && place < damage.to()) {
                            return walk.isUnreadable() ? null : damage;
                        }
                        if (walk.isAtEnd()) {
                            return null;
                        }
                    }
                }
            }
            return null;
        } catch (DiskFailed e) {
            return null;
        }
    }

    private void searched(long base, long logOffset, String queue, @Nullable Damage found) {
        searching = false;
        if (found == null || mayBeMended(logOffset, base, found)) {
            return;
        }
        waiting.remove(logOffset);
        Set<Long> more = new TreeSet<>(places.read());
        more.add(logOffset);
        places.publish(Set.copyOf(more));
        notices.alarm(
                "A message is lost: " + queue + ". " + found.sentence(disk) + ". Consumers go on behind it from now"
                        + " on. Look at the store with gantry verify; restore the file if there is a good copy.");
        if (more.size() == MOST) {
            notices.alarm(
                    MOST + " lost messages are known; at further ones consumers stop. Stop the broker, and restore"
                            + " the commit log from a copy.");
        }
    }
}
