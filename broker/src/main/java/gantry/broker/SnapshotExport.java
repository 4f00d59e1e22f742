package gantry.broker;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Snapshot;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.DataVersion;
import gantry.wire.body.SubscriptionGroupTable;
import gantry.wire.body.TopicTable;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/// Writes the folded state to `config/` from time to time.
///
/// For:   a short fold at the next start, and files that Apache's broker reads.
/// Owner: its sequencer; gathering and writing happen outside and come back.
/// Never: blocks whoever ticks.
/// Holds: SNAP-1 the position is read before the state is gathered, so the files never say more than they hold.
final class SnapshotExport {
    private final Snapshot snapshot;
    private final FactLog facts;
    private final Catalogue catalogue;
    private final Groups groups;
    private final DelayDelivery delay;
    private final Duration period;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private boolean running;
    private boolean troubleTold;
    private long nextNanos;
    private long lastPosition = -1;
    private long version;

    SnapshotExport(
            Snapshot snapshot,
            FactLog facts,
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
        this.catalogue = catalogue;
        this.groups = groups;
        this.delay = delay;
        this.period = period;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = new Sequencer("snapshot", offload, faults);
        this.nextNanos = clock.nanos();
    }

    void tick() {
        sequencer.submitAlways(() -> {
            if (!running && clock.nanos() - nextNanos >= 0 && facts.end() != lastPosition) {
                running = true;
                start();
            }
        });
    }

    private void start() {
        long position = facts.end();
        Snapshot.Position whole = new Snapshot.Position(position, delay.progress());
        DataVersion fileVersion = new DataVersion(0, clock.wallMillis(), ++version);
        TopicTable topics = new TopicTable(catalogue.topicVersion(), catalogue.topicConfigs());
        SubscriptionGroupTable groupTable = new SubscriptionGroupTable(fileVersion, catalogue.groupConfigs(), Map.of());
        groups.gatherOffsets(offsets -> write(whole, topics, groupTable, fileVersion, offsets));
    }

    private void write(
            Snapshot.Position position,
            TopicTable topics,
            SubscriptionGroupTable groupTable,
            DataVersion fileVersion,
            Map<String, SortedMap<Integer, Long>> offsets) {
        offload.run(() -> {
            String trouble = snapshot.write(position, topics, groupTable, new ConsumerOffsets(fileVersion, offsets));
            sequencer.submitAlways(() -> written(position.queueOffset(), trouble));
        });
    }

    private void written(long position, @org.jspecify.annotations.Nullable String trouble) {
        running = false;
        nextNanos = clock.nanos() + period.toNanos();
        if (trouble == null) {
            lastPosition = position;
            troubleTold = false;
        } else if (!troubleTold) {
            troubleTold = true;
            notices.warn("the exported state in config/ could not be written: " + trouble
                    + ". Nothing is lost, the log has it; it is tried again every " + period.toSeconds() + " s");
        }
    }
}
