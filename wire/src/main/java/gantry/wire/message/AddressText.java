package gantry.wire.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Literal IPv4 and IPv6 addresses as text.
///
/// For:   turning the address of a link into the bytes of a record without a name service.
/// Owner: none (stateless).
/// Never: resolves; throws on any text.
final class AddressText {
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;
    private static final int V6_GROUPS = 8;

    private AddressText() {}

    /// The 4 or 16 bytes of a literal address, null when it is none. IPv4 written as IPv6 gives 4.
    static byte @Nullable [] parse(String text) {
        int zone = text.indexOf('%');
        String bare = zone < 0 ? text : text.substring(0, zone);
        if (bare.indexOf(':') < 0) {
            return zone < 0 ? parseV4(bare) : null;
        }
        byte[] v6 = parseV6(bare);
        return v6 != null && isMappedV4(v6) ? Arrays.copyOfRange(v6, V6_BYTES - V4_BYTES, V6_BYTES) : v6;
    }

    private static byte @Nullable [] parseV4(String text) {
        byte[] address = new byte[V4_BYTES];
        int at = 0;
        for (int i = 0; i < V4_BYTES; i++) {
            int end = i == V4_BYTES - 1 ? text.length() : text.indexOf('.', at);
            int part = end < 0 ? -1 : number(text, at, end, 10, 3);
            if (part < 0 || part > 255) {
                return null;
            }
            address[i] = (byte) part;
            at = end + 1;
        }
        return address;
    }

    private static byte @Nullable [] parseV6(String text) {
        byte[] address = new byte[V6_BYTES];
        int gap = text.indexOf("::");
        if (gap < 0) {
            return groups(text, address, true) == V6_BYTES ? address : null;
        }
        byte[] tail = new byte[V6_BYTES];
        int head = groups(text.substring(0, gap), address, false);
        int rest = groups(text.substring(gap + 2), tail, true);
        if (head < 0 || rest < 0 || head + rest > V6_BYTES - 2) {
            return null;
        }
        System.arraycopy(tail, 0, address, V6_BYTES - rest, rest);
        return address;
    }

    /// Reads groups between colons into `into`; the last may be an IPv4 address. How many bytes they are, or -1.
    private static int groups(String text, byte[] into, boolean mayEndInV4) {
        if (text.isEmpty()) {
            return 0;
        }
        int at = 0;
        String[] groups = text.split(":", V6_GROUPS + 1);
        for (int i = 0; i < groups.length; i++) {
            String group = groups[i];
            byte[] v4 = mayEndInV4 && i == groups.length - 1 ? parseV4(group) : null;
            int bits = number(group, 0, group.length(), 16, 4);
            if (v4 != null && at + V4_BYTES <= V6_BYTES) {
                System.arraycopy(v4, 0, into, at, V4_BYTES);
                at += V4_BYTES;
            } else if (bits >= 0 && at + 2 <= V6_BYTES) {
                into[at] = (byte) (bits >>> 8);
                into[at + 1] = (byte) bits;
                at += 2;
            } else {
                return -1;
            }
        }
        return at;
    }

    private static int number(String text, int from, int to, int radix, int maxDigits) {
        if (to <= from || to - from > maxDigits) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    private static boolean isMappedV4(byte[] v6) {
        for (int i = 0; i < 10; i++) {
            if (v6[i] != 0) {
                return false;
            }
        }
        return v6[10] == -1 && v6[11] == -1;
    }

    /// IPv6 with all eight groups, as the peers write it.
    static String write(byte[] address) {
        StringBuilder text = new StringBuilder();
        if (address.length == V4_BYTES) {
            for (byte part : address) {
                text.append(text.isEmpty() ? "" : ".").append(part & 0xFF);
            }
            return text.toString();
        }
        for (int i = 0; i < V6_BYTES; i += 2) {
            int group = ((address[i] & 0xFF) << 8) | (address[i + 1] & 0xFF);
            text.append(i == 0 ? "" : ":").append(Integer.toHexString(group));
        }
        return text.toString();
    }
}
