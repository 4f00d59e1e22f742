package gantry.client.route;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.client.route.RouteView.Member;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Shows whom a client believes when nameservers say different things.
final class FreshestTest {
    private static final long NOW = 100_000_000_000L;
    private static final int READ_WRITE = 6;
    private static final int READ = 4;

    /// Puts the word of one nameserver together.
    private static final class Word {
        private final List<QueueLayout> queues = new ArrayList<>();
        private final Map<String, TreeMap<Long, String>> addresses = new LinkedHashMap<>();
        private final Map<Member, Long> heard = new LinkedHashMap<>();
        private final int port;

        Word(int port) {
            this.port = port;
        }

        Word member(String name, long id, long heardMillis, int permission) {
            if (!addresses.containsKey(name)) {
                queues.add(new QueueLayout(name, 4, 4, permission, 0));
            }
            addresses.computeIfAbsent(name, n -> new TreeMap<>()).put(id, name + ":" + (10911 + id));
            if (heardMillis >= 0) {
                heard.put(new Member(name, id), heardMillis);
            }
            return this;
        }

        RouteView view(long listeningMillis, long agoMillis) {
            List<BrokerAddresses> brokers = new ArrayList<>();
            addresses.forEach((name, ids) -> brokers.add(new BrokerAddresses("C", name, ids, false, null)));
            return new RouteView(
                    new Endpoint("ns", port),
                    new TopicRoute(queues, brokers),
                    heard,
                    listeningMillis,
                    NOW - agoMillis * 1_000_000);
        }
    }

    private static List<String> names(TopicRoute route) {
        return route.brokers().stream().map(BrokerAddresses::brokerName).toList();
    }

    @Test
    void aBrokerThatAnybodyHasHeardLatelyIsThere() {
        RouteView cutOff = new Word(1).member("b", 0, 400, READ_WRITE).view(60_000, 0);
        RouteView well = new Word(2)
                .member("a", 0, 900, READ_WRITE)
                .member("b", 0, 300, READ_WRITE)
                .view(60_000, 0);
        assertThat(names(Freshest.of(List.of(cutOff, well)))).containsExactly("a", "b");
        assertThat(names(Freshest.of(List.of(well, cutOff)))).containsExactly("a", "b");
    }

    @Test
    void whatAHungNameserverSaidEarlierBringsNoBrokerBack() {
        RouteView hung = new Word(1)
                .member("a", 0, 500, READ_WRITE)
                .member("b", 0, 500, READ_WRITE)
                .view(60_000, 16_000);
        RouteView well = new Word(2).member("b", 0, 300, READ_WRITE).view(60_000, 0);
        assertThat(names(Freshest.of(List.of(hung, well)))).containsExactly("b");
    }

    @Test
    void aNameserverThatHasJustStartedTakesNoBrokerAway() {
        RouteView older = new Word(1).member("a", 0, 500, READ_WRITE).view(60_000, 8_000);
        RouteView started = new Word(2).member("b", 0, 100, READ_WRITE).view(700, 0);
        assertThat(names(Freshest.of(List.of(older, started)))).containsExactly("a", "b");
    }

    @Test
    void whoHeardTheMasterLastSaysWhetherItCanBeWrittenTo() {
        RouteView suspects = new Word(1).member("a", 0, 6_000, READ).view(60_000, 0);
        RouteView hears = new Word(2).member("a", 0, 200, READ_WRITE).view(60_000, 0);
        assertThat(Freshest.of(List.of(suspects, hears)).queues())
                .extracting(QueueLayout::permission)
                .containsExactly(READ_WRITE);
    }

    @Test
    void aMasterThatIsGoneLeavesItsFollowerBehind() {
        RouteView hung = new Word(1)
                .member("a", 0, 500, READ_WRITE)
                .member("a", 1, 500, READ_WRITE)
                .view(60_000, 16_000);
        RouteView well = new Word(2).member("a", 1, 300, READ).view(60_000, 0);
        TopicRoute route = Freshest.of(List.of(hung, well));
        assertThat(route.brokers().getFirst().addresses().keySet()).containsExactly(1L);
        assertThat(route.queues()).extracting(QueueLayout::permission).containsExactly(READ);
    }

    @Test
    void ofNameserversThatDoNotTellTheLaterOneCounts() {
        RouteView earlier = new Word(1).member("a", 0, -1, READ_WRITE).view(0, 1_000);
        RouteView later = new Word(2).member("b", 0, -1, READ_WRITE).view(0, 0);
        assertThat(names(Freshest.of(List.of(later, earlier)))).containsExactly("b");
    }
}
