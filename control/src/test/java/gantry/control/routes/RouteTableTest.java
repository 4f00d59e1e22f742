package gantry.control.routes;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.QueueMapping;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Who gets into the table, with which topics.
final class RouteTableTest {
    private static final Registered ACCEPTED = new Registered.Accepted(null, null);

    private final RouteTable table = new RouteTable(RouteRules.DEFAULT, 0);

    @Test
    void aMasterBringsItsAddressAndItsTopics() {
        assertThat(register(Broker.master("b-a"))).isEqualTo(ACCEPTED);

        assertThat(table.image().clusters()).hasToString("{C=[b-a]}");
        assertThat(addresses("b-a")).isEqualTo("{0=b-a:10911}");
        assertThat(layout("T", "b-a")).isEqualTo(new QueueLayout("b-a", 4, 4, 6, 0));
        assertThat(table.image().topics().keySet()).containsExactly("T", "b-a");
    }

    @Test
    void brokersOfOneTopicStandInTheOrderOfTheirNames() {
        register(Broker.master("b-c"));
        register(Broker.master("b-a"));
        register(Broker.master("b-b"));

        assertThat(topic("T").layouts()).extracting(QueueLayout::brokerName).containsExactly("b-a", "b-b", "b-c");
    }

    @Test
    void aFollowerBringsItsAddressOnlyAndLearnsItsMaster() {
        Broker follower = Broker.of("b-a", 1, "follower:10911").with(TopicConfig.of("U", 1, 6));
        assertThat(register(follower)).isEqualTo(ACCEPTED);
        register(Broker.master("b-a"));

        assertThat(register(follower)).isEqualTo(new Registered.Accepted("b-a:10911", "b-a:10911-ha"));
        assertThat(addresses("b-a")).isEqualTo("{0=b-a:10911, 1=follower:10911}");
        assertThat(table.image().topic("U")).isNull();
    }

    @Test
    void aFollowerThatBecameMasterKeepsOneAddress() {
        register(Broker.master("b-a"));
        Broker follower = Broker.of("b-a", 1, "follower:10911");
        register(follower);
        table.unregister(Broker.master("b-a").key(), 1, 0);

        register(follower.as(0));

        assertThat(addresses("b-a")).isEqualTo("{0=follower:10911}");
    }

    @Test
    void anAddressThatRegistersWithAnotherNameLeavesTheOldOne() {
        register(Broker.master("b-a"));

        register(Broker.master("b-b").at("b-a:10911"));

        assertThat(table.image().brokers().keySet()).containsExactly("b-b");
        assertThat(topic("T").layouts()).extracting(QueueLayout::brokerName).containsExactly("b-b");
    }

    @Test
    void anAddressThatRegistersInAnotherClusterLeavesTheOldOne() {
        register(Broker.master("b-a"));

        register(Broker.master("b-a").in("D"));

        assertThat(table.image().clusters()).hasToString("{D=[b-a]}");
        assertThat(table.version(Broker.master("b-a").key())).isNull();
    }

    @Test
    void aBrokerNameOfOneClusterIsRefusedToAnother() {
        register(Broker.master("b-a"));

        assertThat(register(Broker.master("b-a").in("D").at("other:10911")))
                .isEqualTo(
                        new Registered.Refused("the broker name b-a is taken in the cluster C by b-a:0 (b-a:10911)"));
        assertThat(addresses("b-a")).isEqualTo("{0=b-a:10911}");
    }

    @Test
    void anotherProcessTakesAnIdOver() {
        register(Broker.master("b-a"));

        assertThat(register(Broker.master("b-a").at("new:10911"), 2, 0)).isEqualTo(ACCEPTED);

        assertThat(addresses("b-a")).isEqualTo("{0=new:10911}");
        table.closed(1, 0);
        assertThat(addresses("b-a"))
                .as("the old process's link means nothing any more")
                .isEqualTo("{0=new:10911}");
    }

    @Test
    void anOlderStateDoesNotTakeAnIdOver() {
        register(Broker.master("b-a").version(new DataVersion(2, 5, 5)));

        assertThat(register(Broker.master("b-a").at("old:10911").version(new DataVersion(1, 9, 9)), 2, 0))
                .isEqualTo(new Registered.Outdated("b-a:10911"));
        assertThat(addresses("b-a")).isEqualTo("{0=b-a:10911}");
        assertThat(register(Broker.master("b-a").at("new:10911").version(new DataVersion(2, 1, 1)), 3, 0))
                .isEqualTo(ACCEPTED);
        assertThat(addresses("b-a")).isEqualTo("{0=new:10911}");
    }

    /// R030.
    @Test
    void oneTopicOfAnUnknownBrokerIsRefused() {
        Broker part = Broker.master("b-a").only(TopicConfig.of("T", 4, 6));

        assertThat(register(part))
                .isEqualTo(new Registered.Refused("broker b-a:0 (b-a:10911) is not known here and registers one"
                        + " topic only: register the whole table"));
        assertThat(table.image().brokers()).isEmpty();
        register(Broker.master("b-a"));
        assertThat(register(part.version(Broker.V2).only(TopicConfig.of("U", 2, 6))))
                .isEqualTo(ACCEPTED);
        assertThat(table.image().topics().keySet()).containsExactly("T", "U", "b-a");
    }

    @Test
    void aPartOfATableIsAskedToBecomeTheWhole() {
        Broker part = Broker.master("b-a").only(TopicConfig.of("T", 4, 6), TopicConfig.of("U", 4, 6));
        register(part);

        assertThat(table.isStale(part.key(), Broker.V1)).isTrue();
        register(Broker.master("b-a"));
        assertThat(table.isStale(part.key(), Broker.V1)).isFalse();
        assertThat(table.isStale(part.key(), Broker.V2)).isTrue();
    }

    @Test
    void aNewVersionReplacesLayoutsAndAnEqualOneDoesNot() {
        Broker broker = Broker.master("b-a");
        register(broker);
        table.permit("b-a", permission -> permission & ~Permission.WRITE);

        register(broker);
        assertThat(layout("T", "b-a").permission()).isEqualTo(Permission.READ);
        register(broker.version(Broker.V2).with(TopicConfig.of("T", 8, 6)));
        assertThat(layout("T", "b-a")).isEqualTo(new QueueLayout("b-a", 8, 8, 6, 0));
    }

    @Test
    void aTopicThatIsMissingComesBackWithAnEqualVersion() {
        Broker broker = Broker.master("b-a");
        BrokerRegistration same = broker.registration();
        table.register(same, 1, 0);
        table.deleteTopic("T", null);
        assertThat(table.image().topic("T")).isNull();

        table.register(same, 1, 0);

        assertThat(layout("T", "b-a").readQueues()).isEqualTo(4);
    }

    @Test
    void whatARegistrationDoesNotListStaysUnlessItReplaces() {
        Broker less = Broker.master("b-a").version(Broker.V2).only(TopicConfig.of("b-a", 1, 7));
        register(Broker.master("b-a"));
        register(less);
        assertThat(table.image().topic("T")).isNotNull();

        RouteTable replacing = new RouteTable(new RouteRules(Duration.ofMinutes(2), true, false, 10, 10), 0);
        replacing.register(Broker.master("b-a").registration(), 1, 0);
        replacing.register(Broker.master("b-b").registration(), 2, 0);
        replacing.register(less.registration(), 1, 0);
        assertThat(topic(replacing, "T").layouts())
                .extracting(QueueLayout::brokerName)
                .containsExactly("b-b");
    }

    @Test
    void topicsThatChangedTakeNothingAwayEvenWhereRegistrationsReplace() {
        RouteTable replacing = new RouteTable(new RouteRules(Duration.ofMinutes(2), true, false, 10, 10), 0);
        replacing.register(Broker.master("b-a").registration(), 1, 0);
        Broker part = Broker.master("b-a").version(Broker.V2).only(TopicConfig.of("U", 1, 6));
        replacing.register(part.registration(), 1, 0);

        assertThat(topic(replacing, "U").layouts()).hasSize(1);
        assertThat(topic(replacing, "T").layouts()).hasSize(1);
    }

    @Test
    void theSmallestFollowerTakesTheTopicsOverWithoutTheRightToWrite() {
        register(Broker.of("b-a", 2, "second:10911").acting().with(TopicConfig.of("U", 1, 6)), 2, 0);

        assertThat(layout("U", "b-a").permission()).isEqualTo(Permission.READ);
        assertThat(register(Broker.of("b-a", 3, "third:10911").acting().with(TopicConfig.of("V", 1, 6)), 3, 0))
                .isEqualTo(ACCEPTED);
        assertThat(table.image().topic("V"))
                .as("a topic of a follower that is not the smallest")
                .isNull();
        register(Broker.master("b-a").version(Broker.V2));
        assertThat(layout("T", "b-a").permission()).isEqualTo(Permission.READ_WRITE);
    }

    @Test
    void withoutAMasterThatActsTopicsLoseTheRightToWrite() {
        register(Broker.master("b-a").acting(), 1, 0);
        register(Broker.of("b-a", 1, "follower:10911").acting(), 2, 0);

        table.closed(1, 0);

        assertThat(addresses("b-a")).isEqualTo("{1=follower:10911}");
        assertThat(layout("T", "b-a").permission()).isEqualTo(Permission.READ);
    }

    @Test
    void withoutAMasterOf4TopicsStayAsTheyAre() {
        register(Broker.master("b-a"), 1, 0);
        register(Broker.of("b-a", 1, "follower:10911"), 2, 0);

        table.closed(1, 0);

        assertThat(layout("T", "b-a").permission()).isEqualTo(Permission.READ_WRITE);
    }

    @Test
    void theNewestMappingOfAStaticTopicIsKept() {
        register(Broker.master("b-a").mapping(mapping(3)));
        assertThat(topic("T").mappings()).containsExactly(mapping(3));

        register(Broker.master("b-a").version(Broker.V2).mapping(mapping(2)));
        assertThat(topic("T").mappings()).containsExactly(mapping(3));
        register(Broker.master("b-a").version(new DataVersion(0, 3, 3)).mapping(mapping(4)));
        assertThat(topic("T").mappings()).containsExactly(mapping(4));
    }

    private static QueueMapping mapping(long epoch) {
        return new QueueMapping("T", "__global__", 4, "b-a", epoch, false, new TreeMap<>(Map.of(0, 0)));
    }

    @Test
    void filterServersBelongToTheirProcess() {
        register(Broker.master("b-a").filtering("filter:1"));
        assertThat(table.image().filterServers("C", "b-a:10911")).containsExactly("filter:1");

        register(Broker.master("b-a"));
        assertThat(table.image().filterServers("C", "b-a:10911")).isEmpty();
    }

    @Test
    void theSameRegistrationAgainChangesNothingAndIsKnownByItsFingerprint() {
        Broker broker = Broker.master("b-a");
        Registration body = broker.registration().body();
        table.register(broker.registration(body, 77), 1, 0);
        RouteImage image = table.image();

        assertThat(image.known(broker.key(), 77)).isSameAs(body);
        assertThat(image.known(broker.key(), 78)).isNull();
        table.register(broker.registration(body, 77), 1, 5);
        assertThat(table.image()).isSameAs(image);
    }

    @Test
    void aFollowersRegistrationIsKnownToo() {
        register(Broker.master("b-a"));
        Broker follower = Broker.of("b-a", 1, "follower:1");
        Registration body = follower.registration().body();
        table.register(follower.registration(body, 77), 2, 0);

        assertThat(table.image().known(follower.key(), 77)).isSameAs(body);
    }

    @Test
    void processesAreBounded() {
        RouteTable small = new RouteTable(new RouteRules(Duration.ofMinutes(2), false, false, 1, 100), 0);
        small.register(Broker.master("b-a").registration(), 1, 0);

        assertThat(small.register(Broker.master("b-b").registration(), 2, 0))
                .isEqualTo(new Registered.Refused("this nameserver takes 1 brokers, and they are all there"));
        assertThat(small.register(Broker.master("b-a").registration(), 2, 0)).isEqualTo(ACCEPTED);
    }

    @Test
    void topicsAreBoundedAndARefusedRegistrationChangesNothing() {
        RouteTable small = new RouteTable(new RouteRules(Duration.ofMinutes(2), false, false, 10, 3), 0);
        small.register(Broker.master("b-a").registration(), 1, 0);
        Broker more = Broker.master("b-a").version(Broker.V2).with(TopicConfig.of("U", 1, 6));
        assertThat(small.register(more.registration(), 1, 0))
                .as("a third topic")
                .isEqualTo(ACCEPTED);
        RouteImage image = small.image();

        assertThat(small.register(more.with(TopicConfig.of("V", 1, 6)).registration(), 1, 0))
                .isEqualTo(new Registered.Refused("this nameserver takes 3 topics, and there is no room for these"));
        assertThat(small.image()).isSameAs(image);
        assertThat(small.addTopic("V", List.of(new QueueLayout("b-a", 1, 1, 6, 0))))
                .isEqualTo(1);
    }

    @Test
    void aTopicMayBeAddedToKnownBrokersOnly() {
        register(Broker.master("b-a"));

        int leftOut =
                table.addTopic("U", List.of(new QueueLayout("b-a", 1, 1, 6, 0), new QueueLayout("b-x", 1, 1, 6, 0)));

        assertThat(leftOut).isEqualTo(1);
        assertThat(topic("U").layouts()).containsExactly(new QueueLayout("b-a", 1, 1, 6, 0));
    }

    @Test
    void aTopicIsDeletedEverywhereOrInOneCluster() {
        register(Broker.master("b-a"));
        register(Broker.master("b-b").in("D"));

        table.deleteTopic("T", "D");
        assertThat(topic("T").layouts()).extracting(QueueLayout::brokerName).containsExactly("b-a");
        table.deleteTopic("T", null);
        assertThat(table.image().topic("T")).isNull();
    }

    @Test
    void theRightToWriteIsTakenAndGivenForAllTopicsOfABroker() {
        register(Broker.master("b-a"));
        register(Broker.master("b-b"));

        assertThat(table.permit("b-a", permission -> permission & ~Permission.WRITE))
                .isEqualTo(2);
        assertThat(layout("T", "b-a").permission()).isEqualTo(Permission.READ);
        assertThat(layout("b-a", "b-a").permission()).isEqualTo(Permission.READ | Permission.INHERIT);
        assertThat(layout("T", "b-b").permission()).isEqualTo(Permission.READ_WRITE);
        assertThat(table.permit("b-a", permission -> Permission.READ_WRITE)).isEqualTo(2);
        assertThat(table.permit("b-x", permission -> 0)).isZero();
    }

    @Test
    void anImageNeverChanges() {
        register(Broker.master("b-a"));
        RouteImage image = table.image();
        String before = image.topics() + " " + image.brokers();

        register(Broker.master("b-b"));
        register(Broker.master("b-a").version(Broker.V2).with(TopicConfig.of("T", 9, 6)));
        table.deleteTopic("T", null);
        table.closed(1, 0);

        assertThat(image.topics() + " " + image.brokers()).isEqualTo(before);
    }

    @Test
    void brokerThatSaysWhichTopicsItHasNoMoreIsBelieved() {
        register(Broker.master("b-a"));
        register(Broker.master("b-b"));
        Broker changed = Broker.master("b-a").version(Broker.V2).only();

        table.register(changed.registration(new BrokerRegistration.Gone(false, List.of("T", "unheard of"))), 1, 0);

        assertThat(topic("T").layouts()).extracting(QueueLayout::brokerName).containsExactly("b-b");
        assertThat(table.image().topic("b-a")).as("what it did not name").isNotNull();
    }

    /// R038: the pattern topic of a broker that creates no topics any more, for one.
    @Test
    void brokerThatSaysThatItListsAllItHasIsBelieved() {
        register(Broker.master("b-a"));
        Broker less = Broker.master("b-a").version(Broker.V2).only(TopicConfig.of("b-a", 1, 7));

        table.register(less.registration(new BrokerRegistration.Gone(true, List.of())), 1, 0);

        assertThat(table.image().topic("T")).isNull();
        assertThat(table.image().topic("b-a")).isNotNull();
    }

    @Test
    void aTableWithoutTopicsIsTaken() {
        Broker empty = Broker.master("b-a").only();

        assertThat(table.register(empty.registration(new Registration(TopicTable.EMPTY, List.of()), 0), 1, 0))
                .isEqualTo(ACCEPTED);
        assertThat(addresses("b-a")).isEqualTo("{0=b-a:10911}");
    }

    private Registered register(Broker broker) {
        return register(broker, 1, 0);
    }

    private Registered register(Broker broker, long session, long nowNanos) {
        return table.register(broker.registration(), session, nowNanos);
    }

    private String addresses(String brokerName) {
        BrokerAddresses broker = table.image().broker(brokerName);
        return broker == null ? "none" : broker.addresses().toString();
    }

    private TopicEntry topic(String topic) {
        return topic(table, topic);
    }

    private static TopicEntry topic(RouteTable table, String topic) {
        TopicEntry entry = table.image().topic(topic);
        assertThat(entry).as(topic).isNotNull();
        return entry == null ? TopicEntry.empty(topic) : entry;
    }

    private QueueLayout layout(String topic, String brokerName) {
        QueueLayout layout = topic(topic).layout(brokerName);
        assertThat(layout).as(topic + " on " + brokerName).isNotNull();
        return layout == null ? new QueueLayout("", 0, 0, 0, 0) : layout;
    }
}
