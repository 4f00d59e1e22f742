package gantry.replica.frame;

import java.nio.ByteBuffer;

/// The first frame, from whoever wants to follow: who it says it is.
///
/// ```
///   0      1      2       3      4          12          20         52
///   ┌──────┬──────┬───────┬──────┬──────────┬───────────┬──────────┬─────────────┬───────────┐
///   │ low  │ high │ proof │ role │ memberId │ instance  │ nonce 32 │ 1+n cluster │ 1+n group │
///   └──────┴──────┴───────┴──────┴──────────┴───────────┴──────────┴─────────────┴───────────┘
/// ```
/// For:   opening the hello. Its layout stays, whatever the versions.
/// Owner: none (immutable; nobody changes the nonce).
///
/// @param low the lowest protocol version that it speaks
/// @param high the highest
/// @param proofKind how it proves itself: `BY_SECRET`, `BY_CERTIFICATE`
/// @param role what it wants to be: `FOLLOWER`
/// @param instance drawn when its process started
public record Hello(
        int low,
        int high,
        int proofKind,
        int role,
        long memberId,
        long instance,
        byte[] nonce,
        String cluster,
        String group) {
    public static final int BY_SECRET = 1;
    public static final int BY_CERTIFICATE = 2;
    public static final int FOLLOWER = 1;
    public static final int NONCE_BYTES = 32;
    public static final int MAX_NAME_BYTES = 200;

    private static final int MAX_BYTES = 52 + 2 * (1 + MAX_NAME_BYTES);

    public static Hello read(BodyReader in) {
        Hello hello = new Hello(
                in.u8(),
                in.u8(),
                in.u8(),
                in.u8(),
                in.int64(),
                in.int64(),
                in.bytes(NONCE_BYTES),
                in.name(MAX_NAME_BYTES),
                in.name(MAX_NAME_BYTES));
        if (hello.memberId < 0) {
            in.reject("member id " + hello.memberId);
        }
        if (hello.low < 1 || hello.high < hello.low) {
            in.reject("versions " + hello.low + " to " + hello.high);
        }
        return hello;
    }

    /// @return the body as it was sent
    public ByteBuffer write(FrameWriter out) {
        ByteBuffer to = out.body(MAX_BYTES);
        to.put((byte) low).put((byte) high).put((byte) proofKind).put((byte) role);
        to.putLong(memberId).putLong(instance).put(nonce);
        BodyWriter.name(to, cluster);
        BodyWriter.name(to, group);
        return to;
    }
}
