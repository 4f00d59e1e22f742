package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.wire.body.KeyValueSpaces;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;

/// A nameserver, but for its sockets and its clock.
///
/// For:   accepting links and answering what comes on them.
/// Owner: the routes sequencer owns routes and key-value configuration; each session is its link's.
/// Never: listens, dials, starts threads.
public final class NameserverNode implements Network.Acceptor {
    /// How often `tick` wants to be called.
    public static final long TICK_MILLIS = 500;

    final BrokerRequests brokerRequests;
    final RouteRequests routeRequests;
    final TopicRequests topicRequests;
    final WatchRequests watchRequests;
    final KeyValueRequests keyValueRequests;
    private final RoutesOwner routes;
    private final Image<Boolean> stopping = new Image<>(false);

    /// @param shelf read here, once
    /// @throws IllegalArgumentException when what the shelf kept cannot be read; nothing is overwritten then
    public NameserverNode(
            NameserverConfig config,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            KeyValueShelf shelf) {
        Sequencer sequencer = new Sequencer("routes", offload, faults);
        KeyValues values = new KeyValues(sequencer, shelf, kept(shelf));
        routes = new RoutesOwner(config.routes(), sequencer, clock, notices);
        brokerRequests = new BrokerRequests(routes, values, config.orderToBrokers());
        routeRequests = new RouteRequests(routes, new RouteAnswers(values, config), clock, config);
        watchRequests = new WatchRequests(routes);
        topicRequests = new TopicRequests(routes);
        keyValueRequests = new KeyValueRequests(values, sequencer);
    }

    private static KeyValueSpaces kept(KeyValueShelf shelf) {
        String text = shelf.load();
        if (text == null) {
            return KeyValueSpaces.EMPTY;
        }
        try {
            return KeyValueSpaces.fromJson(Json.read(text));
        } catch (JsonFault e) {
            throw new IllegalArgumentException(
                    "the key-value configuration that was kept cannot be read: " + e.sentence(), e);
        }
    }

    @Override
    public Network.Session accept(Link link) {
        routes.opened(link);
        return new NameserverSession(this, link);
    }

    /// How many brokers it knows; asked on any thread.
    public int brokers() {
        return routes.image().brokers().size();
    }

    /// How many broker processes are suspect; asked on any thread.
    public int suspects() {
        return routes.image().suspects();
    }

    /// How often this nameserver stood still, so that it let go of all connections; asked on any thread.
    public long stalls() {
        return routes.stalls();
    }

    /// Expires brokers whose promise has run out; call it every `TICK_MILLIS`.
    public void tick() {
        routes.tick();
    }

    /// From now on links end because this process does, which is no broker's fault.
    public void stop() {
        stopping.publish(true);
    }

    void closed(long session) {
        if (!stopping.read()) {
            routes.closed(session);
        }
    }
}
