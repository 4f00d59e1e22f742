package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.control.nameserver.NameserverConfig;
import gantry.control.nameserver.NameserverNode;
import gantry.control.nameserver.NameserverPeers;
import gantry.server.config.Place;
import gantry.server.config.StartRefused;
import gantry.server.watch.RoutesView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Starts the nameserver of a process.
///
/// For:   wiring `NameserverNode` to a folder that is ours, a port and ticks.
/// Owner: the process.
/// Never: routes.
final class NameserverPart {
    private final NameserverNode node;
    private final NameserverPeers peers;
    private final Endpoint address;

    private NameserverPart(NameserverNode node, NameserverPeers peers, Endpoint address) {
        this.node = node;
        this.peers = peers;
        this.address = address;
    }

    /// @param others nameservers that are listed while they answer
    static NameserverPart start(Ground ground, Place place, NameserverConfig config, List<Endpoint> others)
            throws StartRefused {
        FileShelf shelf = FileShelf.open(place.store(), ground.offload());
        NameserverNode node = node(ground, config, shelf, place.store());
        Network.Listener listener = Listening.on(ground.network(), place.listen(), node, "The nameserver");
        ground.parts().add(Parts.Layer.SERVICE, "the nameserver", () -> {
            node.stop();
            listener.close();
        });
        ground.ticker().every(Duration.ofMillis(NameserverNode.TICK_MILLIS), "the nameserver", node::tick);
        NameserverPeers peers =
                new NameserverPeers(others, ground.network(), ground.clock(), ground.offload(), ground.faults());
        ground.ticker().every(Duration.ofMillis(NameserverNode.TICK_MILLIS), "nameserver peers", peers::tick);
        return new NameserverPart(node, peers, listener.local());
    }

    /// Where it listens.
    Endpoint address() {
        return address;
    }

    /// What it knows; asked on any thread.
    RoutesView view() {
        return new RoutesView(node.brokers(), node.suspects(), node.stalls(), answering());
    }

    /// This nameserver, which answers since it is asked, and its peers that do. One that listens on all addresses does
    /// not know by which of them clients reach it.
    private List<Endpoint> answering() {
        Set<Endpoint> answering = new LinkedHashSet<>();
        if (!address.host().equals("0.0.0.0") && !address.host().equals("::")) {
            answering.add(address);
        }
        answering.addAll(peers.answering());
        return List.copyOf(answering);
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
