package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.net.Outbox.Put;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Shows that the outbox keeps order and limits, asks for one flush at a time, and gives its memory back.
final class OutboxTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Budget budget = new Budget(100_000);
    private final Outbox outbox = new Outbox(allocator, budget, 16_000, 40_000);

    @AfterEach
    void nothingIsLeft() {
        outbox.discard();
        assertThat(budget.usedBytes()).isZero();
        assertThat(outbox.pendingBytes()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private Put put(byte[] frame) {
        return outbox.put(frame, 0, frame.length, List.of());
    }

    private byte[] takeAll() {
        List<ByteBuf> blocks = outbox.take();
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf block : blocks) {
            all.writeBytes(block, 0, block.readableBytes());
            outbox.written(block.readableBytes(), block.capacity());
            block.release();
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }

    @Test
    void framesComeOutInOrderBodiesBehindTheirHeads() {
        ByteBuffer expected = ByteBuffer.allocate(40_000);
        for (int round = 0; round < 20; round++) {
            expected.clear();
            for (int i = 0; i < 10; i++) {
                byte[] frame = Frames.frame(i, 12 + 130 * (round + i));
                ByteBuffer body = ByteBuffer.wrap(frame).position(12);
                if (i % 2 == 0) {
                    outbox.put(frame, 0, 12, body);
                } else {
                    int middle = 12 + body.remaining() / 3;
                    outbox.put(
                            frame,
                            0,
                            12,
                            List.of(
                                    body.slice(12, middle - 12),
                                    body.duplicate().position(middle)));
                }
                assertThat(body.position()).isEqualTo(12);
                expected.put(frame);
            }
            byte[] all = new byte[expected.position()];
            expected.get(0, all);
            assertThat(takeAll()).isEqualTo(all);
        }
    }

    @Test
    void onlyTheFirstFrameAfterATakeAsksForAFlush() {
        assertThat(put(Frames.frame(1, 20))).isEqualTo(Put.TAKEN_FIRST);
        assertThat(put(Frames.frame(2, 20))).isEqualTo(Put.TAKEN);
        takeAll();
        assertThat(put(Frames.frame(3, 20))).isEqualTo(Put.TAKEN_FIRST);
    }

    @Test
    void tooMuchIsRefusedForGoodButOneFrameOfAnySizeFitsIntoAnEmptyOutbox() {
        assertThat(put(Frames.frame(1, 60_000))).isEqualTo(Put.TAKEN_FIRST);
        assertThat(outbox.isHigh()).isTrue();
        takeAll();
        assertThat(outbox.isLow()).isTrue();
        assertThat(put(Frames.frame(2, 40_000))).isEqualTo(Put.TAKEN_FIRST);
        assertThat(put(Frames.frame(3, 12))).isEqualTo(Put.OVERFLOW);
        takeAll();
        assertThat(put(Frames.frame(4, 12))).isEqualTo(Put.CLOSED);
    }

    @Test
    void whatWaitsCountsUntilItIsWritten() {
        put(Frames.frame(1, 20_000));
        List<ByteBuf> blocks = new ArrayList<>(outbox.take());
        assertThat(outbox.isHigh()).isTrue();
        assertThat(put(Frames.frame(2, 30_000))).isEqualTo(Put.OVERFLOW);
        for (ByteBuf block : blocks) {
            outbox.written(block.readableBytes(), block.capacity());
            block.release();
        }
        assertThat(outbox.pendingBytes()).isZero();
    }

    @Test
    void whenTheSharedBudgetIsSpentOnlyLittleMayWait() {
        Outbox greedy = new Outbox(allocator, budget, 16_000, 200_000);
        greedy.put(new byte[99_000], 0, 99_000, List.of());
        assertThat(put(Frames.frame(1, 900))).isEqualTo(Put.TAKEN_FIRST);
        assertThat(put(Frames.frame(1, 99))).isEqualTo(Put.TAKEN);
        assertThat(budget.isSpent()).isTrue();
        assertThat(put(Frames.frame(1, 12))).isEqualTo(Put.OVERFLOW);
        greedy.discard();
    }
}
