package gantry.client;

import gantry.base.Endpoint;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.client.call.OwnThreads;
import gantry.client.call.RemotingClient;
import gantry.client.produce.Producer;
import gantry.client.route.FileRouteShelf;
import gantry.client.route.RouteKeeper;
import gantry.client.route.RouteShelf;
import gantry.client.route.RouteSource;
import gantry.net.SystemEntropy;
import gantry.net.ThreadOffload;
import java.nio.file.Path;
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
///     Producer orders = client.producer("orders");
///     SendReceipt receipt = orders.send(Message.of("order-placed", bytes));
/// }
/// ```
public final class GantryClient implements AutoCloseable {
    /// Only the file of routes is written there.
    private static final int OFFLOAD_THREADS = 2;

    private final OwnThreads threads;
    private final RouteKeeper routes;
    private final RandomGenerator salts;
    private final Sequencer sequencer;
    /// Owned by the sequencer.
    private final List<Producer> producers = new ArrayList<>();

    private GantryClient(Builder of) {
        Notices notices = of.notices;
        this.salts = new SystemEntropy().fork("client");
        this.threads = new OwnThreads(notices);
        this.sequencer = new Sequencer("client", Runnable::run, threads.faults());
        ThreadOffload offload = new ThreadOffload("client-offload", OFFLOAD_THREADS, notices);
        Path file = of.routeFile;
        RouteShelf shelf = file == null ? RouteShelf.none() : new FileRouteShelf(file, notices);
        this.routes = new RouteKeeper(
                threads.calls(), of.nameservers, salts.nextInt(1 << 16), shelf, offload, threads.faults());
        threads.tick("routes", routes::tick);
    }

    public static Builder builder() {
        return new Builder();
    }

    /// A producer; it lives as long as this client, and one is enough for all threads.
    ///
    /// @param group its producer group
    public Producer producer(String group) {
        Producer producer = new Producer(
                threads.calls(), routes, group, (int) ProcessHandle.current().pid(), salts.nextInt(), threads.faults());
        sequencer.runAndWait(() -> producers.add(producer));
        threads.tick("sends of " + group, producer::tick);
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
        return threads.calls();
    }

    /// Ends everything; sends that are not confirmed fail.
    @Override
    public void close() {
        sequencer.runAndWait(() -> producers.forEach(Producer::close));
        threads.calls().close();
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
