package gantry.judges.program;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/// The body of a judge's message, which follows from its key and size, so that a damaged or foreign one is seen.
///
/// For:   sending and checking.
/// Owner: none (stateless).
/// Never: bodies that compress to nothing: the letters depend on their place.
public final class Body {
    private Body() {}

    public static byte[] of(String key, int sizeBytes) {
        byte[] body = Arrays.copyOf((key + "|").getBytes(US_ASCII), sizeBytes);
        for (int i = Math.min(key.length() + 1, sizeBytes); i < sizeBytes; i++) {
            body[i] = (byte) ('a' + Math.floorMod(key.hashCode() + i * 31 + i / 26, 26));
        }
        return body;
    }

    public static boolean isOf(String key, byte[] body) {
        return Arrays.equals(body, of(key, body.length));
    }
}
