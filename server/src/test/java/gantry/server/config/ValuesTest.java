package gantry.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file and flags become checked values, or one sentence that says what to mend.
class ValuesTest {
    @TempDir
    Path folder;

    @Test
    void absentKeyHasTheDefaultOfTheTable() throws Exception {
        assertThat(broker("").of(Keys.LISTEN_PORT)).isEqualTo(10_911);
        assertThat(broker("").of(Keys.FLUSH)).isEqualTo(Keys.FlushDiskType.ASYNC_FLUSH);
        assertThat(broker("").find(Keys.NAMESERVERS)).isEmpty();
    }

    @Test
    void everyDefaultIsAValueThatItsKeyAllows() {
        for (Role role : Role.values()) {
            for (Key<?> key : KeyTable.of(role).keys()) {
                if (key.hasDefault()) {
                    assertThat(key.reading().parse().apply(key.byDefault()))
                            .as(key.name())
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void everyKeyConstantStandsInTheTable() throws IllegalAccessException {
        for (Field field : Keys.class.getFields()) {
            if (field.getType() == Key.class) {
                assertThat(Keys.all()).as(field.getName()).contains((Key<?>) field.get(null));
            }
        }
    }

    /// R048: RocketMQ takes several folders, and can then have one file in two of them. R049: light queues are
    /// not there.
    @Test
    void whatWouldPutAMessageIntoTwoPlacesIsRefusedByName() throws Exception {
        Values several = broker("storePathCommitLog=/tmp/a,/tmp/b");
        assertThatThrownBy(() -> several.of(Keys.COMMIT_LOG_PATH))
                .hasMessageContaining("storePathCommitLog=/tmp/a,/tmp/b")
                .hasMessageContaining("one folder");
        for (String line : List.of("enableLmq=true", "enableMultiDispatch=true")) {
            assertThatThrownBy(() -> broker(line))
                    .as(line)
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining(line.substring(0, line.indexOf('=')));
        }
    }

    @Test
    void keysOfAnApacheFileAreRead() throws Exception {
        Values values = broker("""
                # a comment
                brokerClusterName = DefaultCluster
                brokerName=broker-a
                listenPort=0
                namesrvAddr=10.0.0.1:9876;10.0.0.2:9876
                flushDiskType=SYNC_FLUSH
                brokerRole=ASYNC_MASTER
                brokerId=0
                """);
        assertThat(values.of(Keys.CLUSTER)).isEqualTo("DefaultCluster");
        assertThat(values.find(Keys.BROKER_NAME)).contains("broker-a");
        assertThat(values.of(Keys.LISTEN_PORT)).isZero();
        assertThat(values.find(Keys.NAMESERVERS).orElseThrow())
                .containsExactly(new Endpoint("10.0.0.1", 9876), new Endpoint("10.0.0.2", 9876));
        assertThat(values.of(Keys.FLUSH)).isEqualTo(Keys.FlushDiskType.SYNC_FLUSH);
        assertThat(values.notes()).isEmpty();
    }

    @Test
    void spellingOfOldReleasesIsRead() throws Exception {
        assertThat(broker("mapedFileSizeCommitLog=1048576").of(Keys.SEGMENT_BYTES))
                .isEqualTo(1_048_576L);
    }

    @Test
    void misspeltKeyIsRefusedWithTheNearestOne() {
        assertThatThrownBy(() -> broker("flushDiskTyp=SYNC_FLUSH"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("flushDiskTyp (did you mean flushDiskType?)");
    }

    @Test
    void allUnknownKeysAreNamedInOneSentence() {
        assertThatThrownBy(() -> broker("listenport=1\nxyzzyPlugh=2"))
                .hasMessageContaining("listenport (did you mean listenPort?); xyzzyPlugh. docs/configuration.md");
    }

    @Test
    void keyOfTheOtherRoleIsRefusedWithItsName() {
        assertThatThrownBy(() -> nameserver("flushDiskType=SYNC_FLUSH"))
                .hasMessageContaining("flushDiskType (a key of the broker's file)");
    }

    @Test
    void wrongValueIsRefusedWithWhatIsAllowed() throws Exception {
        Values values = broker("flushDiskType=SYNC\nlistenPort=70000\nautoCreateTopicEnable=yes");
        assertThatThrownBy(() -> values.of(Keys.FLUSH))
                .hasMessageContaining("flushDiskType=SYNC (")
                .hasMessageContaining("is not ASYNC_FLUSH or SYNC_FLUSH.");
        assertThatThrownBy(() -> values.of(Keys.LISTEN_PORT))
                .hasMessageContaining("is not a whole number from 0 to 65535.");
        assertThatThrownBy(() -> values.of(Keys.AUTO_CREATE_TOPIC)).hasMessageContaining("is not true or false.");
    }

    @Test
    void keyWithoutEffectIsAcceptedAndSaidToBe() throws Exception {
        assertThat(broker("sendMessageThreadPoolNums=16").notes())
                .singleElement()
                .asString()
                .startsWith("sendMessageThreadPoolNums has no effect here: requests run on event loops");
    }

    @Test
    void valueThatWouldPromiseWhatIsNotThereIsRefused() {
        assertThatThrownBy(() -> broker("enableControllerMode=true"))
                .hasMessageContaining("enableControllerMode=true")
                .hasMessageContaining("nobody would elect a master")
                .hasMessageContaining("The only value is false.");
        assertThatThrownBy(() -> broker("aclEnable=true")).hasMessageContaining("every client would get in");
    }

    @Test
    void repeatedKeyCountsOnceAndIsTold() throws Exception {
        Values values = broker("listenPort=1\nlistenPort=2");
        assertThat(values.of(Keys.LISTEN_PORT)).isEqualTo(2);
        assertThat(values.notes()).singleElement().asString().contains("more than once");
    }

    @Test
    void flagWinsOverTheFile() throws Exception {
        Values values = Values.of(
                Role.BROKER,
                file("listenPort=1\nbrokerName=a"),
                List.of(
                        new Values.Flag("--broker-port", Keys.LISTEN_PORT, "2"),
                        new Values.Flag("--name", Keys.BROKER_NAME, null)));
        assertThat(values.of(Keys.LISTEN_PORT)).isEqualTo(2);
        assertThat(values.find(Keys.BROKER_NAME)).contains("a");
    }

    @Test
    void wrongFlagIsNamedAsItWasWritten() throws Exception {
        Values values = Values.of(
                Role.BROKER, ConfigFile.NONE, List.of(new Values.Flag("--broker-port", Keys.LISTEN_PORT, "many")));
        assertThatThrownBy(() -> values.of(Keys.LISTEN_PORT)).hasMessageContaining("listenPort=many (--broker-port)");
    }

    @Test
    void missingFileIsOneSentence() {
        assertThatThrownBy(() -> ConfigFile.read(folder.resolve("nothing.conf")))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("There is no configuration file ");
    }

    @Test
    void nearestToleratesSwappedLettersAndRefusesStrangers() {
        List<String> known = List.of("brokerName", "brokerId", "listenPort");
        assertThat(Nearest.of("borkerName", known)).contains("brokerName");
        assertThat(Nearest.of("LISTENPORT", known)).contains("listenPort");
        assertThat(Nearest.of("kafka", known)).isEmpty();
    }

    private Values broker(String text) throws StartRefused, IOException {
        return Values.of(Role.BROKER, file(text), List.of());
    }

    private Values nameserver(String text) throws StartRefused, IOException {
        return Values.of(Role.NAMESERVER, file(text), List.of());
    }

    private ConfigFile file(String text) throws StartRefused, IOException {
        return ConfigFile.read(Files.writeString(folder.resolve("a.conf"), text));
    }
}
