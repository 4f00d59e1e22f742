package gantry.replica.frame;

import java.nio.ByteBuffer;

/// The leader's answer to a hello: prove it.
///
/// ```
///   0       1          9          41
///   ┌───────┬──────────┬──────────┐
///   │ proof │ leaderId │ nonce 32 │
///   └───────┴──────────┴──────────┘
/// ```
/// For:   giving the follower what its proof has to cover. A stranger learns nothing else of the leader.
/// Owner: none (immutable; nobody changes the nonce).
public record Challenge(int proofKind, long leaderId, byte[] nonce) {
    private static final int BYTES = 41;

    public static Challenge read(BodyReader in) {
        return new Challenge(in.u8(), in.int64(), in.bytes(Hello.NONCE_BYTES));
    }

    public ByteBuffer write(FrameWriter out) {
        return out.body(BYTES).put((byte) proofKind).putLong(leaderId).put(nonce);
    }
}
