package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.facts.ConfirmedState;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Snapshot;
import gantry.broker.facts.State;
import gantry.broker.facts.StateDigest;
import gantry.broker.facts.StateFile;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.wire.body.DataVersion;
import gantry.wire.body.TopicConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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

    /// Who asks more often waits.
    private static final int MOST_GATHERS = 16;

    private final Snapshot snapshot;
    private final FactLog facts;
    private final LongSupplier foldedTo;
    private final Catalogue catalogue;
    private final Groups groups;
    private final DelayDelivery delay;
    private final Predicate<String> given;
    private final Duration period;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    /// One export at a time; its commands wait for the disk, so they are submitted where waiting is allowed.
    private final Sequencer files;
    private final long startedMillis;
    private boolean running;
    private boolean troubleTold;
    private long nextNanos;
    private long lastPosition = -1;
    private int gathers;

    /// Guarded by `files`.
    private boolean ended;
    /// Of a member of a group; set at start, then guarded by `files`.
    private @Nullable ConfirmedState confirmed;

    /// The facts below it are in the files for certain, so the log may let them go.
    private final Published exported = new Published(0);

    SnapshotExport(
            Snapshot snapshot,
            FactLog facts,
            LongSupplier foldedTo,
            Catalogue catalogue,
            Groups groups,
            DelayDelivery delay,
            Predicate<String> given,
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
        this.given = given;
        this.period = period;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = new Sequencer("snapshot", offload, faults);
        this.files = new Sequencer("snapshot files", offload, faults);
        this.startedMillis = clock.wallMillis();
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
        ConfirmedState folded = confirmed;
        if (folded != null) {
            inFiles(() -> {
                // Writing moves the position on: looked at before, the same state would be written twice.
                String trouble = ended ? null : writeConfirmed(folded, LIMIT);
                tell(folded.position(), trouble);
            });
            return;
        }
        long position = position();
        groups.gatherOffsets(offsets -> {
            State state = state(position, offsets);
            inFiles(() -> tell(position, ended ? null : snapshot.write(position, state, LIMIT)));
        });
    }

    private void inFiles(Runnable work) {
        offload.run(() -> files.submitAlways(work));
    }

    private void tell(long position, @Nullable String trouble) {
        sequencer.submitAlways(() -> written(position, trouble));
    }

    private @Nullable String writeConfirmed(ConfirmedState folded, Duration limit) {
        String trouble = folded.advance(position());
        return trouble != null ? trouble : snapshot.write(folded.position(), confirmedState(folded), limit);
    }

    private State confirmedState(ConfirmedState folded) {
        return folded.state(catalogue.topicVersion(), new DataVersion(0, clock.wallMillis(), folded.position()));
    }

    /// What is folded at start, before anything is changed; from here on only what is confirmed is written.
    ///
    /// @param from  the facts below it are in the state
    /// @param whole facts below it may be in the state
    void writesConfirmedOnly(long from, long whole) {
        ConfirmedState folded = new ConfirmedState(facts, given);
        folded.begin(from, whole, state(from, groups.offsetsNow()));
        confirmed = folded;
    }

    /// Before anything is exported: the topics that every broker has.
    void reserved(Map<String, TopicConfig> topics) {
        ConfirmedState folded = confirmed;
        if (folded != null) {
            folded.know(topics);
        }
    }

    /// The files of `config/` as an export would write them now, by their names there; for who exports only what is
    /// confirmed.
    void gather(Consumer<SequencedMap<String, byte[]>> taker, Consumer<String> failed) {
        inFiles(() -> {
            ConfirmedState folded = confirmed;
            String trouble = folded == null ? "it stands alone" : folded.advance(position());
            if (trouble != null || folded == null) {
                failed.accept(String.valueOf(trouble));
                return;
            }
            SequencedMap<String, byte[]> parts = new LinkedHashMap<>();
            snapshot.contents(folded.position(), confirmedState(folded))
                    .forEach((file, content) -> parts.put(file.name(), content));
            taker.accept(parts);
        });
    }

    /// What is confirmed, as RocketMQ would have it in its files, for its slaves; at most `MOST_GATHERS` at a time.
    void gatherPlain(Consumer<Map<StateFile, byte[]>> taker, Consumer<String> failed) {
        sequencer.submitAlways(() -> {
            if (gathers == MOST_GATHERS) {
                failed.accept("the state is being gathered for others: try again");
                return;
            }
            gathers++;
            inFiles(() -> {
                ConfirmedState folded = confirmed;
                String trouble = folded == null ? "it stands alone" : folded.advance(position());
                if (trouble != null || folded == null) {
                    failed.accept(String.valueOf(trouble));
                } else {
                    // The same content has the same version, and any other a higher one.
                    DataVersion version = new DataVersion(0, startedMillis, folded.position());
                    taker.accept(snapshot.plain(folded.state(version, version)));
                }
                sequencer.submitAlways(() -> gathers--);
            });
        });
    }

    /// Of the last state point that is in the confirmed state; an export takes it in.
    Optional<StateDigest.At> newestDigest() {
        ConfirmedState folded = confirmed;
        return folded == null ? Optional.empty() : folded.newest();
    }

    /// Takes a digest of what is served now, from whom nothing is folded meanwhile.
    void digestServed(Consumer<StateDigest> taker) {
        groups.gatherOffsets(offsets ->
                offload.run(() -> taker.accept(StateDigest.of(state(facts.end(), offsets), given))));
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
        ConfirmedState folded = confirmed;
        Optional<State> live = folded == null ? Optional.of(state(position, groups.offsetsNow())) : Optional.empty();
        Image<Optional<String>> trouble = new Image<>(Optional.of(
                "the export before it has not come back for " + limit.toMillis() + " ms: the disk is slow or hangs"));
        files.runAndWait(
                () -> {
                    long left = deadline - clock.nanos();
                    if (!ended && left > 0) {
                        Duration rest = Duration.ofNanos(left);
                        trouble.publish(Optional.ofNullable(
                                folded == null
                                        ? snapshot.write(position, live.orElseThrow(), rest)
                                        : writeConfirmed(folded, rest)));
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
