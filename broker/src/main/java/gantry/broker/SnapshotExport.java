package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Snapshot;
import gantry.broker.facts.State;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.wire.body.DataVersion;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Writes the folded state to `config/` from time to time.
///
/// For:   a short fold at the next start, and files that Apache's broker reads.
/// Owner: its sequencer; gathering and writing happen outside and come back.
/// Never: blocks whoever ticks.
/// Holds: SNAP-1 the position is read before the state is gathered, so the files never say more than they hold.
final class SnapshotExport {
    /// How long a stop waits for its export in all; the store's own limit comes on top of it.
    static final Duration STOP_LIMIT = Duration.ofSeconds(2);

    /// How long any other export may wait for the disk.
    static final Duration LIMIT = Duration.ofMinutes(10);

    private final Snapshot snapshot;
    private final FactLog facts;
    private final LongSupplier foldedTo;
    private final Catalogue catalogue;
    private final Groups groups;
    private final DelayDelivery delay;
    private final Duration period;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    /// One export at a time; its commands wait for the disk, so they are submitted where waiting is allowed.
    private final Sequencer files;
    private boolean running;
    private boolean troubleTold;
    private long nextNanos;
    private long lastPosition = -1;
    /// Guarded by `files`.
    private boolean ended;

    /// The facts below it are in the files for certain, so the log may let them go.
    private final Published exported = new Published(0);

    SnapshotExport(
            Snapshot snapshot,
            FactLog facts,
            LongSupplier foldedTo,
            Catalogue catalogue,
            Groups groups,
            DelayDelivery delay,
            Duration period,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.snapshot = snapshot;
        this.facts = facts;
        this.foldedTo = foldedTo;
        this.catalogue = catalogue;
        this.groups = groups;
        this.delay = delay;
        this.period = period;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = new Sequencer("snapshot", offload, faults);
        this.files = new Sequencer("snapshot files", offload, faults);
        this.nextNanos = clock.nanos();
    }

    /// @return the facts below it are in the files
    long exported() {
        return exported.read();
    }

    void tick() {
        sequencer.submitAlways(() -> {
            if (!running && clock.nanos() - nextNanos >= 0 && position() != lastPosition) {
                running = true;
                start();
            }
        });
    }

    /// Read before the state is gathered; the end of the facts before what keeps it back.
    private long position() {
        long end = Math.min(facts.end(), foldedTo.getAsLong());
        return Math.min(end, catalogue.settledTo());
    }

    private void start() {
        long position = position();
        groups.gatherOffsets(offsets -> {
            State state = state(position, offsets);
            offload.run(() -> files.submitAlways(() -> {
                String trouble = ended ? null : snapshot.write(position, state, LIMIT);
                sequencer.submitAlways(() -> written(position, trouble));
            }));
        });
    }

    /// Writes everything as it is now, and waits for the disk.
    ///
    /// @return what went wrong, or null
    @Nullable
    String writeNow() {
        return writeBehind(false, LIMIT);
    }

    /// As `writeNow`, but not longer than `STOP_LIMIT`; nothing is written after it.
    @Nullable
    String writeLast() {
        return writeBehind(true, STOP_LIMIT);
    }

    /// Behind an export that is under way, which is waited for as well.
    private @Nullable String writeBehind(boolean last, Duration limit) {
        long deadline = clock.nanos() + limit.toNanos();
        long position = position();
        State state = state(position, groups.offsetsNow());
        Image<Optional<String>> trouble = new Image<>(Optional.of(
                "the export before it has not come back for " + limit.toMillis() + " ms: the disk is slow or hangs"));
        files.runAndWait(
                () -> {
                    long left = deadline - clock.nanos();
                    if (!ended && left > 0) {
                        trouble.publish(Optional.ofNullable(snapshot.write(position, state, Duration.ofNanos(left))));
                    }
                    ended = last;
                },
                limit);
        return trouble.read().orElse(null);
    }

    private State state(long position, Map<String, SortedMap<Integer, Long>> offsets) {
        DataVersion now = new DataVersion(0, clock.wallMillis(), position);
        return new State(
                catalogue.topicVersion(),
                now,
                catalogue.topicConfigs(),
                catalogue.groupConfigs(),
                offsets,
                delay.progress());
    }

    private void written(long position, @Nullable String trouble) {
        running = false;
        nextNanos = clock.nanos() + period.toNanos();
        if (trouble == null) {
            lastPosition = position;
            exported.advance(position);
            troubleTold = false;
        } else if (!troubleTold) {
            troubleTold = true;
            notices.warn("the exported state in config/ could not be written: " + trouble
                    + ". Nothing is lost, the log has it; it is tried again every " + period.toSeconds() + " s");
        }
    }
}
