package gantry.control.nameserver;

import static gantry.control.nameserver.NameserverKit.register;
import static gantry.control.nameserver.NameserverKit.route;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.fake.FakePeer;
import gantry.control.routes.RouteRules;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a route shows beside what was registered: acting masters, zones, orders, filter servers.
final class RouteAnswersTest {
    private static final TopicConfig T = TopicConfig.of("T", 4, 6);
    private static final String MEMBERS = "rmq_sys_SYNC_BROKER_MEMBER_b-a";

    private final NameserverKit kit = new NameserverKit(new NameserverConfig(
            RouteRules.DEFAULT, true, true, true, true, NameserverConfig.FIRST_WORDS, Duration.ZERO));
    private final FakePeer client = kit.peer();

    @Test
    void theSmallestIdActsForAMissingMaster() throws JsonFault {
        kit.peer()
                .ask(register("b-a", 1, T, TopicConfig.of(MEMBERS, 1, 1)).with(FieldNames.ENABLE_ACTING_MASTER, true));
        kit.peer().ask(register("b-a", 2, T).with(FieldNames.ENABLE_ACTING_MASTER, true));

        assertThat(addresses("T")).isEqualTo("{0=b-a-1:10911, 2=b-a-2:10911}");
        assertThat(addresses(MEMBERS)).isEqualTo("{1=b-a-1:10911, 2=b-a-2:10911}");
        kit.peer().ask(register("b-a", 0, T).with(FieldNames.ENABLE_ACTING_MASTER, true));
        assertThat(addresses("T")).isEqualTo("{0=b-a-0:10911, 1=b-a-1:10911, 2=b-a-2:10911}");
    }

    @Test
    void nobodyActsWithoutBeingAllowedTo() throws JsonFault {
        kit.peer().ask(register("b-a", 1, T).with(FieldNames.ENABLE_ACTING_MASTER, false));

        assertThat(addresses("T")).isEqualTo("{1=b-a-1:10911}");
    }

    @Test
    void aClientOfAZoneSeesItsZoneAndBrokersWithoutAMaster() throws JsonFault {
        kit.peer().ask(register("b-a", 0, T).with(FieldNames.ZONE_NAME, "east"));
        kit.peer().ask(register("b-b", 0, T).with(FieldNames.ZONE_NAME, "west"));
        FakePeer master = kit.peer();
        master.ask(register("b-c", 0, T));
        kit.peer().ask(register("b-c", 1, T));
        master.hangUp();

        assertThat(names(route("T"))).containsExactly("b-a", "b-b", "b-c");
        Command inZone = route("T").with(FieldNames.ZONE_MODE, true).with(FieldNames.ZONE_NAME, "EAST");
        assertThat(names(inZone)).containsExactly("b-a", "b-c");
        assertThat(names(inZone.with(FieldNames.ZONE_MODE, false))).hasSize(3);
    }

    @Test
    void anOrderedTopicCarriesItsOrder() throws JsonFault {
        kit.peer().ask(register("b-a", 0, T));
        Command put = Command.request(RequestCodes.PUT_KV_CONFIG)
                .with(FieldNames.NAMESPACE, "ORDER_TOPIC_CONFIG")
                .with(FieldNames.KEY, "T")
                .with(FieldNames.VALUE, "b-a:4");
        client.ask(put);

        assertThat(route(client.ask(route("T"))).orderConf()).isEqualTo("b-a:4");
        Command again = kit.peer().ask(register("b-a", 0, T));
        assertThat(new String(again.body(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("{\"table\":{\"T\":\"b-a:4\"}}");
    }

    @Test
    void filterServersStandByTheirAddress() throws JsonFault {
        Registration body = new Registration(NameserverKit.body("b-a", T).table(), List.of("filter:1", "filter:2"));
        kit.peer().ask(register("b-a", 0).withBody(body.toBytes()));

        assertThat(route(client.ask(route("T"))).filterServers()).hasToString("{b-a-0:10911=[filter:1, filter:2]}");
    }

    private String addresses(String topic) throws JsonFault {
        TopicRoute route = route(client.ask(route(topic)));
        return route.brokers().get(0).addresses().toString();
    }

    private List<String> names(Command request) throws JsonFault {
        TopicRoute route = route(client.ask(request));
        assertThat(route.queues()).hasSameSizeAs(route.brokers());
        return route.brokers().stream().map(BrokerAddresses::brokerName).toList();
    }
}
