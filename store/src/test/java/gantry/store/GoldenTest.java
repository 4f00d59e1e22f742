package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// Shows that a store has RocketMQ's bytes, down to each of them: the tables of its file formats are written out here
/// once more, by hand.
class GoldenTest {
    private static final long MILLIS = 1_700_000_000_000L;

    private final FaultDisk disk = new FaultDisk();

    private static void record(
            ByteBuffer into, int queueId, long queueOffset, long logOffset, String topic, String body, String tag) {
        byte[] bodyBytes = body.getBytes(StandardCharsets.UTF_8);
        byte[] properties =
                tag.isEmpty() ? new byte[0] : ("TAGS\u0001" + tag + "\u0002").getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(bodyBytes);
        into.putInt(91 + bodyBytes.length + topic.length() + properties.length);
        into.putInt(0xDAA320A7);
        into.putInt(bodyBytes.length == 0 ? 0 : (int) crc.getValue() & 0x7FFFFFFF);
        into.putInt(queueId);
        into.putInt(0);
        into.putLong(queueOffset);
        into.putLong(logOffset);
        into.putInt(0);
        into.putLong(1);
        into.putLong(0);
        into.putLong(MILLIS);
        into.putLong(0);
        into.putInt(0);
        into.putLong(0);
        into.putInt(bodyBytes.length).put(bodyBytes);
        into.put((byte) topic.length()).put(topic.getBytes(StandardCharsets.UTF_8));
        into.putShort((short) properties.length).put(properties);
    }

    @Test
    void everyFileOfASmallStoreHasExactlyTheseBytes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.sendTagged(rig.queue("orders", 3), "paid", "hello");
        rig.send(rig.queue("orders", 3), "");
        rig.sendSized(rig.queue("orders", 0), 3900);
        rig.send(rig.queue("orders", 3), "second file");
        rig.store.close();

        ByteBuffer first = ByteBuffer.allocate(4096);
        record(first, 3, 0, 0, "orders", "hello", "paid");
        assertThat(first.position()).isEqualTo(112);
        record(first, 3, 1, 112, "orders", "", "");
        assertThat(first.position()).isEqualTo(209);
        first.putInt(4096 - 209).putInt(0xCBD43194);
        assertThat(disk.bytes("commitlog/00000000000000000000")).isEqualTo(first.array());

        ByteBuffer second = ByteBuffer.allocate(4096);
        record(second, 0, 0, 4096, "orders", "x".repeat(3900 - 97), "");
        record(second, 3, 2, 4096 + 3900, "orders", "second file", "");
        assertThat(disk.bytes("commitlog/00000000000000004096")).isEqualTo(second.array());

        ByteBuffer queue = ByteBuffer.allocate(200);
        queue.putLong(0).putInt(112).putLong("paid".hashCode());
        queue.putLong(112).putInt(97).putLong(0);
        queue.putLong(4096 + 3900).putInt(97 + 11).putLong(0);
        assertThat(disk.bytes("consumequeue/orders/3/00000000000000000000")).isEqualTo(queue.array());
        ByteBuffer other = ByteBuffer.allocate(200).putLong(4096).putInt(3900).putLong(0);
        assertThat(disk.bytes("consumequeue/orders/0/00000000000000000000")).isEqualTo(other.array());

        ByteBuffer checkpoint = ByteBuffer.wrap(disk.bytes("checkpoint"));
        assertThat(checkpoint.capacity()).isEqualTo(4096);
        assertThat(checkpoint.getLong(0)).isEqualTo(MILLIS);
        assertThat(checkpoint.getLong(8)).isEqualTo(MILLIS);
        assertThat(checkpoint.getLong(16)).isZero();
        assertThat(checkpoint.getLong(24)).isEqualTo(4096 + 3900 + 108);
        assertThat(checkpoint.getLong(32)).isEqualTo(4096 + 3900 + 108);
        ByteBuffer ends = ByteBuffer.wrap(disk.bytes("checkpoint.queues"));
        assertThat(ends.capacity()).isEqualTo(36 + 2 * (2 + 6 + 4 + 8 + 8 + 1) + 4);
        assertThat(ends.getLong(8)).isEqualTo(4096 + 3900 + 108);
        assertThat(ends.getLong(24)).isEqualTo(4);
        assertThat(ends.getInt(32)).isEqualTo(2);
        assertThat(ends.getShort(36)).isEqualTo((short) 6);
        assertThat(disk.files())
                .containsExactlyInAnyOrder(
                        "checkpoint",
                        "checkpoint.queues",
                        "commitlog/00000000000000000000",
                        "commitlog/00000000000000004096",
                        "commitlog/00000000000000008192",
                        "consumequeue/orders/0/00000000000000000000",
                        "consumequeue/orders/3/00000000000000000000");
    }
}
