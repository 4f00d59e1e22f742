package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.GantryClient;
import gantry.client.call.RemotingClient;
import gantry.client.produce.Message;
import gantry.client.produce.Producer;
import gantry.client.pull.PulledMessage;
import gantry.client.pull.SimplePuller;
import gantry.client.route.Routes;
import gantry.ops.cli.AdminCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// A machine with a nameserver and a broker hangs with its connections open, or dies: who uses our client does not
/// notice (R026, R027, R028, R036).
///
/// Two machines with a nameserver and a broker each, as processes; a hung machine is two stopped processes.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungMachineProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "orders";

    /// The longest that a send may take while another broker has the topic, and what a busy machine adds to it.
    private static final Duration LONGEST = Duration.ofSeconds(1).plus(Duration.ofSeconds(1));

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Endpoint> nameservers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void noSendFailsAndNoneTakesLongWhileAMachineHangsOrDies() throws Exception {
        Spawned first = nameserver("ns1");
        Spawned second = nameserver("ns2");
        Spawned a = broker("a");
        Spawned b = broker("b");
        for (Spawned broker : List.of(a, b)) {
            String address = broker.address("broker").toString();
            String[] words = {"updateTopic", "-n", list(), "-b", address, "-t", TOPIC, "-r", "4", "-w", "4"};
            assertThat(new CommandLine(new AdminCommand()).execute(words)).isZero();
        }
        GantryClient client = opened();
        awaitBothBrokers(client);
        SteadySenders senders = new SteadySenders(client.producer("P"), TOPIC, 4, LIMIT);
        open.add(senders);
        awaitSends(senders, 200);

        first.signal("STOP");
        a.signal("STOP");
        long hung = System.nanoTime();
        long begun = System.nanoTime();
        try (GantryClient late = GantryClient.builder().nameservers(list()).open()) {
            late.producer("late").send(Message.of(TOPIC, new byte[10]), LIMIT);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("a new client while the first nameserver hangs")
                    .isLessThan(Duration.ofSeconds(3));
        }
        awaitSends(senders, 1_000);
        assertThat(senders.failures()).isEmpty();
        assertThat(senders.longestSince(hung)).isLessThan(LONGEST);

        first.signal("CONT");
        a.signal("CONT");
        awaitBothBrokers(client);
        second.kill();
        b.kill();
        long dead = System.nanoTime();
        awaitSends(senders, 500);
        senders.close();
        assertThat(senders.failures()).isEmpty();
        assertThat(senders.longestSince(dead)).isLessThan(LONGEST);
        broker("b", b.address("broker").port());
        assertThat(stored()).as("whatever was confirmed is there").containsAll(confirmed(senders));
    }

    private static Set<String> confirmed(SteadySenders senders) {
        Set<String> ids = new HashSet<>();
        senders.all().stream().filter(SteadySenders.Sent::isStored).forEach(each -> ids.add(each.messageId()));
        return ids;
    }

    private static void awaitSends(SteadySenders senders, int count) {
        long since = System.nanoTime();
        await().atMost(PATIENCE).until(() -> senders.storedSince(since) >= count);
    }

    /// Until sends go to both.
    private static void awaitBothBrokers(GantryClient client) {
        Set<String> taking = new HashSet<>();
        Producer producer = client.producer("warm");
        await().atMost(PATIENCE).until(() -> {
            taking.add(producer.send(Message.of(TOPIC, new byte[10]), LIMIT).brokerName());
            return taking.size() == 2;
        });
    }

    /// The ids of all messages of the topic, from both brokers.
    private Set<String> stored() throws Exception {
        Set<String> ids = new HashSet<>();
        try (RemotingClient calls = RemotingClient.open()) {
            Routes routes = new Routes(calls, nameservers.subList(0, 1));
            SimplePuller puller = new SimplePuller(calls, routes, "reader");
            await().atMost(PATIENCE)
                    .until(() -> new Routes(calls, nameservers.subList(0, 1))
                                    .find(TOPIC, LIMIT)
                                    .brokers()
                                    .size()
                            == 2);
            for (SimplePuller.Queue queue : puller.queues(TOPIC, LIMIT)) {
                long end = puller.maxOffset(queue, LIMIT);
                for (long at = 0; at < end; ) {
                    SimplePuller.Pulled pulled = puller.pull(queue, at, 32, "*", Duration.ZERO);
                    pulled.messages().stream().map(PulledMessage::messageId).forEach(ids::add);
                    at = pulled.nextOffset();
                }
            }
        }
        return ids;
    }

    private GantryClient opened() {
        GantryClient client = GantryClient.builder().nameservers(list()).open();
        open.add(client);
        return client;
    }

    private String list() {
        return String.join(";", nameservers.stream().map(Endpoint::toString).toList());
    }

    private Spawned nameserver(String name) throws Exception {
        Spawned nameserver = started("nameserver", name, "listenPort=0", "dataDir=" + folder.resolve(name));
        nameservers.add(nameserver.address("nameserver"));
        return nameserver;
    }

    private Spawned broker(String name) throws Exception {
        return broker(name, 0);
    }

    private Spawned broker(String name, int port) throws Exception {
        return started(
                "broker",
                name,
                "brokerName=" + name,
                "brokerId=0",
                "namesrvAddr=" + list(),
                "listenPort=" + port,
                "storePathRootDir=" + folder.resolve(name),
                "mappedFileSizeCommitLog=1048576");
    }

    private Spawned started(String role, String name, String... lines) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
        Spawned process = Spawned.gantry(folder, role, "-c", file.toString());
        open.add(process);
        return process.ready();
    }
}
