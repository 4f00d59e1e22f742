package gantry.replica.frame;

import java.nio.ByteBuffer;

/// The leader's proof, and the version for all that follows; from here on each believes that the other is a
/// member.
///
/// ```
///   0         1                33
///   ┌─────────┬────────────────┐
///   │ version │ proof 32       │
///   └─────────┴────────────────┘
/// ```
/// For:   ending the hello. A version of 0 means that there is none in common; the refusal follows.
/// Owner: none (immutable; nobody changes the proof).
public record Welcome(int version, byte[] proof) {
    private static final int BYTES = 1 + Proof.BYTES;

    public static Welcome read(BodyReader in) {
        return new Welcome(in.u8(), in.bytes(Proof.BYTES));
    }

    public ByteBuffer write(FrameWriter out) {
        return out.body(BYTES).put((byte) version).put(proof);
    }
}
