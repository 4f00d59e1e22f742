package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.client.call.RemotingClient;
import gantry.client.produce.Message;
import gantry.client.produce.SendReceipt;
import gantry.client.route.RouteKeeper;
import gantry.client.route.RouteShelf;
import gantry.sim.Life;
import gantry.sim.SimClock;
import gantry.sim.SimFailure;
import gantry.sim.SimOffload;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;
import gantry.wire.body.Permission;
import gantry.wire.body.TopicRoute;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// An application with our own client that sends one message after the other.
///
/// For:   P6: what it notices of the faults around it.
/// Owner: the scheduler's thread.
final class RoutedClient {
    /// How long a send may take altogether.
    static final Duration LIMIT = Duration.ofSeconds(10);

    private static final long TICK_NANOS = 50 * SimScheduler.MILLI;

    private final SimScheduler scheduler;
    private final Life life;
    private final RandomGenerator random;
    private final RemotingClient calls;
    private final RouteKeeper routes;
    private final gantry.client.produce.Producer producer;
    private final String topic;
    private final long longestNanos;
    private final Set<String> confirmed = new TreeSet<>();
    private final Set<String> brokers = new TreeSet<>();
    private int sent;
    private int open;
    private boolean stopped;
    private long slowestNanos;
    private @Nullable String broken;
    private @Nullable TopicRoute traced;

    /// @param longestNanos what no send may exceed while somebody is well
    RoutedClient(
            SimScheduler scheduler,
            SimNet net,
            List<Endpoint> nameservers,
            int number,
            String topic,
            long longestNanos) {
        this.scheduler = scheduler;
        this.life = new Life("10.1.2." + number, 1);
        this.random = scheduler.fork(life + "/application");
        this.topic = topic;
        this.longestNanos = longestNanos;
        Network network = net.network(life);
        SimClock clock = new SimClock(scheduler, number == 1 ? Long.MAX_VALUE - 7 * SimScheduler.SECOND : 0);
        this.calls = new RemotingClient(network, clock, this::broken);
        this.routes = new RouteKeeper(
                calls,
                nameservers,
                random.nextInt(100),
                RouteShelf.none(),
                new SimOffload(scheduler, life),
                this::broken);
        this.producer = new gantry.client.produce.Producer(
                calls, routes, "producers-" + number, number, random.nextInt(), this::broken);
    }

    private void broken(String sequencer, Throwable cause) {
        throw new SimFailure(
                "a command of the sequencer \"" + sequencer + "\" of " + life + " failed: " + cause, cause);
    }

    void begin() {
        scheduler.every(TICK_NANOS, life, "client ticks", () -> {
            calls.tick();
            routes.tick();
            producer.tick();
            traceRoute();
        });
        next();
    }

    /// For whoever reads a trace: what it knows, when that is something new.
    private void traceRoute() {
        TopicRoute now = scheduler.tracing() ? route() : traced;
        if (now != null && !now.equals(traced)) {
            traced = now;
            scheduler.trace(life + " knows "
                    + now.queues().stream()
                            .map(queue -> queue.brokerName()
                                    + (Permission.isWriteable(queue.permission()) ? "" : " (read only)"))
                            .toList());
        }
    }

    void stop() {
        stopped = true;
    }

    private void next() {
        scheduler.after(random.nextLong(400 * SimScheduler.MILLI), life, "sends", () -> {
            if (!stopped) {
                for (int burst = random.nextInt(8) == 0 ? 1 + random.nextInt(30) : 1; burst > 0; burst--) {
                    send();
                }
                next();
            }
        });
    }

    private void send() {
        String key = life.host() + "-" + ++sent;
        Message.Builder message = Message.to(topic).body((key + "|").getBytes(StandardCharsets.US_ASCII));
        long begun = scheduler.nanos();
        open++;
        producer.sendAsync(message.build(), LIMIT).whenComplete((receipt, failure) -> {
            open--;
            ended(key, scheduler.nanos() - begun, receipt, failure);
        });
    }

    private void ended(String key, long tookNanos, @Nullable SendReceipt receipt, @Nullable Throwable failure) {
        slowestNanos = Math.max(slowestNanos, tookNanos);
        if (receipt == null) {
            broken = "P6 the send of " + key + " failed although a nameserver and a broker were well: "
                    + (failure == null ? "" : failure.getMessage());
            return;
        }
        if (tookNanos > longestNanos) {
            broken = "P6 the send of " + key + " took " + tookNanos / SimScheduler.MILLI
                    + " ms although a nameserver and a broker were well";
        }
        scheduler.note(key + " is at " + receipt.brokerName());
        confirmed.add(key);
        brokers.add(receipt.brokerName());
    }

    /// A future swallows what is thrown in it, so it is thrown here.
    void check() {
        String what = broken;
        if (what != null) {
            throw new SimFailure(what);
        }
    }

    /// What it was told is stored.
    Set<String> confirmed() {
        return confirmed;
    }

    /// How many brokers have confirmed something since `lookAnew`.
    int brokersUsed() {
        return brokers.size();
    }

    void lookAnew() {
        brokers.clear();
    }

    /// Sends without an end yet.
    int open() {
        return open;
    }

    int sent() {
        return sent;
    }

    long slowestNanos() {
        return slowestNanos;
    }

    @Nullable
    TopicRoute route() {
        return routes.known(topic);
    }
}
