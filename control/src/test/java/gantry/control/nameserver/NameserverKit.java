package gantry.control.nameserver;

import gantry.base.Offload;
import gantry.control.fake.FakePeer;
import gantry.control.fake.HandClock;
import gantry.control.fake.ToldNotices;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicRoute;
import gantry.wire.body.TopicTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A nameserver with a clock that the test moves, and the requests of its peers.
final class NameserverKit {
    final HandClock clock = new HandClock();
    final ToldNotices notices = new ToldNotices();
    final HandShelf shelf = new HandShelf();
    final NameserverNode node;
    private long links;

    /// One that has heard brokers for a while.
    NameserverKit(NameserverConfig config) {
        this(config, NameserverConfig.FIRST_WORDS);
    }

    NameserverKit(NameserverConfig config, Duration up) {
        Offload atOnce = Runnable::run;
        node = new NameserverNode(
                config,
                clock,
                atOnce,
                notices,
                (sequencer, cause) -> {
                    throw new AssertionError(sequencer + " is broken", cause);
                },
                shelf);
        run(up);
    }

    FakePeer peer() {
        return new FakePeer(node, ++links);
    }

    /// Time passes, a tick every half second.
    void run(Duration time) {
        Duration step = Duration.ofMillis(NameserverNode.TICK_MILLIS);
        for (Duration left = time; left.isPositive(); left = left.minus(step)) {
            clock.advance(step);
            node.tick();
        }
    }

    static Command broker(int code, String name, long id) {
        return Command.request(code)
                .with(FieldNames.BROKER_NAME, name)
                .with(FieldNames.BROKER_ADDR, name + "-" + id + ":10911")
                .with(FieldNames.CLUSTER_NAME, "C")
                .with(FieldNames.BROKER_ID, id)
                .with(FieldNames.HA_SERVER_ADDR, name + "-" + id + ":10912");
    }

    /// A registration with the broker's own topic and these.
    static Command register(String name, long id, TopicConfig... topics) {
        return broker(RequestCodes.REGISTER_BROKER, name, id)
                .withBody(body(name, topics).toBytes());
    }

    static Registration body(String name, TopicConfig... topics) {
        Map<String, TopicConfig> table = new LinkedHashMap<>();
        table.put(name, TopicConfig.of(name, 1, 7));
        for (TopicConfig topic : topics) {
            table.put(topic.topic(), topic);
        }
        return new Registration(new TopicTable(new DataVersion(0, 1_000, topics.length), table), List.of());
    }

    static Command route(String topic) {
        return Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC).with(FieldNames.TOPIC, topic);
    }

    static TopicRoute route(Command answer) throws JsonFault {
        return TopicRoute.fromJson(Json.read(answer.body()));
    }
}
