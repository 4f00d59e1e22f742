package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Network;
import gantry.base.Sequencer;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.broker.legacy.LegacyDoor;
import gantry.broker.legacy.LegacySlaves;
import gantry.broker.query.BrokerView;
import gantry.broker.replica.Reopening;
import gantry.broker.replica.ReplicaConfig;
import gantry.server.config.BrokerSettings;
import gantry.server.config.Place;
import gantry.server.config.ReplicaSettings;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.store.OpenFailed;
import gantry.store.disk.FileDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The broker of a process.
///
/// ```
///   start ─▶ serves, ticks ── its log has to be changed ─▶ closed, changed, opened anew on the same port ─▶ serves …
/// ```
/// For:   wiring `BrokerNode` to a folder that is ours, a disk, ports and ticks, over all its lives in this process.
/// Owner: its sequencer: one life begins or ends at a time.
/// Never: messages.
final class BrokerPart {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerPart.class);

    private static final Duration TICK = Duration.ofMillis(100);

    /// How often, and how long each time, a start waits for nameservers.
    private static final int MOST_WAITS = 3;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /// Between two changes of one store, so that what cannot be helped by it does not keep the disk busy.
    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(10);

    /// After one that could not be done, and whose alarm says why: clients are disconnected for each try.
    private static final Duration AFTER_A_REFUSED_CHANGE = Duration.ofMinutes(1);

    private final Ground ground;
    private final BrokerConfig config;
    private final FileDisk disk;
    private final Sequencer lives;
    private final RunningSettings settings;
    private BrokerNode node;

    /// The same, for whoever looks on from another thread.
    private final Image<BrokerNode> shown;

    private Endpoint address;
    private long mayChangeNanos;
    private boolean changed;
    private boolean stopped;

    private BrokerPart(Ground ground, Values values, BrokerConfig config, FileDisk disk, BrokerNode node) {
        this.ground = ground;
        this.config = config;
        this.disk = disk;
        this.node = node;
        this.shown = new Image<>(node);
        this.address = new Endpoint(config.advertisedHost(), 0);
        this.lives = new Sequencer("broker", ground.offload(), ground.faults());
        this.settings = new RunningSettings(ground, values, config, () -> lives.submitAlways(this::retain));
        node.allow(settings);
    }

    private void retain() {
        node.store().retain(settings.limits());
    }

    /// @param more nameservers besides those of the file
    /// @param addresses is given where it listens
    static BrokerPart start(Ground ground, Values values, List<Endpoint> more, Map<String, Endpoint> addresses)
            throws StartRefused {
        Place place = Place.ofBroker(values);
        String advertised = Hosts.literal(BrokerSettings.advertisedHost(values, place));
        BrokerConfig config = BrokerSettings.of(values, Hosts.name(), advertised, more);
        ReplicaSettings.warnings(values, config).forEach(ground.notices()::warn);

        FileDisk disk = new FileDisk(place.store(), place.commitLog(), FileDisk.DEFAULT_OPEN_FILES);
        ground.parts().add(Parts.Layer.FOLDER, "the disk", disk::close);
        BrokerNode node = open(ground, config, disk);
        BrokerPart part = new BrokerPart(ground, values, config, disk, node);
        ground.parts().add(Parts.Layer.STORE, "the store", part::close);
        Optional<Endpoint> followers = listenForFollowers(node, config);
        Optional<Endpoint> slaves = listenForSlaves(node, config);
        part.address = listen(node, place.listen());
        addresses.put("broker", part.address);
        followers.ifPresent(there -> addresses.put("replication", there));
        slaves.ifPresent(there -> addresses.put("legacy", there));
        ground.parts().add(Parts.Layer.SERVICE, "the broker", part::stop);
        ground.ticker().every(TICK, "the broker", part::tick);
        awaitRoutes(node, config.nameservers().size());
        return part;
    }

    /// How the broker is now; asked on any thread.
    BrokerView view() {
        return shown.read().view();
    }

    private void tick() {
        lives.submitIfIdle(() -> {
            if (stopped) {
                return;
            }
            node.tick();
            boolean due = !changed || ground.clock().nanos() - mayChangeNanos >= 0;
            Optional<Reopening> wanted = due ? node.reopening() : Optional.empty();
            wanted.ifPresent(work -> ground.offload().run(() -> lives.submitAlways(() -> reopen(work))));
        });
    }

    /// Waits for the disk, so never on the thread of ticks.
    private void reopen(Reopening work) {
        if (stopped || node.reopening().isEmpty()) {
            return;
        }
        LOG.info("The broker closes its store, changes its log ({}), and opens it again", work);
        node.stop();
        node.disconnect("the broker opens its store anew; it is back in a moment");
        try {
            if (!node.close()) {
                throw new OpenFailed("the store could not be closed cleanly; the line before says why");
            }
            boolean done = BrokerNode.change(work, config, disk, ground.clock(), ground.notices());
            node = open(ground, config, disk);
            shown.publish(node);
            node.allow(settings);
            retain();
            node.listenForFollowers();
            node.listenForSlaves();
            node.start(address);
            changed = true;
            Duration pause = done ? BETWEEN_CHANGES : AFTER_A_REFUSED_CHANGE;
            mayChangeNanos = ground.clock().nanos() + pause.toNanos();
        } catch (OpenFailed | StartRefused | Network.ListenFailed e) {
            // A process without its broker would look alive.
            throw new IllegalStateException(
                    "The broker could not go on after a change of its log: " + e.getMessage(), e);
        }
    }

    private void stop() {
        lives.runAndWait(() -> {
            stopped = true;
            node.stop();
        });
        awaitSlaves(shown.read());
    }

    /// RocketMQ's slaves ask for nothing: what they are to have has to be sent before their links are closed.
    private static void awaitSlaves(BrokerNode node) {
        CountDownLatch taken = new CountDownLatch(1);
        node.whenSlavesHaveAll(taken::countDown);
        try {
            boolean inTime = taken.await(LegacySlaves.LEAVE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (!inTime) {
                LOG.warn(
                        "RocketMQ's slaves did not take all within {} s; the broker stops without them",
                        LegacySlaves.LEAVE_PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        node.closeSlaves();
    }

    private void close() throws IOException {
        boolean[] clean = new boolean[1];
        lives.runAndWait(() -> {
            stopped = true;
            clean[0] = node.close();
        });
        if (!clean[0]) {
            throw new IOException("the store was not closed cleanly; the line before says why");
        }
    }

    /// Who reads "ready" may ask for a route at once. A nameserver that is away or hangs does not hold the start
    /// up for longer than this.
    private static void awaitRoutes(BrokerNode node, int nameservers) {
        for (int tries = 0; tries < MOST_WAITS && node.registered() < nameservers; tries++) {
            CountDownLatch told = new CountDownLatch(1);
            node.whenTold(told::countDown);
            try {
                if (!told.await(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static BrokerNode open(Ground ground, BrokerConfig config, FileDisk disk) throws StartRefused {
        try {
            return BrokerNode.open(
                    config,
                    disk,
                    ground.network(),
                    ground.clock(),
                    ground.entropy(),
                    ground.offload(),
                    ground.notices(),
                    ground.faults());
        } catch (OpenFailed e) {
            throw new StartRefused("The store cannot be opened: " + e.getMessage(), e);
        }
    }

    private static Optional<Endpoint> listenForFollowers(BrokerNode node, BrokerConfig config) throws StartRefused {
        try {
            return node.listenForFollowers();
        } catch (Network.ListenFailed e) {
            Endpoint here = config.replica()
                    .map(ReplicaConfig::listen)
                    .orElse(new Endpoint(config.advertisedHost(), config.haPort()));
            throw Listening.refused("Replication", here, e);
        }
    }

    private static Optional<Endpoint> listenForSlaves(BrokerNode node, BrokerConfig config) throws StartRefused {
        try {
            return node.listenForSlaves();
        } catch (Network.ListenFailed e) {
            Endpoint here = config.legacy().slaves().map(LegacyDoor::listen).orElseThrow();
            throw Listening.refused("The port of RocketMQ's slaves", here, e);
        }
    }

    private static Endpoint listen(BrokerNode node, Endpoint here) throws StartRefused {
        try {
            return node.start(here);
        } catch (Network.ListenFailed e) {
            throw Listening.refused("The broker", here, e);
        }
    }
}
