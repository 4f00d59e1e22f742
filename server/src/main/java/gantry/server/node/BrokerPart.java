package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.server.config.BrokerSettings;
import gantry.server.config.Place;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.store.OpenFailed;
import gantry.store.disk.FileDisk;
import java.time.Duration;
import java.util.List;

/// Starts the broker of a process.
///
/// For:   wiring `BrokerNode` to a folder, a disk, a port and ticks.
/// Owner: none (stateless).
/// Never: messages.
final class BrokerPart {
    private static final Duration TICK = Duration.ofMillis(100);

    private BrokerPart() {}

    /// @param more nameservers besides those of the file
    /// @return where it listens
    static Endpoint start(Ground ground, Values values, List<Endpoint> more) throws StartRefused {
        Place place = Place.ofBroker(values);
        String advertised = Hosts.literal(BrokerSettings.advertisedHost(values, place));
        BrokerConfig config = BrokerSettings.of(values, Hosts.name(), advertised, more);

        DataFolder folder = DataFolder.open(place.data(), "broker", place.key());
        ground.parts().add(Parts.Layer.FOLDER, "the folder " + place.data(), folder::close);
        FileDisk disk = new FileDisk(place.store(), place.commitLog(), FileDisk.DEFAULT_OPEN_FILES);
        ground.parts().add(Parts.Layer.FOLDER, "the disk", disk::close);
        BrokerNode node = open(ground, config, disk);
        ground.parts().add(Parts.Layer.STORE, "the store", node::close);
        Endpoint address = listen(node, place.listen());
        ground.parts().add(Parts.Layer.SERVICE, "the broker", node::stop);
        ground.ticker().every(TICK, "the broker", node::tick);
        return address;
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
