package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Starts the broker of a process.
///
/// For:   wiring `BrokerNode` to a folder that is ours, a disk, a port and ticks.
/// Owner: none (stateless).
/// Never: messages.
final class BrokerPart {
    private static final Duration TICK = Duration.ofMillis(100);

    /// How often, and how long each time, a start waits for nameservers.
    private static final int MOST_WAITS = 3;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private BrokerPart() {}

    /// @param more nameservers besides those of the file
    /// @return where it listens
    static Endpoint start(Ground ground, Values values, List<Endpoint> more) throws StartRefused {
        Place place = Place.ofBroker(values);
        String advertised = Hosts.literal(BrokerSettings.advertisedHost(values, place));
        BrokerConfig config = BrokerSettings.of(values, Hosts.name(), advertised, more);
        ReplicaSettings.warnings(values, config).forEach(ground.notices()::warn);

        FileDisk disk = new FileDisk(place.store(), place.commitLog(), FileDisk.DEFAULT_OPEN_FILES);
        ground.parts().add(Parts.Layer.FOLDER, "the disk", disk::close);
        BrokerNode node = open(ground, config, disk);
        ground.parts().add(Parts.Layer.STORE, "the store", () -> close(node));
        if (node.replica().isEmpty() && ReplicaSettings.promisesCopies(config)) {
            throw new StartRefused("brokerRole needs replication, and this version cannot copy a log yet.");
        }
        Endpoint address = listen(node, place.listen());
        ground.parts().add(Parts.Layer.SERVICE, "the broker", node::stop);
        ground.ticker().every(TICK, "the broker", node::tick);
        awaitRoutes(node, config.nameservers().size());
        return address;
    }

    private static void close(BrokerNode node) throws IOException {
        if (!node.close()) {
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

    private static Endpoint listen(BrokerNode node, Endpoint here) throws StartRefused {
        try {
            return node.start(here);
        } catch (Network.ListenFailed e) {
            throw Listening.refused("The broker", here, e);
        }
    }
}
