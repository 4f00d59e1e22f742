package gantry.replica.hello;

import gantry.replica.frame.FrameLayout;
import gantry.replica.frame.FrameReader;
import java.nio.ByteBuffer;

/// What was said in a hello, and the two proofs over it.
///
/// For:   proofs that fit this one conversation only: both nonces, both ids, and who speaks are in them.
/// Owner: the hello that it belongs to.
final class Transcript {
    private static final String FOLLOWER = "gantry replica follower";
    private static final String LEADER = "gantry replica leader";
    private static final byte[] NOTHING = new byte[0];

    private final Trust trust;
    private byte[] hello = NOTHING;
    private byte[] challenge = NOTHING;

    Transcript(Trust trust) {
        this.trust = trust;
    }

    void hello(byte[] body) {
        hello = body;
    }

    void challenge(byte[] body) {
        challenge = body;
    }

    byte[] followerProof() {
        return trust.code(FOLLOWER, hello, challenge);
    }

    byte[] leaderProof(byte[] followerProof, int version) {
        return trust.code(LEADER, hello, challenge, followerProof, new byte[] {(byte) version});
    }

    /// The body that was just written.
    static byte[] sent(ByteBuffer staging) {
        byte[] body = new byte[staging.position() - FrameLayout.HEADER_BYTES];
        staging.get(FrameLayout.HEADER_BYTES, body);
        return body;
    }

    /// The body that was just checked.
    static byte[] received(ByteBuffer frame, FrameReader checked) {
        byte[] body = new byte[checked.bodyLength()];
        frame.get(checked.bodyAt(), body);
        return body;
    }
}
