package gantry.broker.facts;

import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/// The first member of a file that we exported.
///
/// ```
///   {"gantryFacts":{"crc":2774139214,"queueOffset":17},"dataVersion":{…},…}
///                         │                        │   └─────── of these bytes, to the end
///                         └ CRC-32                 └ facts below it are in the file
/// ```
/// RocketMQ passes over a member that it does not know, and does not write it again: a file without it was written by
/// RocketMQ, or by hand.
///
/// For:   telling which facts a file holds, who wrote it, and whether a byte of it has changed.
/// Owner: none (stateless).
final class Seal {
    static final String MEMBER = "gantryFacts";

    private static final String HEAD = "{\"" + MEMBER + "\":{\"crc\":";
    private static final String MIDDLE = ",\"queueOffset\":";
    private static final String TAIL = "},";

    /// Enough for the head and two numbers.
    private static final int MOST_CHARS = 96;

    private Seal() {}

    /// @param members text of an object with at least one member
    static byte[] seal(String object, long queueOffset) {
        byte[] rest = object.substring(1).getBytes(StandardCharsets.UTF_8);
        byte[] head = (HEAD + crc(rest) + MIDDLE + queueOffset + TAIL).getBytes(StandardCharsets.US_ASCII);
        byte[] whole = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, whole, head.length, rest.length);
        return whole;
    }

    /// @return the facts below it are in the file; empty when it has no seal
    static OptionalLong check(byte[] content) throws JsonFault {
        String start = new String(content, 0, Math.min(MOST_CHARS, content.length), StandardCharsets.ISO_8859_1);
        if (!start.startsWith(HEAD)) {
            return OptionalLong.empty();
        }
        int middle = start.indexOf(MIDDLE);
        int tail = start.indexOf(TAIL);
        if (middle < 0 || tail < middle) {
            throw JsonFault.of("its member " + MEMBER + " is torn");
        }
        byte[] rest = Arrays.copyOfRange(content, tail + TAIL.length(), content.length);
        try {
            if (Long.parseLong(start.substring(HEAD.length(), middle)) != crc(rest)) {
                throw JsonFault.of(
                        "its checksum does not match (to have a file taken that was changed by hand, remove its"
                                + " member " + MEMBER + ")");
            }
            return OptionalLong.of(Long.parseLong(start.substring(middle + MIDDLE.length(), tail)));
        } catch (NumberFormatException e) {
            throw JsonFault.of("its member " + MEMBER + " is torn");
        }
    }

    private static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }
}
