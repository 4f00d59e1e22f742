package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Network;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Shows that frames come out whole and in order however the bytes are cut, and that no claim costs memory.
final class FrameCutterTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Budget budget = new Budget(1 << 25);
    private final List<Integer> numbers = new ArrayList<>();
    private int stopAfter = Integer.MAX_VALUE;
    private final FrameCutter cutter = new FrameCutter(allocator, budget, this::take);

    @AfterEach
    void nothingIsLeft() {
        cutter.release();
        assertThat(budget.usedBytes()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private boolean take(ByteBuffer bytes, int offset, int length) {
        assertThat(Frames.isWhole(bytes, offset, length)).isTrue();
        numbers.add(Frames.number(bytes, offset));
        return numbers.size() < stopAfter;
    }

    private @Nullable Stranger feed(byte[] bytes, int from, int to) {
        ByteBuf chunk = Unpooled.wrappedBuffer(bytes);
        return cutter.feed(chunk, ByteBuffer.wrap(bytes), from, to);
    }

    private static byte[] stream(int... lengths) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < lengths.length; i++) {
            out.writeBytes(Frames.frame(i, lengths[i]));
        }
        return out.toByteArray();
    }

    private static List<Integer> first(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void framesSurviveEverySplitIntoThree() {
        byte[] bytes = stream(12, 40, 13, 25);
        for (int a = 0; a <= bytes.length; a++) {
            for (int b = a; b <= bytes.length; b++) {
                numbers.clear();
                assertThat(feed(bytes, 0, a)).isNull();
                assertThat(feed(bytes, a, b)).isNull();
                assertThat(feed(bytes, b, bytes.length)).isNull();
                assertThat(numbers).as("cut at %d and %d", a, b).isEqualTo(first(4));
                assertThat(cutter.isUnfinished()).isFalse();
            }
        }
    }

    @Test
    void framesOfMixedSizesSurviveRandomChunks() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 20; round++) {
            int[] lengths =
                    random.ints(40, 12, 12 + (1 << random.nextInt(1, 17))).toArray();
            byte[] bytes = stream(lengths);
            numbers.clear();
            int at = 0;
            while (at < bytes.length) {
                int next = Math.min(bytes.length, at + random.nextInt(1, 70_000));
                assertThat(feed(bytes, at, next)).isNull();
                at = next;
            }
            assertThat(numbers).isEqualTo(first(40));
        }
    }

    @Test
    void aStoppedCutterKeepsEverythingInOrder() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = stream(random.ints(30, 12, 300).toArray());
            numbers.clear();
            int at = 0;
            while (at < bytes.length || numbers.size() < 30) {
                stopAfter = numbers.size() + random.nextInt(1, 5);
                int next = Math.min(bytes.length, at + random.nextInt(0, 900));
                assertThat(feed(bytes, at, next)).isNull();
                at = next;
                if (random.nextBoolean()) {
                    stopAfter = numbers.size() + random.nextInt(1, 5);
                    assertThat(cutter.resume()).isNull();
                }
            }
            stopAfter = Integer.MAX_VALUE;
            assertThat(cutter.resume()).isNull();
            assertThat(numbers).isEqualTo(first(30));
        }
    }

    @Test
    void aClaimOfSixteenMegabytesCostsAFewKilobytes() {
        byte[] begin =
                ByteBuffer.allocate(100).putInt(Network.MAX_FRAME_BYTES - 4).array();
        assertThat(feed(begin, 0, 100)).isNull();
        assertThat(cutter.isUnfinished()).isTrue();
        assertThat(allocator.metric().usedDirectMemory()).isEqualTo(4096);
    }

    @Test
    void theGatherBufferGrowsWithWhatHasComeAndTheLargestFrameArrives() {
        byte[] frame = Frames.frame(0, Network.MAX_FRAME_BYTES);
        for (int at = 0; at < frame.length; at += 65_536) {
            assertThat(feed(frame, at, at + 65_536)).isNull();
            assertThat(budget.usedBytes()).isLessThanOrEqualTo(2L * (at + 65_536));
        }
        assertThat(numbers).containsExactly(0);
    }

    @Test
    void lengthsThatCannotBeAreRefusedHoweverTheyAreCut() {
        for (int word : new int[] {0, 1, 3, -1, Integer.MIN_VALUE, Network.MAX_FRAME_BYTES - 3, 0x7FFFFFFF}) {
            byte[] bytes = ByteBuffer.allocate(8).putInt(word).array();
            for (int cut = 0; cut <= 4; cut++) {
                FrameCutter fresh = new FrameCutter(allocator, budget, this::take);
                ByteBuf chunk = Unpooled.wrappedBuffer(bytes);
                Stranger one = fresh.feed(chunk, ByteBuffer.wrap(bytes), 0, cut);
                Stranger two = fresh.feed(chunk, ByteBuffer.wrap(bytes), cut, 8);
                assertThat(one == null ? two : one)
                        .as("word %x cut at %d", word, cut)
                        .isEqualTo(word >= 0 && word < 4 ? Stranger.TOO_SHORT : Stranger.TOO_LONG);
                fresh.release();
            }
        }
        assertThat(numbers).isEmpty();
    }

    @Test
    void theShortestAndTheLongestLengthAreTaken() {
        byte[] bytes =
                ByteBuffer.allocate(16).putInt(4).putInt(0).putInt(4).putInt(0).array();
        List<Integer> lengths = new ArrayList<>();
        FrameCutter fresh = new FrameCutter(allocator, budget, (view, offset, length) -> lengths.add(length));
        assertThat(fresh.feed(Unpooled.wrappedBuffer(bytes), ByteBuffer.wrap(bytes), 0, 16))
                .isNull();
        assertThat(lengths).containsExactly(8, 8);
    }

    @Test
    void aCrowdOfUnfinishedFramesIsRefusedAtTheBudget() {
        Budget small = new Budget(10_000);
        byte[] begin = ByteBuffer.allocate(100).putInt(1_000_000).array();
        List<FrameCutter> crowd = new ArrayList<>();
        List<@Nullable Stranger> faults = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FrameCutter one = new FrameCutter(allocator, small, this::take);
            crowd.add(one);
            faults.add(one.feed(Unpooled.wrappedBuffer(begin), ByteBuffer.wrap(begin), 0, 100));
        }
        assertThat(faults).containsExactly(null, null, Stranger.CROWD);
        crowd.forEach(FrameCutter::release);
        assertThat(small.usedBytes()).isZero();
    }

    @Test
    void knocksAreNamed() {
        assertThat(knock("GET / HTTP/1.1\r\n")).isEqualTo(Stranger.HTTP);
        assertThat(knock("POST /x HTTP/1.1")).isEqualTo(Stranger.HTTP);
        assertThat(knock("PROXY TCP4 1.2.3.4")).isEqualTo(Stranger.PROXY);
        assertThat(knock("\r\n\r\n\0\r\nQUIT\n")).isEqualTo(Stranger.PROXY);
        assertThat(knock("SSH-2.0-x")).isEqualTo(Stranger.SSH);
        assertThat(knock("\u0016\u0003\u0001\u0002")).isEqualTo(Stranger.TLS);
        assertThat(knock("\0\0\0\0")).isEqualTo(Stranger.TOO_SHORT);
        assertThat(knock("\u00ff\u00ff\u00ff\u00ff")).isEqualTo(Stranger.TOO_LONG);
    }

    private @Nullable Stranger knock(String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        FrameCutter fresh = new FrameCutter(allocator, budget, this::take);
        return fresh.feed(Unpooled.wrappedBuffer(bytes), ByteBuffer.wrap(bytes), 0, bytes.length);
    }
}
