package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.client.call.RemotingClient;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.ReplicaKeys;
import gantry.server.config.Role;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests 25 and 26: the settings in force are shown, a few can change, and the others say that they cannot.
class SettingsRequestTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String SECRET = "not for anybody to see";

    @TempDir
    static Path folder;

    private static Server server;
    private static RemotingClient client;

    @BeforeAll
    static void start() throws Exception {
        server = Server.broker(Values.of(
                Role.BROKER,
                ConfigFile.NONE,
                List.of(
                        new Flag("data", Keys.DATA_DIR, folder.toString()),
                        new Flag("port", Keys.LISTEN_PORT, "0"),
                        new Flag("secret", ReplicaKeys.SECRET, SECRET),
                        new Flag("name", Keys.BROKER_NAME, "broker-a"))));
        client = RemotingClient.open();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void settingsInForceAreShownWithoutTheSecret() throws Exception {
        Command answer = ask(RequestCodes.GET_BROKER_CONFIG, "");
        assertThat(answer.field(FieldNames.VERSION)).startsWith("{");
        assertThat(shown())
                .containsEntry("brokerName", "broker-a")
                .containsEntry("brokerRole", "ASYNC_MASTER")
                .containsEntry("flushDiskType", "ASYNC_FLUSH")
                .containsEntry("brokerIP1", "127.0.0.1")
                .containsEntry("dataDir", folder.toString())
                .doesNotContainKey("replicaSecret");
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain(SECRET);
    }

    @Test
    void howLongMessagesAreKeptChangesWhileTheBrokerRuns() throws Exception {
        Command answer = ask(RequestCodes.UPDATE_BROKER_CONFIG, "fileReservedTime=48\ndeleteWhen=02;14\n");
        assertThat(answer.remark()).isNull();
        assertThat(answer.code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(shown()).containsEntry("fileReservedTime", "48").containsEntry("deleteWhen", "02;14");
    }

    @Test
    void whatCannotChangeIsNamedAndNothingElseIsChanged() throws Exception {
        refused("brokerPermission=4\ncleanFileForciblyEnable=false", "brokerPermission needs a restart");
        refused("cleanFileForciblyEnable=false\nfileReservedTime=0", "fileReservedTime=0 (by request) is not");
        refused("cleanFileForciblyEnable=false\nfileReservdTime=4", "did you mean fileReservedTime?");
        refused("sendMessageThreadPoolNums=4", "sendMessageThreadPoolNums has no effect here");
        refused("diskSpaceCleanForciblyRatio=95", "must not be above diskSpaceWarningLevelRatio");
        refused("replicaSecret=another secret, sixteen", "replicaSecret needs a restart");
        assertThat(shown())
                .containsEntry("cleanFileForciblyEnable", "true")
                .containsEntry("diskSpaceCleanForciblyRatio", "85");
    }

    @Test
    void valueThatIsInForceAnywayIsTaken() throws Exception {
        assertThat(ask(RequestCodes.UPDATE_BROKER_CONFIG, "brokerPermission=6").code())
                .isEqualTo(ResponseCodes.SUCCESS);
    }

    private static void refused(String lines, String part) throws Exception {
        Command answer = ask(RequestCodes.UPDATE_BROKER_CONFIG, lines);
        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark()).contains(part);
    }

    private static Properties shown() throws Exception {
        Properties lines = new Properties();
        lines.load(new StringReader(
                new String(ask(RequestCodes.GET_BROKER_CONFIG, "").body(), StandardCharsets.UTF_8)));
        return lines;
    }

    private static Command ask(int code, String body) throws Exception {
        Endpoint broker = Objects.requireNonNull(server.addresses().get("broker"));
        return client.call(broker, Command.request(code).withBody(body.getBytes(StandardCharsets.UTF_8)), PATIENCE);
    }
}
