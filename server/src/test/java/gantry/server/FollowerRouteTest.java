package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.client.call.RemotingClient;
import gantry.control.nameserver.KeyValueShelf;
import gantry.control.nameserver.NameserverConfig;
import gantry.control.nameserver.NameserverNode;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.net.SystemEntropy;
import gantry.net.ThreadOffload;
import gantry.net.Ticker;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A leader and a follower of one group beside our nameserver, on real sockets: who learns what of whom.
class FollowerRouteTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Notices SILENT = (level, text) -> {};

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final SystemClock clock = new SystemClock();
    private NettyNetwork network;
    private ThreadOffload offload;
    private Ticker ticker;
    private Endpoint nameserver;

    @BeforeEach
    void start() throws Exception {
        network = new NettyNetwork(NetConfig.DEFAULT, SILENT, (name, cause) -> {});
        offload = new ThreadOffload("offload", 8, SILENT);
        ticker = new Ticker("ticks", SILENT);
        NameserverNode node = new NameserverNode(
                NameserverConfig.DEFAULT, clock, offload, SILENT, (name, cause) -> {}, KeyValueShelf.inMemory());
        nameserver = network.listen(new Endpoint("127.0.0.1", 0), node).local();
        ticker.every(Duration.ofMillis(NameserverNode.TICK_MILLIS), "the nameserver", node::tick);
    }

    @AfterEach
    void stop() throws Exception {
        ticker.close();
        network.close();
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    /// The follower is there first: it has to learn of a leader that comes later.
    @Test
    void followerLearnsOfALeaderThatComesLaterAndBothStandInTheRoute() throws Exception {
        BrokerNode follower = broker(1, 10_999);
        assertThat(follower.leaderHa()).isEmpty();
        BrokerNode leader = broker(0, 10_912);
        await().atMost(PATIENCE).until(() -> follower.leaderHa().isPresent());
        assertThat(follower.leaderHa()).contains(new Endpoint("127.0.0.1", 10_912));
        assertThat(leader.leaderHa()).isEmpty();
        try (RemotingClient client = RemotingClient.open()) {
            Command answer = client.ask(
                            nameserver,
                            Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC).with(FieldNames.TOPIC, "TBW102"),
                            PATIENCE)
                    .join();
            Map<Long, String> addresses = TopicRoute.fromJson(Json.read(answer.body()))
                    .brokers()
                    .getFirst()
                    .addresses();
            assertThat(addresses).containsOnlyKeys(0L, 1L);
        }
    }

    private BrokerNode broker(long number, int haPort) throws Exception {
        BrokerConfig named = BrokerConfig.named("C", "broker-a", "127.0.0.1", List.of(nameserver))
                .withStore(StoreConfig.DEFAULT.withSegmentBytes(1 << 20))
                .withNumber(number, haPort);
        FileDisk disk = new FileDisk(folder.resolve("broker-" + number));
        BrokerNode node =
                BrokerNode.open(named, disk, network, clock, new SystemEntropy(), offload, SILENT, (name, cause) -> {});
        open.add(() -> {
            node.close();
            disk.close();
        });
        try {
            node.start(new Endpoint("127.0.0.1", 0));
        } catch (Network.ListenFailed e) {
            throw new AssertionError(e);
        }
        ticker.every(Duration.ofMillis(100), "broker " + number, node::tick);
        return node;
    }
}
