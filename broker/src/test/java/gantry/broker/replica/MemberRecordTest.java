package gantry.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Shows that what a member remembers survives as it was, and is not believed when a bit of it has changed.
class MemberRecordTest {
    private static final MemberRecord RECORD = new MemberRecord(new LogId(3, 4), 0, 0, EpochTable.EMPTY)
            .begins(new Epoch(1, 0, 77))
            .begins(new Epoch(4, 4096, 78))
            .follows(new LogId(3, 4), 9)
            .confirmed(4000);

    @Test
    void bytesAreAsThePageShowsThem() {
        assertThat(HexFormat.of().formatHex(RECORD.toBytes()))
                .isEqualTo("47614d656d626572"
                        + "00000000000000030000000000000004"
                        + "0000000000000009"
                        + "0000000000000fa0"
                        + "00000002"
                        + "00000000000000010000000000000000000000000000004d"
                        + "00000000000000040000000000001000000000000000004e"
                        + "4b2b2f40");
    }

    @Test
    void recordComesBackAsItWas() {
        assertThat(MemberRecord.fromBytes(RECORD.toBytes())).isEqualTo(RECORD);
        assertThat(MemberRecord.fromBytes(MemberRecord.NEW.toBytes())).isEqualTo(MemberRecord.NEW);
    }

    @Test
    void everyChangedBitAndEveryCutIsNoticed() {
        byte[] bytes = RECORD.toBytes();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(MemberRecord.fromBytes(bytes)).as("bit " + bit).isNull();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        for (int length = 0; length < bytes.length; length++) {
            assertThat(MemberRecord.fromBytes(Arrays.copyOf(bytes, length))).isNull();
        }
    }

    @Test
    void epochsOfWhichALossOfPowerLeftNothingAreForgottenButNotThatTheyWereSeen() {
        MemberRecord shorter = RECORD.within(0, 4096);

        assertThat(shorter.epochs().newest()).isEqualTo(1);
        assertThat(shorter.seen()).isEqualTo(9);
        assertThat(RECORD.within(0, 4097)).isEqualTo(RECORD);
    }

    @Test
    void epochBeginsBeforeOneOfWhichNothingWasTaken() {
        MemberRecord again = RECORD.begins(new Epoch(5, 9000, 79)).begins(new Epoch(4, 4096, 78));

        assertThat(again.epochs()).isEqualTo(RECORD.epochs());
        assertThat(again.seen()).isEqualTo(9);
        assertThat(again.begins(new Epoch(5, 9000, 79)).epochs().newest()).isEqualTo(5);
    }
}
