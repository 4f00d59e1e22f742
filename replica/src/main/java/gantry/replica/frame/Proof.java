package gantry.replica.frame;

import java.nio.ByteBuffer;

/// The follower's proof, 32 bytes and nothing else.
///
/// For:   the leader, which believes nothing before.
/// Owner: none (immutable; nobody changes the bytes).
public record Proof(byte[] proof) {
    public static final int BYTES = 32;

    public static Proof read(BodyReader in) {
        return new Proof(in.bytes(BYTES));
    }

    public ByteBuffer write(FrameWriter out) {
        return out.body(BYTES).put(proof);
    }
}
