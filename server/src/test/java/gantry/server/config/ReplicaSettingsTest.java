package gantry.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.replica.member.Promise;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a file says of a broker's place in its group becomes a checked configuration, or one sentence.
class ReplicaSettingsTest {
    private static final String SECRET = "0123456789abcdef";

    @TempDir
    Path folder;

    @Test
    void brokerOfItsOwnMayAlwaysBeFollowed() throws Exception {
        BrokerConfig config = broker("");
        ReplicaConfig replica = config.replica().orElseThrow();
        assertThat(config.brokerId()).isZero();
        assertThat(replica.role()).isEqualTo(ReplicaRole.LEADER);
        assertThat(replica.promise()).isEqualTo(new Promise(1, false));
        assertThat(replica.listen()).isEqualTo(new Endpoint("127.0.0.1", 10_912));
        assertThat(replica.members()).isEmpty();
        assertThat(replica.leader()).isEmpty();
        assertThat(replica.lends()).isTrue();
    }

    @Test
    void standaloneIsFollowedOnlyWhenSomethingSpeaksOfIt() throws Exception {
        assertThat(standalone("").replica()).isEmpty();
        assertThat(standalone("haListenPort=0").replica()).isPresent();
        assertThat(standalone("brokerRole=SYNC_MASTER").replica()).isPresent();
        Values flag = Values.of(
                Role.BROKER, ConfigFile.NONE, List.of(new Values.Flag("--ha-port", ReplicaKeys.PORT, "20000")));
        assertThat(standalone(flag).replica().orElseThrow().listen()).isEqualTo(new Endpoint("127.0.0.1", 20_000));
    }

    @ParameterizedTest
    @CsvSource({"listenPort=20911, 20912", "listenPort=0, 0", "haListenPort=5, 5", "listenPort=65535, 0"})
    void portIsTheOneBehindTheClientsUnlessItIsSet(String line, int port) throws Exception {
        BrokerConfig config = broker(line);
        assertThat(config.replica().orElseThrow().listen().port()).isEqualTo(port);
        assertThat(config.haPort()).isEqualTo(port);
    }

    @Test
    void copiesKeepToTheRateThatIsSet() throws Exception {
        ReplicaConfig usual = broker("").replica().orElseThrow();
        assertThat(usual.limits().copyBytesPerSecond()).isEqualTo(200L << 20);
        ReplicaConfig set =
                broker("replicaCopyBytesPerSecond=2000000").replica().orElseThrow();
        assertThat(set.limits().copyBytesPerSecond()).isEqualTo(2_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "ASYNC_MASTER, ASYNC_FLUSH, 3, 3, 1, false",
        "SYNC_MASTER, ASYNC_FLUSH, 1, 1, 2, false",
        "SYNC_MASTER, SYNC_FLUSH, 3, 1, 3, true",
        "SYNC_MASTER, SYNC_FLUSH, 2, 3, 3, true"
    })
    void promiseComesFromRoleFlushAndTheLargerNumber(
            String role, String flush, int inSync, int least, int members, boolean onDisk) throws Exception {
        BrokerConfig config = broker(
                "brokerRole=%s\nflushDiskType=%s\ninSyncReplicas=%d\nminInSyncReplicas=%d\nallAckInSyncStateSet=true"
                        .formatted(role, flush, inSync, least));
        assertThat(config.replica().orElseThrow().promise()).isEqualTo(new Promise(members, onDisk));
    }

    @Test
    void numbersThatAMasterIgnoresAreToldWhatTheyWouldNeed() throws Exception {
        assertThat(warnings("inSyncReplicas=2"))
                .singleElement()
                .asString()
                .contains("no effect with brokerRole=ASYNC_MASTER")
                .contains("answered when the leader has it written")
                .contains("Set brokerRole=SYNC_MASTER");
        assertThat(warnings("inSyncReplicas=2\nbrokerRole=SYNC_MASTER")).isEmpty();
    }

    @Test
    void followerLearnsItsMasterFromTheNameserverOrTheFile() throws Exception {
        ReplicaConfig told = broker("brokerRole=SLAVE\nbrokerId=1\nnamesrvAddr=127.0.0.1:9876\nslaveReadEnable=false")
                .replica()
                .orElseThrow();
        assertThat(told.role()).isEqualTo(ReplicaRole.FOLLOWER);
        assertThat(told.leader()).isEmpty();
        assertThat(told.lends()).isFalse();
        BrokerConfig named = broker("brokerRole=SLAVE\nbrokerId=2\nhaMasterAddress=10.0.0.1:10912");
        assertThat(named.brokerId()).isEqualTo(2);
        assertThat(named.replica().orElseThrow().leader()).contains(new Endpoint("10.0.0.1", 10_912));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "brokerRole=SLAVE | needs a brokerId above 0",
                "brokerId=1 | brokerId=1 ",
                "brokerRole=SYNC_MASTER;brokerId=1 | a master has brokerId=0, and a follower brokerRole=SLAVE.",
                "brokerRole=SLAVE;brokerId=1 | does not know where its master is",
                "brokerRole=MASTER | is not ASYNC_MASTER or SYNC_MASTER or SLAVE.",
                "haMasterAddress=somewhere | is not HOST:PORT.",
                "inSyncReplicas=0 | is not a whole number from 1 to 17.",
                "replicaMembers=1,x | is not a list of brokerIds, as in 0,1,2.",
                "replicaMembers=1,-2 | is not a list of brokerIds, as in 0,1,2.",
                "brokerRole=SYNC_MASTER;inSyncReplicas=3;replicaMembers=0,1 | names 2 with this one: no send could ever",
                "replicaSecret=short | has 5 bytes, it needs 16 at least",
                "replicaSecret=0123456789abcdef;replicaSecretFile=x | are both set: keep one of them.",
                "replicaSecretFile=nowhere/at/all | There is no replicaSecretFile nowhere/at/all.",
                "brokerName=b\u00fc | a broker name has 1 to 200 printable ASCII bytes",
            })
    void whatCannotBeIsOneSentence(String lines, String part) {
        assertThatThrownBy(() -> broker(lines.replace(';', '\n')))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(part)
                .hasMessageNotContainingAny("short", SECRET);
    }

    @Test
    void ownNumberMayStandAmongTheMembers() throws Exception {
        assertThat(broker("replicaMembers=0, 1;2").replica().orElseThrow().members())
                .containsExactly(1L, 2L);
    }

    @Test
    void withoutASecretBeyondLoopbackIsWarnedAbout() throws Exception {
        assertThat(warnings("bindAddress=127.0.0.1")).isEmpty();
        assertThat(warnings("bindAddress=0.0.0.0\nbrokerIP1=10.0.0.1"))
                .singleElement()
                .asString()
                .contains("whoever reaches 0.0.0.0:10912")
                .contains("Set replicaSecret or replicaSecretFile");
        assertThat(warnings("bindAddress=0.0.0.0\nbrokerIP1=10.0.0.1\nreplicaSecretFile=" + secretFile("rw-------")))
                .isEmpty();
    }

    @Test
    void secretThatEverybodyCanReadIsWarnedAbout() throws Exception {
        Path open = secretFile("rw-r--r--");
        assertThat(warnings("replicaSecretFile=" + open))
                .singleElement()
                .asString()
                .contains("can read the replication secret in " + open)
                .contains("chmod 600");
        assertThat(warnings("replicaSecret=" + SECRET))
                .singleElement()
                .asString()
                .contains("b.conf");
    }

    @Test
    void settingsOfRocketMqThatMeanNothingHereAreSaidToBeWithoutEffect() throws Exception {
        Values values = values("haSendHeartbeatInterval=5000\nallAckInSyncStateSet=true\ntotalReplicas=3");
        assertThat(values.notes())
                .hasSize(3)
                .allSatisfy(note -> assertThat(note).contains("has no effect here"));
    }

    @Test
    void everyKeyConstantStandsInTheTable() throws IllegalAccessException {
        for (Field field : ReplicaKeys.class.getFields()) {
            if (field.getType() == Key.class) {
                assertThat(ReplicaKeys.all()).as(field.getName()).contains((Key<?>) field.get(null));
            }
        }
    }

    private Path secretFile(String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private BrokerConfig broker(String text) throws StartRefused, IOException {
        return BrokerSettings.of(values(text), "host", "127.0.0.1", List.of());
    }

    private BrokerConfig standalone(String text) throws StartRefused, IOException {
        return standalone(values(text));
    }

    private static BrokerConfig standalone(Values values) throws StartRefused {
        return BrokerSettings.of(values, "host", "127.0.0.1", List.of(new Endpoint("127.0.0.1", 9_876)));
    }

    private List<String> warnings(String text) throws StartRefused, IOException {
        return ReplicaSettings.warnings(values(text), broker(text));
    }

    private Values values(String text) throws StartRefused, IOException {
        Path file = Files.writeString(folder.resolve("b.conf"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return Values.of(Role.BROKER, ConfigFile.read(file), List.of());
    }
}
