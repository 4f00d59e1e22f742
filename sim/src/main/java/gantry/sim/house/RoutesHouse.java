package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.check.Stored;
import gantry.sim.net.SimNet;
import gantry.sim.net.Weather;
import gantry.store.IndexConfig;
import gantry.store.StoreConfig;
import gantry.wire.body.Permission;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Three nameservers, three brokers and applications with our client, of one seed.
///
/// For:   P4 and P6 of routes: as long as one nameserver and one broker are well, no send fails and none takes longer
///        than it may, whatever the others do; and afterwards everybody is used again.
/// Owner: the thread that calls `run`.
///
/// One nameserver and one broker, of the seed's choice, are left alone by fate; the others are killed, stopped, cut off
/// in one direction or both, forget everything, or lose single connections in silence.
public final class RoutesHouse implements AutoCloseable {
    static final String TOPIC = "orders";

    /// P6: a part that hangs, lies or dies costs the others at most so long.
    static final long LONGEST_NANOS = 5 * SimScheduler.SECOND;

    private static final int COUNT = 3;
    private static final int CLIENTS = 3;
    private static final long CHAOS_NANOS = 45 * SimScheduler.SECOND;
    private static final long RECOVERS_WITHIN = 60 * SimScheduler.SECOND;

    private enum Blow {
        KILL_NAMESERVER,
        PAUSE_NAMESERVER,
        CUT_NAMESERVER_FROM_BROKERS,
        CUT_NAMESERVER_FROM_CLIENTS,
        KILL_BROKER,
        PAUSE_BROKER,
        CUT_BROKER_FROM_NAMESERVERS,
        CUT_BROKER_FROM_CLIENTS,
        SILENCE_A_CONNECTION,
        RESET_A_CONNECTION,
        HEAL_THE_NETWORK
    }

    private final SimScheduler scheduler;
    private final SimNet net;
    private final Life fate = new Life("fate", 0);
    private final RandomGenerator random;
    private final List<NameserverProcess> nameservers = new ArrayList<>();
    private final List<BrokerProcess> brokers = new ArrayList<>();
    private final List<RoutedClient> clients = new ArrayList<>();
    private final int wellNameserver;
    private final int wellBroker;
    private int topicsMade;
    private final EnumMap<Blow, Integer> struck = new EnumMap<>(Blow.class);

    /// @param trace gets a line for everything that happens, or null
    public RoutesHouse(long seed, @Nullable Consumer<String> trace) {
        scheduler = new SimScheduler(seed, trace);
        random = scheduler.fork("fate");
        net = new SimNet(scheduler, random.nextInt(3) == 0 ? Weather.FOUL : Weather.FAIR);
        wellNameserver = random.nextInt(COUNT);
        wellBroker = random.nextInt(COUNT);
        scheduler.note("fate leaves alone: nameserver 10.1.0." + (wellNameserver + 1) + ", broker-" + wellBroker);
        List<Endpoint> addresses = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            addresses.add(new Endpoint("10.1.0." + (i + 1), 9876));
            nameservers.add(new NameserverProcess(scheduler, net, addresses.get(i)));
        }
        for (int i = 0; i < COUNT; i++) {
            brokers.add(broker(i, addresses));
        }
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(new RoutedClient(scheduler, net, addresses, i, TOPIC, LONGEST_NANOS));
        }
    }

    private BrokerProcess broker(int index, List<Endpoint> addresses) {
        Endpoint address = new Endpoint("10.1.1." + (index + 1), 10_911);
        BrokerConfig config = BrokerConfig.named("cluster", "broker-" + index, address.host(), addresses)
                .withStore(StoreConfig.DEFAULT
                        .withSegmentBytes(256 << 10)
                        .withQueueFileBytes(20 * 500)
                        .withLimits(House.LARGEST_RECORD_BYTES, 1 << 20, 10_000)
                        .withIndex(new IndexConfig(true, 97, 400)));
        return new BrokerProcess(scheduler, net, address, config, Lens.CLEAR, false, new Ledger(), new OffsetLedger());
    }

    /// @throws SimFailure with the promise that was broken
    public Outcome run() {
        nameservers.forEach(SimProcess::start);
        brokers.forEach(SimProcess::start);
        brokers.forEach(this::makeTopic);
        within("P4 every broker has the topic", () -> topicsMade == COUNT);
        scheduler.checkAfterEveryEvent(() -> clients.forEach(RoutedClient::check));
        clients.forEach(RoutedClient::begin);
        within("P4 clients see all brokers", this::allAreUsed);
        strikeLater();
        scheduler.runUntil(scheduler.nanos() + CHAOS_NANOS);

        fate.end();
        net.unblockAll();
        nameservers.forEach(SimProcess::start);
        brokers.forEach(SimProcess::start);
        clients.forEach(RoutedClient::lookAnew);
        long usedAfter = within("P4 every broker is used again", this::allAreUsed);
        clients.forEach(RoutedClient::stop);
        within("P4 every send ends", () -> clients.stream().allMatch(client -> client.open() == 0));
        whateverWasConfirmedIsThere();
        return new Outcome(
                scheduler.hash(),
                scheduler.happened(),
                clients.stream().mapToLong(client -> client.confirmed().size()).sum(),
                clients.stream().mapToLong(RoutedClient::slowestNanos).max().orElse(0) / SimScheduler.MILLI,
                usedAfter / SimScheduler.MILLI,
                struck.getOrDefault(Blow.PAUSE_NAMESERVER, 0),
                struck.getOrDefault(Blow.PAUSE_BROKER, 0));
    }

    private void strikeLater() {
        scheduler.after(random.nextLong(4 * SimScheduler.SECOND), fate, "next blow", () -> {
            strike(Blow.values()[random.nextInt(Blow.values().length)]);
            strikeLater();
        });
    }

    private void strike(Blow blow) {
        scheduler.note("fate: " + blow);
        struck.merge(blow, 1, Integer::sum);
        SimProcess nameserver = nameservers.get(other(wellNameserver));
        SimProcess broker = brokers.get(other(wellBroker));
        switch (blow) {
            case KILL_NAMESERVER -> killForAWhile(nameserver);
            case PAUSE_NAMESERVER -> pause(nameserver);
            case CUT_NAMESERVER_FROM_BROKERS -> cut(nameserver, "10.1.1.");
            case CUT_NAMESERVER_FROM_CLIENTS -> cut(nameserver, "10.1.2.");
            case KILL_BROKER -> killForAWhile(broker);
            case PAUSE_BROKER -> pause(broker);
            case CUT_BROKER_FROM_NAMESERVERS -> cut(broker, "10.1.0.");
            case CUT_BROKER_FROM_CLIENTS -> cut(broker, "10.1.2.");
            case SILENCE_A_CONNECTION -> net.silenceOne();
            case RESET_A_CONNECTION -> net.resetOne();
            case HEAL_THE_NETWORK -> net.unblockAll();
        }
    }

    private int other(int well) {
        return (well + 1 + random.nextInt(COUNT - 1)) % COUNT;
    }

    private void killForAWhile(SimProcess process) {
        process.kill();
        scheduler.after(random.nextLong(15 * SimScheduler.SECOND), net.fabric(), "somebody starts it", process::start);
    }

    private void pause(SimProcess process) {
        process.life().pauseUntil(scheduler.nanos() + random.nextLong(20 * SimScheduler.SECOND));
    }

    /// In one direction or both, for good or until the network is healed.
    private void cut(SimProcess process, String hosts) {
        String here = process.address.host();
        int direction = random.nextInt(3);
        for (int i = 1; i <= COUNT; i++) {
            if (direction != 0) {
                net.block(here, hosts + i);
            }
            if (direction != 1) {
                net.block(hosts + i, here);
            }
        }
    }

    private void makeTopic(BrokerProcess broker) {
        Life operator = new Life("10.1.3.1", 1);
        Command request = Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                .with(FieldNames.TOPIC, TOPIC)
                .with(FieldNames.DEFAULT_TOPIC, "TBW102")
                .with(FieldNames.READ_QUEUE_NUMS, 2)
                .with(FieldNames.WRITE_QUEUE_NUMS, 2)
                .with(FieldNames.PERM, Permission.READ | Permission.WRITE)
                .with(FieldNames.TOPIC_FILTER_TYPE, "SINGLE_TAG")
                .with(FieldNames.TOPIC_SYS_FLAG, 0)
                .with(FieldNames.ORDER, false);
        new Conversation(scheduler, operator, net.network(operator), broker.address)
                .ask(request, Client.PATIENCE, answer -> {
                    if (answer == null || answer.code() != ResponseCodes.SUCCESS) {
                        makeTopic(broker);
                    } else {
                        topicsMade++;
                    }
                });
    }

    /// Every client knows all brokers as writeable, and has sent to each since the last look.
    private boolean allAreUsed() {
        for (RoutedClient client : clients) {
            TopicRoute route = client.route();
            if (route == null
                    || route.brokers().size() != COUNT
                    || route.queues().stream().anyMatch(queue -> !Permission.isWriteable(queue.permission()))) {
                return false;
            }
        }
        return clients.stream().allMatch(client -> client.brokersUsed() == COUNT);
    }

    private void whateverWasConfirmedIsThere() {
        Set<String> stored = new TreeSet<>();
        for (BrokerProcess broker : brokers) {
            BrokerNode node = broker.node();
            if (node == null) {
                throw new SimFailure("P4 " + broker.address + " is not up although everything has healed");
            }
            LogContents.of(node.store(), false)
                    .values()
                    .forEach(messages -> messages.stream().map(Stored::key).forEach(stored::add));
        }
        for (RoutedClient client : clients) {
            for (String key : client.confirmed()) {
                if (!stored.contains(key)) {
                    throw new SimFailure("P1 the confirmed message " + key + " is nowhere");
                }
            }
        }
    }

    /// @return after how many nanoseconds
    private long within(String promise, BooleanSupplier holds) {
        long begin = scheduler.nanos();
        while (!holds.getAsBoolean()) {
            if (scheduler.nanos() - begin > RECOVERS_WITHIN || !scheduler.step()) {
                throw new SimFailure(promise + ": not within " + RECOVERS_WITHIN / SimScheduler.SECOND + " s");
            }
        }
        return scheduler.nanos() - begin;
    }

    @Override
    public void close() {
        brokers.forEach(broker -> broker.disk.close());
    }

    /// What a run came to.
    ///
    /// @param hash of every event
    /// @param events how many
    /// @param slowestMillis the longest that any send took
    /// @param usedAfterMillis how long after everything healed all clients sent to all brokers again
    public record Outcome(
            long hash,
            long events,
            long confirmed,
            long slowestMillis,
            long usedAfterMillis,
            int nameserverPauses,
            int brokerPauses) {}
}
