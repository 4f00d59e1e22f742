package gantry.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.legacy.LegacyDoor;
import gantry.broker.legacy.LegacyMaster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a file says of RocketMQ's own replication becomes a checked configuration, or one sentence.
class LegacySettingsTest {
    private static final String COPY = "brokerRole=SLAVE\nbrokerId=1\nlegacyMasterAddress=10.0.0.2:10911\n";

    @TempDir
    Path folder;

    private BrokerConfig broker(String lines) throws Exception {
        Path file = Files.writeString(folder.resolve("broker.conf"), lines);
        Values values = Values.of(Role.BROKER, ConfigFile.read(file), List.of());
        return BrokerSettings.of(values, "host", "127.0.0.1", List.of());
    }

    @Test
    void nobodyIsSpokenToUnlessAnAddressIsNamed() throws Exception {
        assertThat(broker("").legacy().master()).isEmpty();
        assertThat(broker("brokerRole=SLAVE\nbrokerId=1\nhaMasterAddress=10.0.0.2:10912")
                        .legacy()
                        .master())
                .isEmpty();
    }

    @Test
    void replicationPortIsOneAboveUnlessItIsSet() throws Exception {
        assertThat(broker(COPY).legacy().master())
                .contains(new LegacyMaster(new Endpoint("10.0.0.2", 10911), new Endpoint("10.0.0.2", 10912)));
        assertThat(broker(COPY + "haMasterAddress=10.0.0.2:7").legacy().master())
                .contains(new LegacyMaster(new Endpoint("10.0.0.2", 10911), new Endpoint("10.0.0.2", 7)));
    }

    @Test
    void copyIsToldToNobody() throws Exception {
        BrokerConfig config = broker(COPY + "namesrvAddr=10.0.0.1:9876\nslaveReadEnable=true");
        assertThat(config.nameservers()).isEmpty();
        assertThat(config.replica().orElseThrow().lends()).isFalse();
    }

    @Test
    void onlyASlaveCopies() {
        assertThatThrownBy(() -> broker("legacyMasterAddress=10.0.0.2:10911"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("set brokerRole=SLAVE")
                .hasMessageContaining("remove legacyMasterAddress");
        assertThatThrownBy(() -> broker("brokerRole=SLAVE\nbrokerId=1\nlegacyMasterAddress=10.0.0.2:65535"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("haMasterAddress");
    }

    @Test
    void slavesAreLetInByAddressAtAPortOfTheirOwn() throws Exception {
        assertThat(broker("").legacy().slaves()).isEmpty();
        assertThat(broker("legacySlaves=10.0.0.3; 10.0.0.4;10.0.0.3").legacy().slaves())
                .contains(new LegacyDoor(List.of("10.0.0.3", "10.0.0.4"), new Endpoint("127.0.0.1", 10913)));
        assertThat(broker("legacySlaves=10.0.0.3\nhaListenPort=20000").legacy().slaves())
                .map(door -> door.listen().port())
                .contains(20001);
        assertThat(broker("legacySlaves=10.0.0.3\nlegacyListenPort=0").legacy().slaves())
                .map(door -> door.listen().port())
                .contains(0);
    }

    @Test
    void slavesThatCannotBeServedStopTheStart() {
        assertThatThrownBy(() -> broker("legacySlaves=orders.example.org"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("a list of IP addresses");
        assertThatThrownBy(() -> broker(COPY + "legacySlaves=10.0.0.3"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("copied by nobody");
        assertThatThrownBy(() -> broker("legacySlaves=10.0.0.3\nlegacyListenPort=10912"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("choose another one");
        assertThatThrownBy(() -> broker("legacyListenPort=10913"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("legacySlaves names none");
        assertThatThrownBy(() -> broker("legacySlaves=10.0.0.1;10.0.0.2;10.0.0.3;10.0.0.4;10.0.0.5;10.0.0.6;10.0.0.7;"
                        + "10.0.0.8;10.0.0.9"))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("8 are the most");
    }
}
