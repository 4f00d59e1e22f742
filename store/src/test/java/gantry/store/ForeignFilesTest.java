package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What of RocketMQ's cannot be carried is refused with a sentence, and nothing is touched; what it makes without using
/// it is no reason.
class ForeignFilesTest {
    private static final long READ_UNTIL = 1_795_000_000_000L;

    private final FaultDisk disk = new FaultDisk();

    @ParameterizedTest
    @CsvSource({
        "dledger-n0/data/00000000000000000000,   /store/dledger-n0,            DLedger",
        "batchconsumequeue/T/0/00000000000000000000, /store/batchconsumequeue, BatchCQ",
        "consumequeue_ext/T/0/00000000000000000000,  /store/consumequeue_ext,  enableConsumeQueueExt",
        "compaction/compactionLog/T/0/00000000000000000000, /store/compaction, COMPACTION",
        "consumequeue_rocksdb/CURRENT,           /store/consumequeue_rocksdb,  defaultRocksDB",
        "consumequeue/CURRENT,                   /store/consumequeue,          defaultRocksDB",
        "config/metadata/CURRENT,                /store/config/metadata,       rocksDBConfigToJson",
        "config/topics/CURRENT,                  /store/config/topics,         rocksDBConfigToJson",
    })
    void whatCannotBeCarriedIsRefusedBeforeAnythingIsTouched(String file, String named, String word) {
        disk.overwrite(file, 0, (byte) 1);
        assertRefused(named, word);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rocksdbstore/CURRENT",
                "consumequeue_ext/README",
                "config/consumerFilter.json",
                "brokerIdentity",
                "compaction/position-checkpoint",
                "epochFileCheckpoint"
            })
    void whatRocketMqMakesAnywayIsLeftAlone(String file) throws OpenFailed {
        if (!file.endsWith("README")) {
            disk.overwrite(file, 0, (byte) 1);
        } else {
            disk.setLength(file, 0);
        }
        Rig rig = new Rig(disk, Rig.TINY);
        assertThat(disk.files()).contains(file);
        boolean controlled = file.startsWith("broker") || file.startsWith("epoch");
        assertThat(rig.notices).hasSize(controlled ? 1 : 0).allMatch(told -> told.contains("a single broker"));
    }

    @Test
    void timerMessagesThatWaitAreCountedAndNamed() {
        wheel(READ_UNTIL + 60_000, 3);
        assertRefused("/store/timerwheel", "holds 3 messages");
    }

    @Test
    void timerMessageThatIsNotInTheWheelYetIsSeen() {
        wheel(READ_UNTIL - 60_000, 3);
        byte[] entries = new byte[200];
        ByteBuffer.wrap(entries).putLong(5 * 20, 4711).putInt(5 * 20 + 8, 300);
        write("consumequeue/rmq_sys_wheel_timer/0/" + Names.ofOffset(0), entries);
        check(5);
        assertRefused("/store/timerwheel", "holds 1 messages");
    }

    @Test
    void wheelOfDeliveredTimersIsNoReason() throws OpenFailed {
        wheel(READ_UNTIL - 60_000, 3);
        new Rig(disk, Rig.TINY);
    }

    private void wheel(long millis, int count) {
        byte[] wheel = new byte[320];
        ByteBuffer.wrap(wheel).putLong(64, millis / 1000).putInt(64 + 24, count);
        write("timerwheel", wheel);
        check(0);
    }

    private void check(long queueOffset) {
        byte[] check = new byte[56];
        ByteBuffer.wrap(check).putLong(0, READ_UNTIL).putLong(16, queueOffset);
        write("config/timercheck", check);
    }

    private void write(String file, byte[] content) {
        disk.create(new FileId(file), content.length);
        disk.write(new FileId(file), 0, ByteBuffer.wrap(content));
    }

    private void assertRefused(String... words) {
        List<String> before = List.copyOf(disk.files());
        assertThatThrownBy(() -> new Rig(disk, Rig.TINY))
                .isInstanceOf(OpenFailed.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(words).contains("Nothing was changed"));
        assertThat(disk.files()).containsExactlyElementsOf(before);
    }
}
