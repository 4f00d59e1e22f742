package gantry.wire.body;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is written of a master or a slave is read back, and so is what RocketMQ's brokers write.
class HaStatusTest {
    @Test
    void masterAndSlaveAreReadAsTheyWereWritten() throws Exception {
        for (HaStatus status : List.of(
                new HaStatus(
                        true,
                        1_000,
                        1,
                        List.of(
                                new HaStatus.Slave("10.0.0.7:1", 1_000, 0, true),
                                new HaStatus.Slave(
                                        "10.0.0.8:2",
                                        400,
                                        600,
                                        false,
                                        Optional.of(new HaStatus.Walk(1_700_000_000_000L, 300, 400, 2, 1)))),
                        Optional.empty(),
                        Optional.of(new HaStatus.Checks(0, "told", 380, List.of()))),
                new HaStatus(
                        false,
                        0,
                        0,
                        List.of(),
                        Optional.of(new HaStatus.Client("10.0.0.7:10912", 400, 1_000, 77)),
                        Optional.of(new HaStatus.Checks(
                                3, "differs", 380, List.of("topics", "delays"), "nothing was told"))))) {
            assertThat(HaStatus.fromJson(Json.read(status.toBytes()))).isEqualTo(status);
        }
    }

    @Test
    void fieldsThatOnlyRocketMqHasArePassedOver() throws Exception {
        HaStatus status = HaStatus.fromJson(Json.read("""
                {"haClientRuntimeInfo":{"activated":false,"lastReadTimestamp":0,"lastWriteTimestamp":0,"masterFlushOffset":0,\
                "maxOffset":0,"transferredByteInSecond":0},"haConnectionInfo":[{"addr":"127.0.0.1:4","diff":0,"inSync":true,\
                "slaveAckOffset":9,"transferFromWhere":9,"transferredByteInSecond":3}],"inSyncSlaveNums":1,"master":true,\
                "masterCommitLogMaxOffset":9}"""));
        assertThat(status)
                .isEqualTo(new HaStatus(
                        true, 9, 1, List.of(new HaStatus.Slave("127.0.0.1:4", 9, 0, true)), Optional.empty()));
    }
}
