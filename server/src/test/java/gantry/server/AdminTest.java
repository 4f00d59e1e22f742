package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.NameserverSettings;
import gantry.server.config.Place;
import gantry.server.config.Role;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The admin commands and `health` against a standalone server inside this process.
class AdminTest {
    private static final Duration HEALTH_PROMISE = Duration.ofSeconds(5);

    @TempDir
    static Path folder;

    private static Server server;

    private record Answer(int code, String out, String err) {}

    @BeforeAll
    static void start() throws Exception {
        Values broker = Values.of(
                Role.BROKER,
                ConfigFile.NONE,
                List.of(
                        new Flag("data", Keys.DATA_DIR, folder.toString()),
                        new Flag("port", Keys.LISTEN_PORT, "0"),
                        new Flag("name", Keys.BROKER_NAME, "broker-a")));
        Values nameserver = Values.of(
                Role.NAMESERVER,
                ConfigFile.NONE,
                List.of(
                        new Flag("data", Keys.NAMESERVER_DATA_DIR, folder.toString()),
                        new Flag("port", Keys.NAMESERVER_PORT, "0")));
        server = Server.standalone(Place.ofNameserver(nameserver), NameserverSettings.of(nameserver), broker);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void firstTwoCommandsSendAMessageAndShowIt() {
        Answer sent = gantry("admin", "send", "-t", "hello", "-p", "the first message", "-c", "TagA", "-k", "k1");
        assertThat(sent.err()).isEmpty();
        assertThat(sent.code()).isZero();
        assertThat(sent.out()).contains("broker-a");
        Answer consumed = gantry("admin", "consume", "-t", "hello");
        assertThat(consumed.code()).isZero();
        assertThat(consumed.out())
                .contains("the first message")
                .contains("TagA")
                .contains("k1");
    }

    @Test
    void oneQueueIsSentToAndReadFromAnOffset() {
        gantry("admin", "updateTopic", "-t", "one", "-r", "4", "-w", "4");
        for (String body : List.of("a", "b", "c")) {
            assertThat(gantry("admin", "sendMessage", "-t", "one", "-p", body, "-b", "broker-a", "-i", "2")
                            .code())
                    .isZero();
        }
        Answer rest = gantry("admin", "consumeMessage", "-t", "one", "-i", "2", "-o", "1", "--output", "json");
        assertThat(rest.out())
                .doesNotContain("\"body\":\"a\"")
                .contains("\"body\":\"b\"")
                .contains("\"body\":\"c\"")
                .contains("\"queueOffset\":\"2\"");
        assertThat(gantry("admin", "consume", "-t", "one", "-i", "0").out()).contains("no messages");
        assertThat(gantry("admin", "consume", "-t", "one", "-e", "1000").out()).contains("no messages");
        assertThat(gantry("admin", "consume", "-t", "one", "-s", "1000").out()).contains("2  ");
    }

    @Test
    void groupGoesOnWhereItStood() {
        gantry("admin", "send", "-t", "grouped", "-p", "first");
        assertThat(gantry("admin", "consume", "-t", "grouped", "-g", "g").out()).contains("first");
        assertThat(gantry("admin", "consume", "-t", "grouped", "-g", "g").out()).contains("no messages");
        gantry("admin", "send", "-t", "grouped", "-p", "second");
        assertThat(gantry("admin", "consume", "-t", "grouped", "-g", "g").out())
                .contains("second")
                .doesNotContain("first");
    }

    @Test
    void messagesAreFoundByKeyByUniqueKeyByIdAndByOffset() {
        gantry("admin", "updateTopic", "-t", "asked", "-r", "1", "-w", "1");
        gantry("admin", "send", "-t", "asked", "-p", "first", "-k", "order-7 user-1");
        gantry("admin", "send", "-t", "asked", "-p", "second", "-k", "order-8 user-1");
        String byKey = gantry("admin", "queryMsgByKey", "-t", "asked", "-k", "order-7", "-o", "json")
                .out();
        assertThat(byKey).contains("\"body\":\"first\"").doesNotContain("second");
        assertThat(gantry("admin", "queryMsgByKey", "-t", "asked", "-k", "user-1")
                        .out())
                .containsSubsequence("second", "first");
        assertThat(gantry("admin", "queryMsgByKey", "-t", "asked", "-k", "user-1", "-e", "1000")
                        .out())
                .contains("no messages");
        String offsetId = cell(byKey, "offsetID");
        String uniqueKey = cell(byKey, "msgId");
        for (List<String> question : List.of(
                List.of("queryMsgById", "-i", offsetId),
                List.of("queryMsgById", "-i", offsetId, "-t", "asked"),
                List.of("queryMsgByUniqueKey", "-t", "asked", "-i", uniqueKey),
                List.of("queryMsgByOffset", "-t", "asked", "-b", "broker-a", "-i", "0", "-o", "0"))) {
            List<String> words = new ArrayList<>(List.of("admin"));
            words.addAll(question);
            Answer answer = gantry(words.toArray(String[]::new));
            assertThat(answer.err()).as("%s", question).isEmpty();
            assertThat(answer.out())
                    .as("%s", question)
                    .contains("first", offsetId)
                    .doesNotContain("second");
        }
        Answer none = gantry("admin", "queryMsgByOffset", "-t", "asked", "-b", "broker-a", "-i", "0", "-o", "9");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("no message at offset 9: it holds 0 to (exclusive) 2");
        assertThat(gantry("admin", "queryMsgById", "-i", "17").err()).contains("\"17\" is no offset id");
    }

    private static String cell(String json, String heading) {
        String start = "\"" + heading + "\":\"";
        int from = json.indexOf(start) + start.length();
        return json.substring(from, json.indexOf('"', from));
    }

    @Test
    void deletedTopicIsNowhere() {
        gantry("admin", "updateTopic", "-t", "doomed", "-r", "1", "-w", "1");
        gantry("admin", "send", "-t", "doomed", "-p", "old");
        assertThat(gantry("admin", "consume", "-t", "doomed", "-g", "g").out()).contains("old");

        Answer deleted = gantry("admin", "deleteTopic", "-t", "doomed");

        assertThat(deleted.err()).isEmpty();
        assertThat(deleted.out()).contains("broker 127", "nameserver 127", "deleted");
        assertThat(gantry("admin", "topicList").out()).doesNotContain("doomed");
        assertThat(gantry("admin", "topicRoute", "-t", "doomed").code()).isEqualTo(1);
        gantry("admin", "send", "-t", "doomed", "-p", "new");
        assertThat(gantry("admin", "consume", "-t", "doomed", "-g", "g").out())
                .contains("new")
                .doesNotContain("old");
    }

    /// R061
    @Test
    void groupForgetsOneTopicOrAll() {
        for (String topic : List.of("forgotten", "remembered")) {
            gantry("admin", "send", "-t", topic, "-p", "first");
            gantry("admin", "consume", "-t", topic, "-g", "forgetful");
        }
        Answer one = gantry("admin", "deleteSubGroup", "-g", "forgetful", "-t", "forgotten");
        assertThat(one.err()).isEmpty();
        assertThat(gantry("admin", "consume", "-t", "forgotten", "-g", "forgetful")
                        .out())
                .contains("first");
        assertThat(gantry("admin", "consume", "-t", "remembered", "-g", "forgetful")
                        .out())
                .contains("no messages");
        Answer all = gantry("admin", "deleteSubGroup", "-g", "forgetful");
        assertThat(all.err()).isEmpty();
        assertThat(all.out()).contains("%RETRY%forgetful", "%DLQ%forgetful");
        assertThat(gantry("admin", "consume", "-t", "remembered", "-g", "forgetful")
                        .out())
                .contains("first");
    }

    @Test
    void listsShowWhatIsThere() {
        gantry("admin", "updateTopic", "-t", "listed", "-r", "3", "-w", "2");
        assertThat(gantry("admin", "topicList").out()).contains("listed");
        assertThat(gantry("admin", "topicRoute", "-t", "listed", "-o", "json").out())
                .contains("\"readQueues\":\"3\"")
                .contains("\"writeQueues\":\"2\"");
        assertThat(gantry("admin", "clusterList").out())
                .contains("DefaultCluster")
                .contains("broker-a")
                .contains(broker().toString());
    }

    @Test
    void messagesThatAreSentAndReadAreCounted() throws IOException {
        long in = metric("gantry_messages_in_total");
        long bytesIn = metric("gantry_messages_in_bytes_total");
        long out = metric("gantry_messages_out_total");
        gantry("admin", "send", "-t", "counted", "-p", "x".repeat(1000), "--count", "3");
        assertThat(metric("gantry_messages_in_total") - in).isEqualTo(3);
        assertThat(metric("gantry_messages_in_bytes_total") - bytesIn).isBetween(3_000L, 6_000L);
        gantry("admin", "consume", "-t", "counted");
        assertThat(metric("gantry_messages_out_total") - out).isEqualTo(3);
    }

    private static long metric(String name) throws IOException {
        Endpoint admin = Objects.requireNonNull(server.addresses().get("admin"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), admin.port())) {
            socket.getOutputStream().write("GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void haStatusOfAMasterThatNobodyCopiesSaysSo() {
        Answer all = gantry("admin", "haStatus");
        assertThat(all.code()).isZero();
        assertThat(all.out()).containsPattern(broker() + " +master +\\d+ +no slave is connected");
        assertThat(gantry("admin", "haStatus", "-b", broker().toString(), "-o", "json")
                        .out())
                .contains("\"role\":\"master\"");
    }

    @Test
    void settingIsShownAndChangedWhileTheBrokerRuns() {
        assertThat(gantry("admin", "getBrokerConfig", "-c", "DefaultCluster").out())
                .containsPattern(broker() + " +brokerName +broker-a")
                .containsPattern(broker() + " +adminAddress +127.0.0.1");
        Answer changed =
                gantry("admin", "updateBrokerConfig", "-b", broker().toString(), "-k", "fileReservedTime", "-v", "49");
        assertThat(changed.err()).isEmpty();
        assertThat(changed.out()).containsPattern(broker() + " +fileReservedTime +49 +in force");
        assertThat(gantry("admin", "getBrokerConfig", "-b", broker().toString(), "-k", "fileReservedTime")
                        .out())
                .containsPattern("fileReservedTime +49")
                .doesNotContain("brokerName");
    }

    @Test
    void settingThatCannotBeChangedIsRefusedWithTheReason() {
        Answer port = gantry("admin", "updateBrokerConfig", "-c", "DefaultCluster", "-k", "listenPort", "-v", "1");
        assertThat(port.code()).isEqualTo(1);
        assertThat(port.err()).contains(broker().toString(), "listenPort needs a restart");
        assertThat(gantry("admin", "updateBrokerConfig", "-b", broker().toString(), "-k", "fileReservedTme", "-v", "1")
                        .err())
                .contains("did you mean fileReservedTime?");
        assertThat(gantry("admin", "updateBrokerConfig", "-k", "fileReservedTime", "-v", "1")
                        .err())
                .contains("-b HOST:PORT, or -c CLUSTER");
    }

    @Test
    void brokerThatDoesNotAnswerIsNamedWithTheNextStep() throws IOException {
        String dead = "127.0.0.1:" + portOfNobody();
        Answer answer = gantry("admin", "haStatus", "-b", dead);
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).contains(dead, "is that broker started").hasLineCount(1);
        assertThat(gantry("admin", "haStatus", "-b", "nonsense").err()).contains("-b nonsense is no broker's address");
    }

    @Test
    void unknownTopicIsOneSentence() {
        Answer answer = gantry("admin", "topicRoute", "-t", "nowhere");
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).contains("\"nowhere\" does not exist").hasLineCount(1);
    }

    @Test
    void misspeltCommandNamesTheNearestOne() {
        assertThat(gantry("admin", "topicLits").err()).contains("did you mean topicList?");
    }

    @Test
    void healthIsGoodWhenEveryPartAnswers() {
        Answer answer = gantry("health");
        assertThat(answer.code()).isZero();
        assertThat(answer.out())
                .containsPattern("nameserver +" + nameserver() + " +well")
                .containsPattern("broker broker-a/0 +" + broker() + " +well");
    }

    @Test
    void healthThatIsGivenABrokerSaysSo() {
        Answer answer = run("health", "-n", broker().toString());
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.out())
                .containsPattern(
                        "nameserver +" + broker() + " +NOT WELL +it answers, but is no nameserver; a broker, maybe");
    }

    @Test
    void consumeSaysThatItsOutputOptionMeansTwoThings() {
        assertThat(run("admin", "consumeMessage", "--help").out())
                .containsPattern("a\\s+number\\s+is\\s+the\\s+queue\\s+offset");
    }

    @Test
    void healthNamesTheDeadOnesAndTheHungOnesInTime() throws IOException {
        // It takes connections, as a hung process does, and never answers.
        try (ServerSocket hung = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            int dead = portOfNobody();
            String list = nameserver() + ";127.0.0.1:" + hung.getLocalPort() + ";127.0.0.1:" + dead;
            long before = System.nanoTime();
            Answer answer = run("health", "-n", list);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(HEALTH_PROMISE);
            assertThat(answer.code()).isEqualTo(1);
            assertThat(answer.out())
                    .containsPattern("nameserver +" + nameserver() + " +well")
                    .containsPattern("127.0.0.1:" + hung.getLocalPort() + " +NOT WELL +no answer within 2000 ms")
                    .containsPattern("127.0.0.1:" + dead + " +NOT WELL ");
        }
    }

    private static int portOfNobody() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static Endpoint nameserver() {
        return Objects.requireNonNull(server.addresses().get("nameserver"));
    }

    private static Endpoint broker() {
        return Objects.requireNonNull(server.addresses().get("broker"));
    }

    private static Answer gantry(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("-n", nameserver().toString()));
        return run(all.toArray(String[]::new));
    }

    private static Answer run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        return new Answer(code, out.toString(), err.toString());
    }
}
