package gantry.client;

import gantry.base.Endpoint;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.client.call.RemotingClient;
import gantry.client.produce.Producer;
import gantry.client.route.FileRouteShelf;
import gantry.client.route.RouteKeeper;
import gantry.client.route.RouteShelf;
import gantry.client.route.RouteSource;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.net.SystemEntropy;
import gantry.net.ThreadOffload;
import gantry.net.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A program's way to the brokers: its connections, its routes, its threads.
///
/// For:   making producers and consumers; one for a whole program.
/// Owner: itself; every method is safe from any thread. What it starts ends with `close`.
/// Never: shares anything with another client in the same process.
///
/// ```
/// try (GantryClient client = GantryClient.builder().nameservers("a:9876;b:9876").open()) {
///     SendReceipt receipt = client.producer("orders").send(Message.of("order-placed", bytes));
/// }
/// ```
public final class GantryClient implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(50);

    /// Files are written by one thread, user code has its own.
    private static final int OFFLOAD_THREADS = 2;

    private final NettyNetwork network;
    private final Ticker ticker;
    private final ThreadOffload offload;
    private final RemotingClient calls;
    private final RouteKeeper routes;
    private final Sequencer.Faults faults;
    private final RandomGenerator salts;

    private GantryClient(Builder of) {
        Notices notices = of.notices;
        this.faults = (name, cause) ->
                notices.alarm("\"" + name + "\" of the client is broken by " + cause + ", a fault of this program");
        this.salts = new SystemEntropy().fork("client");
        this.network = new NettyNetwork(NetConfig.DEFAULT.withEventLoops(1), notices, faults);
        this.ticker = new Ticker("client-tick", notices);
        this.offload = new ThreadOffload("client-offload", OFFLOAD_THREADS, notices);
        this.calls = new RemotingClient(network, new SystemClock(), faults);
        Path file = of.routeFile;
        RouteShelf shelf = file == null ? RouteShelf.none() : new FileRouteShelf(file, notices);
        this.routes = new RouteKeeper(calls, of.nameservers, salts.nextInt(1 << 16), shelf, offload, faults);
        ticker.every(TICK, "calls", calls::tick);
        ticker.every(TICK, "routes", routes::tick);
    }

    public static Builder builder() {
        return new Builder();
    }

    /// A producer; it lives as long as this client, and one is enough for all threads.
    ///
    /// @param group its producer group
    public Producer producer(String group) {
        Producer producer =
                new Producer(calls, routes, group, (int) ProcessHandle.current().pid(), salts.nextInt(), faults);
        ticker.every(TICK, "sends of " + group, producer::tick);
        return producer;
    }

    /// The list of nameservers has changed: connections to those that left it are closed at once.
    public void nameservers(String list) {
        routes.nameservers(parsed(list));
    }

    /// Where topics are.
    public RouteSource routes() {
        return routes;
    }

    /// For requests that nothing here makes.
    public RemotingClient calls() {
        return calls;
    }

    @Override
    public void close() {
        ticker.close();
        calls.close();
        network.close();
    }

    private static List<Endpoint> parsed(String list) {
        List<Endpoint> all = new ArrayList<>();
        for (String each : list.split("[;,]", -1)) {
            String text = each.strip();
            if (!text.isEmpty()) {
                all.add(Endpoint.parse(text.startsWith("http://") ? text.substring("http://".length()) : text));
            }
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException("name at least one nameserver, as HOST:PORT;HOST:PORT");
        }
        return all;
    }

    /// What a client needs to know.
    public static final class Builder {
        private List<Endpoint> nameservers = List.of();
        private @Nullable Path routeFile;
        private Notices notices = (level, text) -> {};

        private Builder() {}

        /// @param list `HOST:PORT;HOST:PORT`
        public Builder nameservers(String list) {
            this.nameservers = parsed(list);
            return this;
        }

        /// Routes are kept in this small file, so that a start succeeds while no nameserver answers.
        public Builder routeFile(Path file) {
            this.routeFile = file;
            return this;
        }

        /// Who is told what an operator should know.
        public Builder notices(Notices to) {
            this.notices = to;
            return this;
        }

        public GantryClient open() {
            if (nameservers.isEmpty()) {
                throw new IllegalArgumentException("name at least one nameserver, as HOST:PORT;HOST:PORT");
            }
            return new GantryClient(this);
        }
    }
}
