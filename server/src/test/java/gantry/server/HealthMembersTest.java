package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `gantry health` says for each member of a group how it stands and what to do, and counts it in the exit code.
class HealthMembersTest {
    private final Map<String, String> figures = new TreeMap<>(Map.of(
            "gantry.state", "serving",
            "runtime", "[ 1 days ]",
            "gantry.replica.role", "leader",
            "gantry.replica.members", "1,2"));
    private NettyNetwork network;
    private Endpoint address;

    /// Plays nameserver and broker at one address.
    private final class Peer implements Network.Session {
        private final Link link;

        Peer(Link link) {
            this.link = link;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            Command request = Objects.requireNonNull(Command.decode(frame, offset, length));
            byte[] body = request.code() == RequestCodes.GET_BROKER_CLUSTER_INFO
                    ? clusters().toBytes()
                    : new KeyValueTable(figures).toBytes();
            byte[] answer = Command.request(ResponseCodes.SUCCESS)
                    .withFlags(FrameFlags.ANSWER)
                    .withCorrelationId(request.correlationId())
                    .withBody(body)
                    .encode();
            link.send(answer, 0, answer.length);
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {}
    }

    private record Answer(int code, String out) {}

    @BeforeEach
    void listen() throws Exception {
        network = new NettyNetwork(NetConfig.DEFAULT, (level, text) -> {}, (name, cause) -> {});
        address = network.listen(new Endpoint("127.0.0.1", 0), Peer::new).local();
    }

    @AfterEach
    void close() {
        network.close();
    }

    private ClusterInfo clusters() {
        BrokerAddresses broker =
                new BrokerAddresses("C", "broker-a", new TreeMap<>(Map.of(0L, address.toString())), false, null);
        return new ClusterInfo(Map.of("broker-a", broker), Map.of("C", List.of("broker-a")));
    }

    @Test
    void memberThatIsNotWellHasItsCauseAndNextStepAndTheExitCodeIsOne() {
        member(1, "IN_SYNC", true, "nothing to do");
        member(
                2,
                "REFUSED: the proof is wrong: the shared secrets differ",
                false,
                "set the same replicaSecret on both");

        Answer answer = health();

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.out())
                .containsPattern("broker broker-a/0 +" + address + " +well")
                .containsPattern("broker broker-a/0: follower 1 +- +well +IN_SYNC")
                .containsPattern("broker broker-a/0: follower 2 +- +NOT WELL +REFUSED: the proof is wrong.*"
                        + "lag unknown bytes.*set the same replicaSecret on both");
    }

    @Test
    void groupOfWellMembersIsWell() {
        member(1, "IN_SYNC", true, "nothing to do");
        assertThat(health().code()).isZero();
    }

    @Test
    void followerShowsItsMaster() {
        figures.put("gantry.replica.role", "follower");
        figures.put("gantry.replica.members", "0");
        member(0, "SILENT", false, "look whether that process runs");

        Answer answer = health();

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.out()).containsPattern("broker broker-a/0: its master +- +NOT WELL +SILENT.*look whether");
    }

    @Test
    void brokerThatTakesNoSendsIsNotWell() {
        figures.put("gantry.state", "too few members in sync");
        figures.put("gantry.stateReason", "No send is taken: 0 of them are in sync.");
        assertThat(health())
                .satisfies(answer -> assertThat(answer.code()).isEqualTo(1))
                .satisfies(answer -> assertThat(answer.out())
                        .containsPattern(
                                "NOT WELL +too few members in sync: No send is taken: 0 of them are in sync."));
    }

    private void member(int number, String state, boolean well, String next) {
        String prefix = "gantry.replica.member." + number + ".";
        figures.putAll(Map.of(
                prefix + "state",
                state,
                prefix + "well",
                Boolean.toString(well),
                prefix + "next",
                next,
                prefix + "lagBytes",
                "unknown"));
    }

    private Answer health() {
        StringWriter out = new StringWriter();
        int code = Main.commandLine().setOut(new PrintWriter(out)).execute("health", "-n", address.toString());
        return new Answer(code, out.toString());
    }
}
