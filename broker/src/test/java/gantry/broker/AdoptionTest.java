package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.OpenFailed;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of `config/`: taken over from RocketMQ, exported for it, and never taken for empty when they are damaged.
/// Rows R056 and R058 of the field reports.
class AdoptionTest {
    private static final StoreConfig STORE =
            StoreConfig.DEFAULT.withSegmentBytes(1 << 20).withQueueFileBytes(20 * 1000);

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();

    private BrokerKit open() throws Exception {
        return new BrokerKit(new FileDisk(folder), clock, STORE);
    }

    private Path file(String name) {
        return folder.resolve("config").resolve(name);
    }

    private JsonObject read(String name) throws Exception {
        return Json.read(Files.readAllBytes(file(name))).asObject(name);
    }

    private void write(String name, String content) throws IOException {
        Files.createDirectories(folder.resolve("config"));
        Files.writeString(file(name), content);
    }

    /// A topic with a message, a group that has read it, and two generations of each file.
    private void fill() throws Exception {
        BrokerKit kit = open();
        BrokerKit.Client client = kit.connect();
        createTopic(client, "orders");
        assertThat(client.ask(send("orders")).code()).isZero();
        assertThat(client.ask(send("orders")).code()).isZero();
        client.ask(commit("G", 1));
        kit.pass(Duration.ofSeconds(6));
        createTopic(client, "late");
        client.ask(commit("G", 2));
        kit.pass(Duration.ofSeconds(6));
        kit.stop();
    }

    private void assertWhole(BrokerKit kit) {
        BrokerKit.Client client = kit.connect();
        assertThat(offset(client, "G")).isEqualTo("2");
        assertThat(client.ask(send("late")).field(FieldNames.QUEUE_OFFSET)).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"topics.json", "subscriptionGroup.json", "consumerOffset.json", "delayOffset.json"})
    void damagedFileIsKeptAsideAndTheGenerationBeforeItIsBroughtUpToDate(String name) throws Exception {
        fill();
        byte[] content = Files.readAllBytes(file(name));
        // Valid JSON still: only the checksum tells.
        int digit = new String(content, StandardCharsets.US_ASCII).lastIndexOf("\"timestamp\":18") + 13;
        content[digit] ^= 1;
        Files.write(file(name), content);
        BrokerKit kit = open();
        assertThat(kit.notices)
                .anyMatch(told -> told.startsWith("ALARM") && told.contains(name + " is damaged: its checksum"));
        assertWhole(kit);
        kit.stop();
        try (Stream<Path> files = Files.list(folder.resolve("config"))) {
            assertThat(files.filter(path -> path.getFileName().toString().startsWith(name + ".damaged-")))
                    .singleElement()
                    .satisfies(aside -> assertThat(Files.readAllBytes(aside)).isEqualTo(content));
        }
        BrokerKit again = open();
        assertThat(again.notices).noneMatch(told -> told.startsWith("ALARM"));
        assertWholeButOneMore(again);
        again.stop();
    }

    private void assertWholeButOneMore(BrokerKit kit) {
        BrokerKit.Client client = kit.connect();
        assertThat(offset(client, "G")).isEqualTo("2");
        assertThat(client.ask(send("late")).field(FieldNames.QUEUE_OFFSET)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"topicConfigTable\":{\"T\":{}},\"offsetTable\":7}"})
    void whereTheLogHasItAllTwoDamagedGenerationsAreMadeAgain(String content) throws Exception {
        fill();
        for (String name : List.of("topics.json", "consumerOffset.json")) {
            write(name, content);
            write(name + ".bak", content);
        }
        BrokerKit kit = open();
        assertThat(kit.notices).anyMatch(told -> told.startsWith("ALARM") && told.contains("made again from the log"));
        assertWhole(kit);
        kit.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"topics.json", "subscriptionGroup.json", "consumerOffset.json", "delayOffset.json"})
    void damagedFilesOfRocketMqAreRefusedUntouched(String name) throws Exception {
        write("topics.json", "{\"topicConfigTable\":{}}");
        write(name, "{\"dataVersion\":{\"counter\"");
        write(name + ".bak", "");
        assertRefused("/config/" + name + " is damaged", name + ".bak");
        assertThat(Files.readString(file(name))).isEqualTo("{\"dataVersion\":{\"counter\"");
        assertThat(folder.resolve("commitlog")).doesNotExist();
    }

    @Test
    void damagedFileOfRocketMqGivesWayToItsOwnGenerationBefore() throws Exception {
        write("topics.json", "{\"topicConfigTable\":{\"T\":{\"topicNa");
        write("topics.json.bak", "{\"topicConfigTable\":{\"T\":{\"topicName\":\"T\",\"readQueueNums\":3}}}");
        BrokerKit kit = open();
        assertThat(kit.notices).anyMatch(told -> told.startsWith("ALARM") && told.contains("topics.json is damaged"));
        kit.stop();
        assertThat(read("topics.json").object("topicConfigTable").object("T").whole("readQueueNums", 0))
                .isEqualTo(3);
    }

    /// R054, of one broker: offsets do not go back to older ones.
    @Test
    void offsetsThatRocketMqWroteCountMoreThanOlderFacts() throws Exception {
        fill();
        write(
                "consumerOffset.json",
                "{\"offsetTable\":{\"orders@G\":{0:1},\"orders@new\":{0:2},\"orders@far\":{0:99}}}");
        BrokerKit kit = open();
        BrokerKit.Client client = kit.connect();
        assertThat(offset(client, "G")).isEqualTo("1");
        assertThat(offset(client, "new")).isEqualTo("2");
        assertThat(offset(client, "far")).as("no further than the queue").isEqualTo("2");
        assertThat(client.ask(send("late")).code()).as("topics.json was ours").isZero();
        kit.stop();
    }

    @Test
    void whatWeDoNotKnowIsGivenBackUnharmed() throws Exception {
        String order = "{\"table\":{\"T@G\":{0:{\"popTime\":1}}}}";
        write("topics.json", "{\"topicConfigTable\":{\"T\":{\"topicName\":\"T\",\"colour\":\"red\",\"order\":true}}}");
        write(
                "subscriptionGroup.json",
                "{\"forbiddenTable\":{\"G\":{\"T\":1}},\"subscriptionGroupTable\":{\"G\":"
                        + "{\"groupName\":\"G\",\"consumeEnable\":false,\"mood\":{\"of\":[1,2.5,null]}}}}");
        write("consumerOffset.json", "{\"offsetTable\":{},\"pullOffsetTable\":{\"T@R\":{0:3}}}");
        write("delayOffset.json", "{\"offsetTable\":{3:0},\"weather\":\"fine\"}");
        write("consumerOrderInfo.json", order);
        BrokerKit kit = open();
        createTopic(kit.connect(), "more");
        kit.stop();
        open().stop();
        JsonObject topic = read("topics.json").object("topicConfigTable").object("T");
        assertThat(topic.text("colour")).isEqualTo("red");
        assertThat(topic.flag("order", false)).isTrue();
        assertThat(read("topics.json").object("topicConfigTable").find("more")).isNotNull();
        JsonObject groups = read("subscriptionGroup.json");
        JsonObject group = groups.object("subscriptionGroupTable").object("G");
        assertThat(group.flag("consumeEnable", true)).isFalse();
        assertThat(group.find("mood")).hasToString("{\"of\":[1,2.5,null]}");
        assertThat(groups.object("forbiddenTable")).hasToString("{\"G\":{\"T\":1}}");
        assertThat(read("consumerOffset.json").object("pullOffsetTable")).hasToString("{\"T@R\":{0:3}}");
        assertThat(read("delayOffset.json").text("weather")).isEqualTo("fine");
        assertThat(Files.readString(file("consumerOrderInfo.json"))).isEqualTo(order);
    }

    @Test
    void cleanStopLeavesTheLastWordInTheFiles() throws Exception {
        BrokerKit kit = open();
        BrokerKit.Client client = kit.connect();
        createTopic(client, "orders");
        client.ask(send("orders"));
        client.ask(commit("G", 1));
        kit.stop();
        assertThat(read("consumerOffset.json").object("offsetTable")).hasToString("{\"orders@G\":{0:1}}");
        assertThat(read("consumerOffset.json").object("groupTopicMap")).hasToString("{\"G\":[\"orders\"]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"cleanup.policy\":\"COMPACTION\"", "\"queue.type\":\"BatchCQ\""})
    void topicOfAKindThatIsNotServedHereIsNamed(String attribute) throws Exception {
        write(
                "topics.json",
                "{\"topicConfigTable\":{\"odd\":{\"topicName\":\"odd\",\"attributes\":{" + attribute + "}}}}");
        assertRefused("Topic odd", "mqadmin deleteTopic", "Nothing was changed");
        assertThat(folder.resolve("commitlog")).doesNotExist();
    }

    @Test
    void messagesWithoutTheirTopicsAreRefused() throws Exception {
        fill();
        // As if only the folders of messages had been copied from another broker.
        Files.delete(folder.resolve("checkpoint"));
        delete("topics.json");
        assertRefused("holds messages, but config/topics.json is missing");
    }

    @Test
    void takenOverStateThatIsLostIsNotMadeAgainFromTheLog() throws Exception {
        write("topics.json", "{\"topicConfigTable\":{\"theirs\":{\"topicName\":\"theirs\"}}}");
        BrokerKit kit = open();
        createTopic(kit.connect(), "ours");
        kit.stop();
        delete("topics.json");
        assertRefused("config/topics.json is missing", "taken over from RocketMQ");
    }

    private void delete(String name) throws IOException {
        Files.deleteIfExists(file(name));
        Files.deleteIfExists(file(name + ".bak"));
    }

    private void assertRefused(String... saying) {
        assertThatThrownBy(this::open)
                .isInstanceOf(OpenFailed.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(saying));
    }

    private static void createTopic(BrokerKit.Client client, String name) {
        Command create = Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                .with(FieldNames.TOPIC, name)
                .with(FieldNames.READ_QUEUE_NUMS, 1)
                .with(FieldNames.WRITE_QUEUE_NUMS, 1)
                .with(FieldNames.PERM, 6);
        assertThat(client.ask(create).code()).isZero();
    }

    /// Of a topic that is there already.
    private static Command send(String topic) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", "PG")
                .with("b", topic)
                .with("c", "none")
                .with("d", "4")
                .with("e", "0")
                .with("f", "0")
                .with("g", "1800000000000")
                .with("h", "0")
                .withBody("x".getBytes(StandardCharsets.UTF_8));
    }

    private static Command commit(String group, long offset) {
        return Command.request(RequestCodes.UPDATE_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, 0)
                .with(FieldNames.COMMIT_OFFSET, offset);
    }

    private static String offset(BrokerKit.Client client, String group) {
        Command answer = client.ask(Command.request(RequestCodes.QUERY_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, 0));
        assertThat(answer.code()).isEqualTo(ResponseCodes.SUCCESS);
        return answer.fieldOr(FieldNames.OFFSET, "none");
    }
}
