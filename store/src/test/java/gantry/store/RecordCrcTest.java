package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.Check;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Shows that a store that is told to end each record in a checksum over all of it does so after numbering, and finds
/// by it what has changed; and that nothing of it is there otherwise.
class RecordCrcTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    static final StoreConfig WITH = Rig.TINY.withIntegrity(
            IntegrityConfig.DEFAULT.withScrub(0).withSeals(false).withRecordCrc(true));

    private final FaultDisk disk = new FaultDisk();

    private static void send(Rig rig, int count) {
        AppendBatch batch = rig.batch();
        for (int i = 0; i < count; i++) {
            RecordDraft draft = rig.store
                    .draft()
                    .topic("a".getBytes(StandardCharsets.UTF_8))
                    .body(("body " + i).getBytes(StandardCharsets.UTF_8))
                    .properties("k\u0001v".getBytes(StandardCharsets.UTF_8));
            assertThat(batch.room((int) RecordWriter.sizeOf(draft))).isTrue();
            int start = batch.staging().position();
            int size = RecordWriter.write(batch.staging(), draft);
            batch.add(rig.queue("a", 0), start, size, TagsCode.NONE, false);
        }
        rig.store.append(batch);
        rig.pass(600);
    }

    private static RecordView record(FaultDisk disk, int index, Check expected) {
        ByteBuffer log = ByteBuffer.wrap(disk.bytes(FIRST));
        int at = 0;
        for (int i = 0; i < index; i++) {
            at += log.getInt(at);
        }
        RecordView view = new RecordView();
        assertThat(view.wrap(log, at, log.capacity(), true)).isEqualTo(expected);
        return view;
    }

    @Test
    void eachRecordOfABatchEndsInTheChecksumOfItsOwnNumbers() throws OpenFailed {
        Rig rig = new Rig(disk, WITH);
        send(rig, 3);
        for (int i = 0; i < 3; i++) {
            RecordView view = record(disk, i, Check.OK);
            assertThat(view.queueOffset()).isEqualTo(i);
            assertThat(view.propertiesText()).startsWith("k\u0001v\u0002__CRC32#\u0001");
        }
        assertThat(rig.read(rig.queue("a", 0), 0)).containsExactly("body 0", "body 1", "body 2");
    }

    @Test
    void changedNumberThatNothingElseCoversIsFoundByItAlone() throws OpenFailed {
        Rig rig = new Rig(disk, WITH);
        send(rig, 2);
        rig.store.close();
        // A bit of bornMillis.
        disk.overwrite(FIRST, 47, (byte) (disk.bytes(FIRST)[47] ^ 1));
        record(disk, 0, Check.BAD_RECORD_CRC);
        assertThat(StoreVerifier.look(disk, RecordView::tagsCode, (_, _) -> {})
                        .findings()
                        .getFirst()
                        .what())
                .contains("checksum does not match", "a/0 offset 0");
    }

    @Test
    void storeThatIsNotToldToWritesNone() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, 1);
        assertThat(record(disk, 0, Check.OK).propertiesText()).isEqualTo("k\u0001v");
    }
}
