package gantry.replica.hello;

import gantry.replica.frame.BodyReader;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Challenge;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Hello;
import gantry.replica.frame.Proof;
import gantry.replica.frame.Welcome;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The leader's side of the hello.
///
/// For:   letting nobody through who has not proved to be a member.
/// Owner: the link's machine.
/// Never: tells a stranger more than the leader's id and a nonce; keeps time.
///
/// ```
///   AWAIT_HELLO ── HELLO: send CHALLENGE ──▶ AWAIT_PROOF ── right PROOF: send WELCOME ──▶ DONE
///        └── anything else ─────────────────────┴── anything else, wrong proof ──▶ fault, and the link ends
/// ```
public final class LeaderHello {
    private enum Step {
        AWAIT_HELLO,
        AWAIT_PROOF,
        DONE
    }

    /// The protocol versions of this program.
    public static final int LOWEST_VERSION = 1;

    public static final int HIGHEST_VERSION = 3;

    /// From this version on members compare their logs.
    public static final int COMPARES = 2;

    private final Identity self;
    private final Trust trust;
    private final RandomGenerator random;
    private final @Nullable String certified;
    private final Transcript transcript;
    private Step step = Step.AWAIT_HELLO;
    private @Nullable Hello claimed;

    /// @param certified the name that the link's certificate gives, null when it has none
    public LeaderHello(Identity self, Trust trust, RandomGenerator random, @Nullable String certified) {
        this.self = self;
        this.trust = trust;
        this.random = random;
        this.certified = certified;
        this.transcript = new Transcript(trust);
    }

    /// Takes the next frame, which `checked` has checked.
    ///
    /// @return what is wrong; then nothing counts that the peer has said
    public @Nullable Fault take(FrameReader checked, ByteBuffer frame, FrameWriter out) {
        FrameType due = step == Step.AWAIT_HELLO ? FrameType.HELLO : FrameType.PROOF;
        if (checked.type() != due || step == Step.DONE) {
            return new Fault(Cause.HELLO_ORDER, checked.type() + " came in step " + step);
        }
        return step == Step.AWAIT_HELLO ? onHello(checked, frame, out) : onProof(checked, frame, out);
    }

    /// The peer, once it has proved itself; null before.
    public @Nullable Hello proven() {
        return step == Step.DONE ? claimed : null;
    }

    /// The version that was agreed; 0 when there is none in common, or not yet.
    public int agreed() {
        return step == Step.DONE ? version() : 0;
    }

    private @Nullable Fault onHello(FrameReader checked, ByteBuffer frame, FrameWriter out) {
        BodyReader in = new BodyReader(frame, checked);
        Hello hello = Hello.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        transcript.hello(Transcript.received(frame, checked));
        transcript.challenge(
                Transcript.sent(new Challenge(trust.proofKind(), self.memberId(), trust.nonce(random)).write(out)));
        out.send(FrameType.CHALLENGE);
        if (hello.proofKind() != trust.proofKind()) {
            return new Fault(Cause.PROOF_KIND, "kind " + hello.proofKind());
        }
        if (trust.needsCertificate()
                && !Identity.certifiedName(hello.cluster(), hello.group(), hello.memberId())
                        .equals(certified)) {
            return new Fault(Cause.CERTIFICATE, "" + certified);
        }
        claimed = hello;
        step = Step.AWAIT_PROOF;
        return null;
    }

    private @Nullable Fault onProof(FrameReader checked, ByteBuffer frame, FrameWriter out) {
        BodyReader in = new BodyReader(frame, checked);
        byte[] proof = Proof.read(in).proof();
        if (in.fault() != null) {
            return in.fault();
        }
        if (!Trust.same(proof, transcript.followerProof())) {
            return new Fault(Cause.PROOF_WRONG, "");
        }
        int version = version();
        new Welcome(version, transcript.leaderProof(proof, version)).write(out);
        out.send(FrameType.WELCOME);
        step = Step.DONE;
        return null;
    }

    /// The highest version that both speak, 0 when there is none.
    private int version() {
        Hello hello = claimed;
        if (hello == null || hello.high() < LOWEST_VERSION || hello.low() > HIGHEST_VERSION) {
            return 0;
        }
        return Math.min(hello.high(), HIGHEST_VERSION);
    }
}
