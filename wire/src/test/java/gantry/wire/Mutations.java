package gantry.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Damages valid bytes in the ways in which bytes get damaged or forged, always the same for one seed.
///
/// For:   the fuzz test.
/// Owner: one test; `bytes` is valid until the next call.
/// Never: more bytes than `MAX_BYTES`.
final class Mutations {
    static final int MAX_BYTES = 4096;

    /// Numbers that lengths are forged to.
    private static final int[] FORGED = {
        0,
        1,
        -1,
        7,
        8,
        127,
        128,
        255,
        256,
        32_767,
        32_768,
        65_535,
        65_536,
        0xFFFFFF,
        0x1000000,
        16 * 1024 * 1024 - 4,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 8,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 8
    };

    private static final byte[] SIGNS = "\"\\{}[]:,u0".getBytes(StandardCharsets.US_ASCII);

    private final SplittableRandom random;
    private final List<byte[]> seeds;
    private final byte[] bytes = new byte[MAX_BYTES];
    private final ByteBuffer view = ByteBuffer.wrap(bytes);
    private int length;

    Mutations(long seed, List<byte[]> seeds) {
        this.random = new SplittableRandom(seed);
        this.seeds = seeds;
    }

    /// Makes the next damaged bytes and returns how many they are.
    int next() {
        byte[] seed = seeds.get(random.nextInt(seeds.size()));
        length = seed.length;
        System.arraycopy(seed, 0, bytes, 0, length);
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times && length > 0; i++) {
            damage();
        }
        return length;
    }

    private void damage() {
        int at = random.nextInt(length);
        switch (random.nextInt(8)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> bytes[at] = SIGNS[random.nextInt(SIGNS.length)];
            case 3 -> length = at;
            case 4 -> lengthen();
            case 5 -> forgeInt(at);
            case 6 -> splice(at);
            default -> cutOut(at);
        }
    }

    private void lengthen() {
        int more = Math.min(1 + random.nextInt(64), MAX_BYTES - length);
        for (int i = 0; i < more; i++) {
            bytes[length++] = (byte) random.nextInt(256);
        }
    }

    private void forgeInt(int at) {
        int number = FORGED[random.nextInt(FORGED.length)];
        if (at <= length - 4) {
            view.putInt(at, random.nextBoolean() ? number : view.getInt(at) + random.nextInt(-3, 4));
        } else if (at <= length - 2) {
            view.putShort(at, (short) number);
        }
    }

    /// Goes on with the rest of another.
    private void splice(int at) {
        byte[] other = seeds.get(random.nextInt(seeds.size()));
        int from = random.nextInt(other.length);
        int count = Math.min(other.length - from, MAX_BYTES - at);
        System.arraycopy(other, from, bytes, at, count);
        length = at + count;
    }

    private void cutOut(int at) {
        int count = Math.min(1 + random.nextInt(16), length - at);
        System.arraycopy(bytes, at + count, bytes, at, length - at - count);
        length -= count;
    }

    /// Puts right the four length bytes, as the transport does before it hands a frame on.
    void mendFrameLength() {
        if (length >= 4) {
            view.putInt(0, length - 4);
        }
    }

    /// Puts right the length of a JSON header that is the whole frame, so that the damage is seen by the parser.
    void mendHeaderLength() {
        if (length >= 8) {
            view.putInt(4, (view.getInt(4) & 0xFF000000) | (length - 8));
        }
    }

    byte[] bytes() {
        return bytes;
    }

    boolean chance() {
        return random.nextBoolean();
    }
}
