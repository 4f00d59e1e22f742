package gantry.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Shows that a batch is taken whole or not at all.
class BatchItemsTest {
    private final BatchItems items = new BatchItems();

    private static ByteBuffer batch(int count) {
        ByteBuffer body = ByteBuffer.allocate(1000);
        for (int i = 0; i < count; i++) {
            body.putInt(22 + 3 + 4).putInt(0).putInt(0).putInt(i).putInt(3).put(new byte[3]);
            body.putShort((short) 4).put(new byte[] {'a', 1, 'b', 2});
        }
        return body.flip();
    }

    @Test
    void itemThatDoesNotAddUpSpoilsTheWholeBatch() {
        int[][] wrongInts = {
            {0, 28},
            {0, 30},
            {0, -1},
            {0, Integer.MIN_VALUE},
            {0, Integer.MAX_VALUE},
            {0, 0},
            {0, 21},
            {16, -1},
            {16, 4},
            {16, Integer.MAX_VALUE},
            {16, Integer.MIN_VALUE},
            {16, 7}
        };
        for (int[] wrong : wrongInts) {
            ByteBuffer body = batch(3);
            body.putInt(58 + wrong[0], wrong[1]);
            assertThat(items.wrap(body, 0, body.limit()))
                    .as(wrong[1] + " at " + wrong[0])
                    .isEqualTo(-1);
            assertThat(items.fault()).startsWith("item 2 of the batch, at byte 58 of 87");
            assertThat(items.next()).isFalse();
        }
    }

    @Test
    void truncatedEmptyAndAbsentBatchesAreFaults() {
        ByteBuffer body = batch(2);
        for (int length = 0; length < body.limit(); length++) {
            if (length != 29) {
                assertThat(items.wrap(body, 0, length)).isEqualTo(-1);
                assertThat(items.fault()).isNotBlank();
            }
        }
        assertThat(items.wrap(body, 0, 29)).isEqualTo(1);
        assertThat(items.wrap(body, 30, 29)).isEqualTo(-1);
        assertThat(items.wrap(body, -1, 29)).isEqualTo(-1);
        assertThat(items.wrap(body, 0, body.limit() + 1)).isEqualTo(-1);
        assertThat(items.wrap(body, 1, Integer.MAX_VALUE)).isEqualTo(-1);
    }

    @Test
    void itemsAreGivenInOrder() {
        ByteBuffer body = batch(5);
        assertThat(items.wrap(body, 0, body.limit())).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            assertThat(items.next()).isTrue();
            assertThat(items.userFlag()).isEqualTo(i);
            assertThat(items.bodyOffset()).isEqualTo(29 * i + 20);
            assertThat(items.bodyLength()).isEqualTo(3);
            assertThat(items.propertiesOffset()).isEqualTo(29 * i + 25);
            assertThat(items.propertiesLength()).isEqualTo(4);
        }
        assertThat(items.next()).isFalse();
        assertThat(items.next()).isFalse();
    }
}
