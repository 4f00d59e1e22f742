package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Footprint;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.Stored;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections come and go, and a server ends, without anything left behind.
final class ConnectionsTest {
    private static final int WARM_UP = 60;
    private static final int CLIENTS = 200;

    /// Lazily started pools and such; a leak per client or per consumer would be 200 or 50.
    private static final int SLACK = 25;

    /// What a server opens for itself meanwhile.
    private static final int SLACK_SOCKETS = 5;

    @TempDir
    private Path folder;

    /// Each client opens a connection to the nameserver and one to the broker; three in four send, one in four
    /// consumes.
    @ParameterizedTest
    @EnumSource
    void manyClientsLeaveNoSocketThreadOrBufferBehind(ClientVersion version) throws IOException {
        try (Peer peer = Peer.start("visited-" + version, folder, Peer.Flush.ASYNC);
                Judge judge = Judge.start("visitors-" + version, version, peer, folder)) {
            judge.tell("topic topic=visits queues=4").await("done");
            long alone = Footprint.sockets(peer) + SLACK_SOCKETS;
            connect(judge, WARM_UP);
            awaitSockets(peer, alone);
            Footprint before = Footprint.of(peer);

            connect(judge, CLIENTS);
            awaitSockets(peer, alone);
            Footprint after = Footprint.of(peer);

            assertThat(after.threads()).isLessThan(before.threads() + SLACK);
            assertThat(after.otherFiles()).isLessThan(before.otherFiles() + SLACK);
            assertThat(after.grownSince(before, CLIENTS / 4)).isEmpty();
        }
    }

    private static void connect(Judge judge, int clients) {
        judge.tell("connect topic=visits group=visitors count=" + clients).awaitCount("done", 1, Duration.ofMinutes(3));
    }

    private static void awaitSockets(Peer peer, long atMost) {
        Awaitility.await().atMost(Talk.PATIENCE).until(() -> Footprint.sockets(peer), sockets -> sockets <= atMost);
    }

    /// With a producer at work, consumers whose pulls are parked, and connections that say nothing.
    @ParameterizedTest
    @EnumSource
    void aServerStopsInTimeWithOpenConnectionsAndParkedPulls(ClientVersion version) throws IOException {
        List<Socket> silent = new ArrayList<>();
        try (Peer peer = Peer.start("stopped-" + version, folder, Peer.Flush.ASYNC);
                Judge judge = Judge.start("clients-" + version, version, peer, folder)) {
            judge.tell("topic topic=busy queues=4").await("done");
            judge.tell("topic topic=quiet queues=4").await("done");
            judge.tell("push topic=quiet group=waiting").await("assigned");
            judge.tell("push mode=orderly topic=quiet group=ordered").await("assigned");
            Talk sender = judge.tell("send topic=busy count=0 retries=0");
            int port = Integer.parseInt(
                    peer.nameserver().substring(peer.nameserver().indexOf(':') + 1));
            for (int i = 0; i < 5; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            // Half a frame.
            silent.getFirst().getOutputStream().write(new byte[] {0, 0, 1});
            sender.awaitCount("sent", 100);

            // Apache's broker may take longer, and its exit code is that of the signal.
            int code = peer.terminate(Peer.isGantry() ? Duration.ofSeconds(10) : Talk.PATIENCE);
            assertThat(code).isEqualTo(Peer.isGantry() ? 0 : 143);
            List<Line> acknowledged = sender.all("sent");
            peer.restart();
            sender.awaitCount("sent", acknowledged.size() + 1);
            sender.stop();
            sender.await("done");
            Stored.of(judge, "busy").holdsAll(sender.all("sent"));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }
}
