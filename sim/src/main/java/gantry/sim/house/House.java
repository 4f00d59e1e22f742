package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.net.SimNet;
import gantry.store.ConsumeQueue;
import gantry.store.Durability;
import gantry.store.IndexConfig;
import gantry.store.RetentionConfig;
import gantry.store.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One world from one seed, from its first event to its last question.
///
/// For:   P1 to P3 under every fault of the plan, and life after it.
/// Owner: the thread that calls `run`.
///
/// ```
///   chaos: work under faults ─▶ heal ─▶ sends succeed, consumers catch up ─▶ last crash ─▶ everything is there
/// ```
public final class House implements AutoCloseable {
    static final String TOPIC = "orders";
    static final int LARGEST_RECORD_BYTES = 8 * 1024;

    /// Kept for the broker's own state: two blocks, so that fate fills the disk above it and into it.
    private static final long RESERVE_BYTES = 8192;

    private static final Endpoint NAMESERVER = new Endpoint("10.0.0.1", 9876);
    private static final Endpoint BROKER = new Endpoint("10.0.0.2", 10_911);
    private static final long RECOVERS_WITHIN = 120 * SimScheduler.SECOND;
    private static final int SENDS_AFTER_HEALING = 20;

    private final SimScheduler scheduler;
    private final SimNet net;
    private final Plan plan;
    private final Ledger ledger = new Ledger();
    private final OffsetLedger offsets = new OffsetLedger();
    private final NameserverProcess nameserver;
    private final BrokerProcess broker;
    private final List<Producer> producers = new ArrayList<>();
    private final List<gantry.sim.house.Consumer> consumers = new ArrayList<>();
    private final Fate fate;

    /// @param trace gets a line for everything that happens, or null
    public House(long seed, @Nullable Consumer<String> trace) {
        this(seed, trace, Lens.CLEAR, true, plan -> plan);
    }

    /// @param lens is put between the broker and its seams; tests of the checkers put a faulty one there
    /// @param looksInside whether the store is looked at too, or only what clients see
    /// @param other changes the seed's plan
    House(long seed, @Nullable Consumer<String> trace, Lens lens, boolean looksInside, UnaryOperator<Plan> other) {
        scheduler = new SimScheduler(seed, trace);
        plan = other.apply(Plan.of(scheduler.fork("plan")));
        scheduler.note(plan.toString());
        net = new SimNet(scheduler, plan.weather());
        nameserver = new NameserverProcess(scheduler, net, NAMESERVER);
        broker = new BrokerProcess(scheduler, net, BROKER, config(plan), lens, looksInside, ledger, offsets);
        for (int i = 1; i <= plan.producers(); i++) {
            producers.add(new Producer(scheduler, net, NAMESERVER, i, plan, TOPIC, ledger));
        }
        consumers.add(consumer(0, 1));
        consumers.add(consumer(1, 1));
        fate = new Fate(scheduler, net, this, plan);
    }

    /// Small enough that everything happens in a run.
    static StoreConfig store(Plan plan) {
        return StoreConfig.DEFAULT
                .withSegmentBytes(plan.segmentBytes())
                .withQueueFileBytes(20 * 100)
                .withDurability(plan.durability())
                .withTimes(Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(2))
                .withLimits(LARGEST_RECORD_BYTES, 1 << 20, 10_000)
                .withIndex(new IndexConfig(true, 97, 400))
                .withRebuildPiece(4 << 10)
                // A full disk refuses, and deletes nothing: the ledger expects every message to stay.
                .withRetention(RetentionConfig.DEFAULT
                        .withShares(0.75, 0.85, 0.90, false)
                        .withFreeBytes(0, RESERVE_BYTES));
    }

    private static BrokerConfig config(Plan plan) {
        return BrokerConfig.named("cluster", "broker-a", BROKER.host(), List.of(NAMESERVER))
                .withStore(store(plan));
    }

    private gantry.sim.house.Consumer consumer(int index, int number) {
        return new gantry.sim.house.Consumer(
                scheduler,
                net,
                NAMESERVER,
                "10.0.2." + (index + 1),
                number,
                TOPIC,
                "group-" + index,
                index == 1,
                broker::confirmOffset,
                ledger,
                offsets);
    }

    /// @throws SimFailure with the promise that was broken
    public Outcome run() {
        scheduler.checkAfterEveryEvent(broker::check);
        nameserver.start();
        broker.start();
        producers.forEach(Producer::begin);
        consumers.forEach(gantry.sim.house.Consumer::begin);
        new Stranger(scheduler, net).begin();
        fate.begin();
        scheduler.runUntil(plan.chaosNanos());

        fate.heal();
        long before = acknowledged();
        long sendsAfter = within("P4 sends succeed again", () -> acknowledged() >= before + SENDS_AFTER_HEALING);
        producers.forEach(Producer::stop);
        long catchesUpAfter = within("P4 consumers catch up", this::isDrained);
        ledger.allDelivered();
        lastCrash();
        return new Outcome(
                scheduler.hash(),
                scheduler.happened(),
                ledger.acknowledgedCount(),
                ledger.seenCount(),
                ledger.lostCount(),
                offsets.answeredCount(),
                broker.starts(),
                broker.refusedStarts(),
                fate.fenced(),
                sendsAfter / SimScheduler.MILLI,
                catchesUpAfter / SimScheduler.MILLI);
    }

    private void lastCrash() {
        if (plan.durability() == Durability.SYNCED) {
            broker.powerCut();
        } else {
            broker.kill();
        }
        broker.start();
        within("P4 the broker starts", () -> broker.node() != null);
        checkKeys();
    }

    /// What the last crash has left is found by key, and after a while, in which index files may be built again, too.
    private void checkKeys() {
        BrokerNode node = broker.node();
        if (node == null) {
            throw new SimFailure("the broker died while nothing happened");
        }
        for (int round = 0; round < 2; round++) {
            KeyCheck keys = new KeyCheck(node.store(), TOPIC);
            within("P4 key queries are answered", keys::isDone);
            scheduler.runUntil(scheduler.nanos() + 5 * SimScheduler.SECOND);
        }
    }

    private long acknowledged() {
        return producers.stream().mapToLong(Producer::acknowledged).sum();
    }

    private boolean isDrained() {
        var node = broker.node();
        if (node == null) {
            return false;
        }
        for (ConsumeQueue queue : node.store().queues()) {
            boolean ours = queue.topic().equals(TOPIC);
            for (gantry.sim.house.Consumer consumer : consumers) {
                if (ours && consumer.next(queue.queueId()) != queue.maxOffset()) {
                    return false;
                }
            }
        }
        return node.store().confirmOffset() == node.store().appended();
    }

    /// @return after how many nanoseconds
    private long within(String promise, BooleanSupplier holds) {
        long begin = scheduler.nanos();
        long end = begin + RECOVERS_WITHIN;
        while (!holds.getAsBoolean()) {
            if (scheduler.nanos() > end || !scheduler.step()) {
                throw new SimFailure(promise + ": not within " + RECOVERS_WITHIN / SimScheduler.SECOND
                        + " s after everything healed");
            }
        }
        return scheduler.nanos() - begin;
    }

    BrokerProcess broker() {
        return broker;
    }

    NameserverProcess nameserver() {
        return nameserver;
    }

    List<String> hosts() {
        List<String> hosts = new ArrayList<>(List.of(NAMESERVER.host(), BROKER.host(), "10.0.2.1", "10.0.2.2"));
        for (int i = 1; i <= producers.size(); i++) {
            hosts.add("10.0.1." + i);
        }
        return hosts;
    }

    /// One consumer's process ends, and another begins in its place.
    void restartConsumer(RandomGenerator random) {
        int index = random.nextInt(consumers.size());
        var old = consumers.get(index);
        old.life.end();
        net.processEnded(old.life);
        var fresh = consumer(index, old.life.number() + 1);
        consumers.set(index, fresh);
        fresh.begin();
    }

    @Override
    public void close() {
        broker.disk.close();
    }

    /// What a run came to.
    ///
    /// @param hash of every event
    /// @param events how many
    /// @param sendsAfterMillis how long after everything healed a number of sends had succeeded
    /// @param catchesUpAfterMillis how long after that consumers had seen everything
    public record Outcome(
            long hash,
            long events,
            long acknowledged,
            long seen,
            long lost,
            long commits,
            int brokerStarts,
            int refusedStarts,
            int fenced,
            long sendsAfterMillis,
            long catchesUpAfterMillis) {}
}
