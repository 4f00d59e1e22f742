package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.route.Routes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that RocketMQ's slaves copy, when it is told to stop: one gets on, the other takes nothing more.
class LegacySlaveProcessTest {
    private static final Duration SEND = Duration.ofSeconds(30);
    private static final int MESSAGES = 40;
    private static final String BODY = "x".repeat(100_000);

    @TempDir
    Path folder;

    /// A slave that speaks RocketMQ's protocol and keeps nothing.
    private record Slave(Socket socket, DataInputStream in, DataOutputStream out) {
        static Slave connect(Endpoint there) throws IOException {
            Socket socket = new Socket(there.host(), there.port());
            Slave slave = new Slave(
                    socket,
                    new DataInputStream(socket.getInputStream()),
                    new DataOutputStream(socket.getOutputStream()));
            slave.out.writeLong(0);
            return slave;
        }

        /// Takes one frame.
        ///
        /// @return where it ended
        long take() throws IOException {
            long offset = in.readLong();
            int size = in.readInt();
            in.skipNBytes(size);
            return offset + size;
        }

        /// Takes all there is, and reports it.
        ///
        /// @return where the last frame ended before the master hung up
        long takeAll() throws IOException {
            long end = 0;
            while (true) {
                try {
                    end = take();
                } catch (EOFException e) {
                    return end;
                }
                out.writeLong(end);
            }
        }
    }

    /// Free, as is the one two below, where RocketMQ's slaves ask for topics.
    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket below =
                            new ServerSocket(one.getLocalPort() - 2, 1, InetAddress.getLoopbackAddress())) {
                return below.getLocalPort() + 2;
            } catch (BindException e) {
                // Another one, then.
            }
        }
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
    }

    /// The stop has begun.
    private static void awaitClosed(Endpoint there) {
        await("nobody is let in any more")
                .atMost(SEND)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    try (Socket late = new Socket(there.host(), there.port())) {
                        return late.isClosed();
                    } catch (ConnectException e) {
                        return true;
                    }
                });
    }

    @Test
    void stopSendsOnUntilASlaveHasEverythingAndNamesTheOneThatDoesNot() throws Exception {
        Path names = file("ns", "listenPort=0", "dataDir=" + folder.resolve("ns"));
        try (Spawned nameserver = Spawned.gantry(folder, "nameserver", "-c", names.toString());
                RemotingClient client = RemotingClient.open()) {
            Endpoint routes = nameserver.ready().address("nameserver");
            Path settings = file(
                    "master",
                    "brokerClusterName=c",
                    "brokerName=a",
                    "namesrvAddr=" + routes,
                    "listenPort=" + freePort(),
                    "haListenPort=0",
                    "legacyListenPort=0",
                    "legacySlaves=127.0.0.1",
                    "brokerIP1=127.0.0.1",
                    "storePathRootDir=" + folder.resolve("master"),
                    "mappedFileSizeCommitLog=1048576",
                    "diskMaxUsedSpaceRatio=95");
            try (Spawned master = Spawned.gantry(folder, "broker", "-c", settings.toString())) {
                Endpoint slaves = master.ready().address("legacy");
                SimpleProducer producer = new SimpleProducer(client, new Routes(client, List.of(routes)), "producers");
                // Until the nameserver has listened for a while it says "ask again".
                await("the first send")
                        .ignoreExceptionsInstanceOf(CallFailed.class)
                        .until(() -> producer.send("orders", new byte[1], null, null, SEND) != null);
                for (int i = 0; i < MESSAGES; i++) {
                    producer.send("orders", BODY.getBytes(StandardCharsets.UTF_8), null, null, SEND);
                }
                Slave moving = Slave.connect(slaves);
                Slave stuck = Slave.connect(slaves);
                try (Socket one = moving.socket;
                        Socket other = stuck.socket) {
                    long begun = moving.take();
                    assertThat(stuck.take()).isEqualTo(begun);

                    master.terminate();
                    awaitClosed(slaves);
                    moving.out.writeLong(begun);
                    assertThat(moving.takeAll()).isGreaterThan((long) MESSAGES * BODY.length());
                    assertThat(master.exitCode()).isZero();
                    assertThat(master.errors())
                            .contains(":" + other.getLocalPort() + " lacks the last")
                            .doesNotContain(":" + one.getLocalPort() + " lacks");
                }
            }
        }
    }
}
