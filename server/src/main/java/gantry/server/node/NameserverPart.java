package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.control.nameserver.NameserverConfig;
import gantry.control.nameserver.NameserverNode;
import gantry.server.config.Place;
import gantry.server.config.StartRefused;
import gantry.server.watch.RoutesView;
import java.nio.file.Path;
import java.time.Duration;

/// Starts the nameserver of a process.
///
/// For:   wiring `NameserverNode` to a folder that is ours, a port and ticks.
/// Owner: the process.
/// Never: routes.
final class NameserverPart {
    private final NameserverNode node;
    private final Endpoint address;

    private NameserverPart(NameserverNode node, Endpoint address) {
        this.node = node;
        this.address = address;
    }

    static NameserverPart start(Ground ground, Place place, NameserverConfig config) throws StartRefused {
        FileShelf shelf = FileShelf.open(place.store(), ground.offload());
        NameserverNode node = node(ground, config, shelf, place.store());
        Network.Listener listener = Listening.on(ground.network(), place.listen(), node, "The nameserver");
        ground.parts().add(Parts.Layer.SERVICE, "the nameserver", () -> {
            node.stop();
            listener.close();
        });
        ground.ticker().every(Duration.ofMillis(NameserverNode.TICK_MILLIS), "the nameserver", node::tick);
        return new NameserverPart(node, listener.local());
    }

    /// Where it listens.
    Endpoint address() {
        return address;
    }

    /// What it knows; asked on any thread.
    RoutesView view() {
        return new RoutesView(node.brokers(), node.suspects(), node.stalls());
    }

    private static NameserverNode node(Ground ground, NameserverConfig config, FileShelf shelf, Path file)
            throws StartRefused {
        try {
            return new NameserverNode(
                    config, ground.clock(), ground.offload(), ground.notices(), ground.faults(), shelf);
        } catch (IllegalArgumentException e) {
            throw new StartRefused(
                    "The key-value configuration " + file + " is not usable: " + e.getMessage()
                            + ". Mend it, or move it away to start without.",
                    e);
        }
    }
}
