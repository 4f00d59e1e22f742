package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A leader and a follower as processes: what a SYNC_MASTER promises, and what strangers and broken links change.
class ReplicationProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SEND = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final RemotingClient client = RemotingClient.open();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Endpoint routes = new Endpoint("127.0.0.1", 0);

    @BeforeEach
    void nameserver() throws Exception {
        Spawned nameserver = Spawned.gantry(
                folder,
                "nameserver",
                "-c",
                file("ns", "listenPort=0", "dataDir=" + folder.resolve("ns")).toString());
        open.add(nameserver);
        routes = nameserver.ready().address("nameserver");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        client.close();
    }

    @Test
    void syncMasterAnswersWhenItsFollowerHasTheMessageAndNotWithoutOne() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        // Until the nameserver has listened for a while it says "ask again".
        await("a refusal of the leader")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> send("alone", Duration.ofSeconds(3)))
                        .isInstanceOf(CallFailed.class)
                        .hasMessageContaining("answered when 2 members have it written")
                        .extracting(e -> ((CallFailed) e).code())
                        .isEqualTo(ResponseCodes.SERVICE_NOT_AVAILABLE));

        Spawned follower = broker("follower", 1, "SLAVE");
        awaitSend("with a follower");
        for (int i = 0; i < 50; i++) {
            assertThat(send("message " + i, SEND)).isTrue();
        }
        awaitSameLogs();

        follower.kill().exitCode();
        assertThatThrownBy(() -> send("dead", Duration.ofSeconds(3))).isInstanceOf(CallFailed.class);

        Spawned again = broker("follower", 1, "SLAVE");
        awaitSend("again");
        awaitSameLogs();
        assertThat(again.terminate().exitCode()).isZero();
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// What an operator does when the leader's machine is lost. R025: the topic that was made a moment before is there.
    @Test
    void followerStartedAsLeaderHasEverythingThatWasAnswered() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        awaitSend("first");
        for (int i = 0; i < 100; i++) {
            assertThat(send("message " + i, SEND)).isTrue();
        }
        leader.kill().exitCode();
        follower.kill().exitCode();

        Spawned alone = broker("follower", 1, "SLAVE");
        await("the follower knows the topic, and shows what was answered, without its leader")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(CallFailed.class)
                .until(() -> messages(alone.address("broker")) >= 101);
        alone.kill().exitCode();

        Spawned promoted = broker("follower", 0, "ASYNC_MASTER");
        assertThat(messages(promoted.address("broker"))).isGreaterThanOrEqualTo(101);
        awaitSend("it takes messages");
        assertThat(promoted.terminate().exitCode()).isZero();
    }

    /// R005, R006, R022: both an empty follower and one that was away for too long: what they lack is deleted already.
    @Test
    void followerThatLacksTheLogsBeginningCopiesAllOfItAndCounts() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        awaitSend("first");
        awaitSend("last before the follower goes");
        follower.kill().exitCode();
        leader.terminate().exitCode();

        leader = broker("leader", 0, "ASYNC_MASTER", "maxCommitLogBytes=2097152");
        String body = "x".repeat(100_000);
        for (int i = 0; i < 60; i++) {
            assertThat(send(i + body, SEND)).isTrue();
        }
        await("the leader's log has lost its beginning")
                .atMost(PATIENCE)
                .until(() -> !Files.exists(folder.resolve("leader/commitlog/00000000000000000000")));
        assertThat(leader.terminate().exitCode()).isZero();

        leader = broker("leader", 0, "SYNC_MASTER");
        broker("follower", 1, "SLAVE");
        awaitSend("the one that was away counts");
        for (int i = 0; i < 10; i++) {
            assertThat(send("after " + i, SEND)).isTrue();
        }
        long sent = messages(leader.address("broker"));
        assertThat(folder.resolve("follower/commitlog").toFile().list((_, name) -> name.startsWith("replaced-")))
                .as("what it had before is set aside")
                .hasSize(1);

        Spawned fresh = broker("fresh", 2, "SLAVE");
        await("an empty follower shows every queue as its leader does")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(CallFailed.class)
                .until(() -> messages(fresh.address("broker")) == sent);
        assertThat(folder.resolve("fresh/commitlog/00000000000000000000")).doesNotExist();
        assertThat(fresh.terminate().exitCode()).isZero();
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// Each member makes its own queue files and key index; their sizes are nobody else's matter, whoever leads.
    @Test
    void membersWhoseQueuesAndIndexesHaveOtherSizesFollowAndChangeRoles() throws Exception {
        String[] sizes = {"mappedFileSizeConsumeQueue=400", "maxHashSlotNum=50", "maxIndexNum=20"};
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE", sizes);
        awaitSend("first");
        for (int i = 0; i < 120; i++) {
            assertThat(send("message " + i, SEND)).isTrue();
        }
        awaitSameLogs();
        assertThat(leader.terminate().exitCode()).isZero();
        assertThat(follower.terminate().exitCode()).isZero();

        Spawned promoted = broker("follower", 0, "SYNC_MASTER", sizes);
        Spawned demoted = broker("leader", 1, "SLAVE");
        awaitSend("the other way");
        for (int i = 0; i < 120; i++) {
            assertThat(send("the other way " + i, SEND)).isTrue();
        }
        awaitSameLogs();
        long all = messages(promoted.address("broker"));
        await("both show the same")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(CallFailed.class)
                .until(() -> all >= 242 && messages(demoted.address("broker")) == all);
    }

    /// The log itself is copied as it lies: in files of another length it could be followed up to the first file's end.
    @Test
    void followerWhoseLogFilesHaveAnotherLengthIsRefusedAtOnceAndToldWhatToDo() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        broker("follower", 1, "SLAVE", "mappedFileSizeCommitLog=2097152");

        await("the send says why")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> send("to nobody", Duration.ofSeconds(3)))
                        .isInstanceOf(CallFailed.class)
                        .hasMessageContaining("its commit-log files are not as long as the leader's")
                        .hasMessageContaining("they have 2097152 bytes, and the leader's 1048576"));
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// What RocketMQ's files said stands in no fact: a leader that takes them over says it once more for its followers.
    @Test
    void followerHasTheTopicsThatItsLeaderTookOverFromRocketmq() throws Exception {
        Path config = Files.createDirectories(folder.resolve("leader/config"));
        Files.writeString(
                config.resolve("topics.json"),
                "{\"dataVersion\":{\"counter\":1,\"timestamp\":1},\"topicConfigTable\":{\"old\":{\"topicName\":\"old\","
                        + "\"readQueueNums\":3,\"writeQueueNums\":3,\"perm\":6,\"topicFilterType\":\"SINGLE_TAG\","
                        + "\"topicSysFlag\":0,\"order\":false}}}");
        Files.writeString(config.resolve("consumerOffset.json"), "{\"offsetTable\":{\"old@group\":{0:0,2:0}}}");
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        awaitSend("first");

        awaitSuccess(
                "the follower knows the topic",
                follower,
                Command.request(RequestCodes.GET_MAX_OFFSET)
                        .with(FieldNames.TOPIC, "old")
                        .with(FieldNames.QUEUE_ID, 2));
        awaitSuccess(
                "and its group's offset",
                follower,
                Command.request(RequestCodes.QUERY_CONSUMER_OFFSET)
                        .with(FieldNames.CONSUMER_GROUP, "group")
                        .with(FieldNames.TOPIC, "old")
                        .with(FieldNames.QUEUE_ID, 2));
        assertThat(leader.terminate().exitCode()).isZero();
    }

    private void awaitSuccess(String what, Spawned broker, Command request) {
        await(what)
                .atMost(PATIENCE)
                .until(() ->
                        client.call(broker.address("broker"), request, SEND).code() == ResponseCodes.SUCCESS);
    }

    private long messages(Endpoint broker) throws CallFailed {
        long count = 0;
        for (int queueId = 0; queueId < 4; queueId++) {
            count += Long.parseLong(client.callOk(
                            broker,
                            Command.request(RequestCodes.GET_MAX_OFFSET)
                                    .with(FieldNames.TOPIC, "orders")
                                    .with(FieldNames.QUEUE_ID, queueId),
                            SEND)
                    .fieldOr(FieldNames.OFFSET, "-1"));
        }
        return count;
    }

    /// R001, R002: not even with a follower that hangs afterwards is anything answered that it does not have.
    @Test
    void strangersOnTheReplicationPortChangeNothing() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Spawned follower = broker("follower", 1, "SLAVE");
        awaitSend("first");

        Random random = new Random(7);
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket stranger = new Socket(
                        InetAddress.getLoopbackAddress(),
                        leader.address("replication").port());
                strangers.add(stranger);
                byte[] bytes = i % 3 == 0
                        ? "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)
                        : new byte[1 + random.nextInt(64)];
                if (i % 3 == 1) {
                    random.nextBytes(bytes);
                }
                try {
                    stranger.getOutputStream().write(bytes);
                } catch (IOException expected) {
                    // The leader has closed it already.
                }
            }
            for (int i = 0; i < 20; i++) {
                assertThat(send("beside strangers " + i, SEND)).isTrue();
            }
            awaitSameLogs();
            follower.signal("STOP");
            for (int i = 0; i < 2; i++) {
                assertThat(isAnswered("to a follower that hangs " + i)).isFalse();
            }
            follower.signal("CONT");
            awaitSend("it goes on");
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
        assertThat(leader.terminate().exitCode()).isZero();
    }

    /// Every changed byte ends the link; what was not acknowledged is sent again over the next.
    @Test
    void bytesThatChangeOnTheWayAreNeverStored() throws Exception {
        Spawned leader = broker("leader", 0, "SYNC_MASTER");
        Changing way = new Changing(leader.address("replication"));
        open.add(way);
        broker("follower", 1, "SLAVE", "haMasterAddress=127.0.0.1:" + way.port());
        awaitSend("first");

        for (int i = 0; i < 12; i++) {
            way.changeOne = true;
            awaitSend("message " + i);
        }

        await("bytes were changed").atMost(PATIENCE).until(() -> way.changed);
        awaitSend("last");
        awaitSameLogs();
    }

    /// Whether it was answered as promised; refused, late and never count as no.
    private boolean isAnswered(String body) {
        try {
            return send(body, Duration.ofSeconds(6));
        } catch (CallFailed refused) {
            return false;
        }
    }

    private boolean send(String body, Duration patience) throws CallFailed {
        return new SimpleProducer(client, new Routes(client, List.of(routes)), "producers")
                .send("orders", body.getBytes(StandardCharsets.UTF_8), null, null, patience)
                .isReplicatedAndFlushed();
    }

    /// Sends again and again until it is answered as promised: its follower is there, or there again.
    private void awaitSend(String body) {
        await(body)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(CallFailed.class)
                .until(() -> send(body, SEND));
    }

    private Spawned broker(String name, int id, String role, String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "brokerClusterName=c",
                "brokerName=a",
                "brokerId=" + id,
                "brokerRole=" + role,
                "namesrvAddr=" + routes,
                "listenPort=0",
                "brokerIP1=127.0.0.1",
                "storePathRootDir=" + folder.resolve(name),
                "diskMaxUsedSpaceRatio=95"));
        lines.addAll(List.of(more));
        if (lines.stream().noneMatch(line -> line.startsWith("mappedFileSizeCommitLog="))) {
            lines.add("mappedFileSizeCommitLog=1048576");
        }
        Spawned broker = Spawned.gantry(
                folder, "broker", "-c", file(name, lines.toArray(String[]::new)).toString());
        open.add(broker);
        return broker.ready();
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name + ".conf"), String.join("\n", lines) + "\n");
    }

    private void awaitSameLogs() {
        await("equal logs").atMost(PATIENCE).until(() -> {
            byte[] one = Files.readAllBytes(folder.resolve("leader/commitlog/00000000000000000000"));
            byte[] other = Files.readAllBytes(folder.resolve("follower/commitlog/00000000000000000000"));
            return Arrays.equals(one, other);
        });
    }

    /// A way between a follower and its leader on which a byte of the leader's changes now and then.
    private static final class Changing implements AutoCloseable {
        private final ServerSocket door = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final Endpoint leader;
        private final List<Socket> sockets = new CopyOnWriteArrayList<>();
        volatile boolean changeOne;
        volatile boolean changed;

        Changing(Endpoint leader) throws IOException {
            this.leader = leader;
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return door.getLocalPort();
        }

        private void accept() {
            while (!door.isClosed()) {
                try {
                    Socket near = door.accept();
                    Socket far = new Socket(leader.host(), leader.port());
                    sockets.addAll(List.of(near, far));
                    Thread.ofVirtual().start(() -> pump(near, far, false));
                    Thread.ofVirtual().start(() -> pump(far, near, true));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void pump(Socket from, Socket to, boolean changes) {
            byte[] bytes = new byte[8192];
            Random random = new Random(11);
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                    if (changes && changeOne && read > 200) {
                        changeOne = false;
                        changed = true;
                        bytes[random.nextInt(read)] ^= (byte) (1 << random.nextInt(8));
                    }
                    out.write(bytes, 0, read);
                }
            } catch (IOException e) {
                // The other side is gone; so is this way.
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
