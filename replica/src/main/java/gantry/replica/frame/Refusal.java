package gantry.replica.frame;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The last frame to a member that proved itself: why the link ends.
///
/// ```
///   0       2
///   ┌───────┬─────────────┐
///   │ cause │ 1+n detail  │
///   └───────┴─────────────┘
/// ```
/// For:   naming the same cause on both sides. Strangers get none.
/// Owner: none (immutable).
///
/// @param cause null when this version does not know the number
public record Refusal(int code, @Nullable Cause cause, String detail) {
    private static final int MAX_BYTES = 2 + 1 + Fault.MAX_DETAIL_CHARS;

    public static Refusal of(Fault fault) {
        return new Refusal(fault.cause().code(), fault.cause(), fault.detail());
    }

    public static Refusal read(BodyReader in) {
        int code = in.u16();
        return new Refusal(code, Cause.of(code), in.name(Fault.MAX_DETAIL_CHARS));
    }

    /// The fault as it was told by the other side, or that its telling cannot be read.
    public static Fault received(BodyReader in, String speaker) {
        Refusal refusal = read(in);
        Fault unreadable = in.fault();
        if (unreadable != null) {
            return unreadable;
        }
        return refusal.cause == null
                ? new Fault(Cause.ENDED, speaker + " says " + refusal.code + ": " + refusal.detail)
                : new Fault(refusal.cause, speaker + " says: " + refusal.detail);
    }

    public ByteBuffer write(FrameWriter out) {
        ByteBuffer to = out.body(MAX_BYTES).putShort((short) code);
        byte[] bytes = detail.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] < 0x20 || bytes[i] > 0x7E ? (byte) '?' : bytes[i];
        }
        return to.put((byte) bytes.length).put(bytes);
    }
}
