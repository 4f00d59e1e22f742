package gantry.server;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.pull.SimplePuller;
import gantry.client.route.Routes;
import gantry.server.config.AdminKeys;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.NameserverSettings;
import gantry.server.config.Place;
import gantry.server.config.Role;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/// Plays a first minute once, so that the launcher's build can keep what the JVM loaded and learnt in it.
///
/// For:   `-XX:AOTCacheOutput`: every later start of any role or tool is then about twice as quick, and what is sent
///        and pulled most is compiled well from the start.
/// Owner: the main thread.
/// Never: anything of a user's: free ports, and a folder that the launcher deletes.
final class Rehearsal {
    private static final String TOPIC = "rehearsal";
    private static final int SENDS = 60_000;
    private static final int IN_FLIGHT = 64;
    private static final int SENDS_ONE_BY_ONE = 5_000;
    private static final int PULLED_AT_ONCE = 32;
    private static final int BODY_BYTES = 1024;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private Rehearsal() {}

    /// @param args the folder
    public static void main(String[] args) throws StartRefused, CallFailed {
        Values broker = Values.of(
                Role.BROKER,
                ConfigFile.NONE,
                List.of(
                        new Flag("folder", Keys.DATA_DIR, args[0]),
                        new Flag("port", Keys.LISTEN_PORT, "0"),
                        new Flag("admin", AdminKeys.PORT, "0")));
        Values nameserver = Values.of(
                Role.NAMESERVER,
                ConfigFile.NONE,
                List.of(
                        new Flag("folder", Keys.NAMESERVER_DATA_DIR, args[0]),
                        new Flag("port", Keys.NAMESERVER_PORT, "0")));
        try (Server server =
                Server.standalone(Place.ofNameserver(nameserver), NameserverSettings.of(nameserver), broker)) {
            Announcement.print(server, broker.notes());
            String at = String.valueOf(server.addresses().get("nameserver"));
            for (String[] tool : new String[][] {
                {"admin", "sendMessage", "-n", at, "-t", TOPIC, "--count", "20"},
                {"admin", "consumeMessage", "-n", at, "-t", TOPIC, "-g", TOPIC},
                {"admin", "topicList", "-n", at, "-o", "json"},
                {"health", "-n", at}
            }) {
                int code = Main.commandLine().execute(tool);
                if (code != 0) {
                    throw new IllegalStateException(String.join(" ", tool) + " ended with " + code);
                }
            }
            Endpoint admin = Objects.requireNonNull(server.addresses().get("admin"), "the admin port");
            read(admin, "/health", "*/*");
            read(admin, "/health/ready", "*/*");
            read(admin, "/metrics", "text/plain");
            read(admin, "/metrics", "application/openmetrics-text");
            try (RemotingClient client = RemotingClient.open()) {
                SimplePuller puller = new SimplePuller(client, new Routes(client, List.of(Endpoint.parse(at))), TOPIC);
                List<SimplePuller.Queue> queues = puller.queues(TOPIC, LIMIT);
                send(client, queues, SENDS, IN_FLIGHT);
                send(client, queues, SENDS_ONE_BY_ONE, 1);
                for (SimplePuller.Queue queue : queues) {
                    pull(puller, queue);
                }
            }
        }
    }

    private static void read(Endpoint admin, String path, String accept) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            String request = "GET " + path + " HTTP/1.1\r\nHost: rehearsal\r\nAccept: " + accept + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!said.startsWith("HTTP/1.1 200 ")) {
                throw new IllegalStateException(path + " says " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(RemotingClient client, List<SimplePuller.Queue> queues, int count, int inFlight) {
        Deque<CompletableFuture<Command>> asked = new ArrayDeque<>();
        byte[] body = "x".repeat(BODY_BYTES).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++) {
            SimplePuller.Queue queue = queues.get(i % queues.size());
            if (asked.size() == inFlight) {
                asked.remove().join();
            }
            asked.add(client.ask(queue.address(), request(queue, i, body), LIMIT));
        }
        asked.forEach(CompletableFuture::join);
    }

    /// The fields of the official clients, in their order.
    private static Command request(SimplePuller.Queue queue, int i, byte[] body) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", TOPIC)
                .with("b", TOPIC)
                .with("c", Routes.DEFAULT_TOPIC)
                .with("d", "4")
                .with("e", Integer.toString(queue.queueId()))
                .with("f", "0")
                .with("g", "1700000000000")
                .with("h", "0")
                .with(
                        "i",
                        "UNIQ_KEY\u0001" + String.format("7F0000011A2B251A69D70CAE%08X", i)
                                + "\u0002WAIT\u0001true\u0002")
                .with("j", "0")
                .with("k", "false")
                .with("m", "false")
                .with("n", queue.brokerName())
                .withBody(body);
    }

    private static void pull(SimplePuller puller, SimplePuller.Queue queue) throws CallFailed {
        long end = puller.maxOffset(queue, LIMIT);
        long next = 0;
        while (next < end) {
            next = puller.pull(queue, next, PULLED_AT_ONCE, "*", Duration.ZERO).nextOffset();
        }
    }
}
