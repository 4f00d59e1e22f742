package gantry.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A million damaged texts: each is a value or a fault, never anything else, and a value can be written.
final class JsonFuzzTest {
    private static final int TEXTS = 1_000_000;

    private static final byte[] PIECES = "{}[]:,\"'\\u0e.-+tfn_$\n \0\u007f".getBytes(StandardCharsets.US_ASCII);

    private final SplittableRandom random = new SplittableRandom(20_261_129);

    @Test
    void damagedTextIsAValueOrAFault() {
        int faults = 0;
        byte[][] originals = new byte[500][];
        for (int i = 0; i < originals.length; i++) {
            Json tree = new RandomJson(i).tree(5);
            originals[i] = new JsonWriter(Dialect.PEER).value(tree).toString().getBytes(StandardCharsets.UTF_8);
        }
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = damaged(originals[random.nextInt(originals.length)]);
            try {
                new JsonWriter(Dialect.PEER).value(Json.read(text));
            } catch (JsonFault e) {
                faults++;
                if (e.position() < 0
                        || e.position() > text.length
                        || e.sentence().isBlank()) {
                    throw new AssertionError("a fault without place or sentence: " + e, e);
                }
            }
        }
        assertThat(faults).as("faults among the damaged texts").isBetween(TEXTS / 10, TEXTS);
    }

    private byte[] damaged(byte[] original) {
        byte[] text = Arrays.copyOf(original, original.length + random.nextInt(3));
        int wounds = 1 + random.nextInt(3);
        for (int i = 0; i < wounds && text.length > 0; i++) {
            int at = random.nextInt(text.length);
            switch (random.nextInt(4)) {
                case 0 -> text[at] = (byte) random.nextInt(256);
                case 1 -> text[at] = PIECES[random.nextInt(PIECES.length)];
                case 2 -> text = Arrays.copyOf(text, at);
                default -> System.arraycopy(text, at, text, random.nextInt(at + 1), text.length - at);
            }
        }
        return text;
    }
}
