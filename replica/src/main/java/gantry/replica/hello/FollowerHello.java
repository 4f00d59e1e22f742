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

/// The follower's side of the hello.
///
/// For:   following nobody who has not proved to be a member.
/// Owner: the link's machine.
/// Never: says anything of its log; keeps time.
///
/// ```
///   start: send HELLO ──▶ AWAIT_CHALLENGE ── CHALLENGE: send PROOF ──▶ AWAIT_WELCOME ── right WELCOME ──▶ DONE
///                               └── anything else ──────────────────────────┴── wrong proof ──▶ fault
/// ```
public final class FollowerHello {
    private enum Step {
        AWAIT_CHALLENGE,
        AWAIT_WELCOME,
        DONE
    }

    private final Identity self;
    private final Trust trust;
    private final RandomGenerator random;
    private final @Nullable String certified;
    private final Transcript transcript;
    private Step step = Step.AWAIT_CHALLENGE;
    private long leaderId;
    private int version;

    /// @param certified the name that the link's certificate gives, null when it has none
    public FollowerHello(Identity self, Trust trust, RandomGenerator random, @Nullable String certified) {
        this.self = self;
        this.trust = trust;
        this.random = random;
        this.certified = certified;
        this.transcript = new Transcript(trust);
    }

    public void start(FrameWriter out) {
        Hello hello = new Hello(
                LeaderHello.LOWEST_VERSION,
                LeaderHello.HIGHEST_VERSION,
                trust.proofKind(),
                Hello.FOLLOWER,
                self.memberId(),
                self.instance(),
                trust.nonce(random),
                self.cluster(),
                self.group());
        transcript.hello(Transcript.sent(hello.write(out)));
        out.send(FrameType.HELLO);
    }

    /// Takes the next frame, which `checked` has checked.
    ///
    /// @return what is wrong; then nothing counts that the peer has said
    public @Nullable Fault take(FrameReader checked, ByteBuffer frame, FrameWriter out) {
        FrameType due = step == Step.AWAIT_CHALLENGE ? FrameType.CHALLENGE : FrameType.WELCOME;
        if (checked.type() != due || step == Step.DONE) {
            return new Fault(Cause.HELLO_ORDER, checked.type() + " came in step " + step);
        }
        return step == Step.AWAIT_CHALLENGE ? onChallenge(checked, frame, out) : onWelcome(checked, frame);
    }

    /// Whether the leader has proved itself.
    public boolean isDone() {
        return step == Step.DONE;
    }

    /// Whether our own proof is out: if the other side closes now, it did not like it.
    public boolean hasProved() {
        return step != Step.AWAIT_CHALLENGE;
    }

    public long leaderId() {
        return leaderId;
    }

    /// The version that was agreed; 0 when there is none in common.
    public int version() {
        return version;
    }

    private @Nullable Fault onChallenge(FrameReader checked, ByteBuffer frame, FrameWriter out) {
        BodyReader in = new BodyReader(frame, checked);
        Challenge challenge = Challenge.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        if (challenge.proofKind() != trust.proofKind()) {
            return new Fault(Cause.PROOF_KIND, "kind " + challenge.proofKind());
        }
        if (trust.needsCertificate()
                && !Identity.certifiedName(self.cluster(), self.group(), challenge.leaderId())
                        .equals(certified)) {
            return new Fault(Cause.CERTIFICATE, "" + certified);
        }
        leaderId = challenge.leaderId();
        transcript.challenge(Transcript.received(frame, checked));
        new Proof(transcript.followerProof()).write(out);
        out.send(FrameType.PROOF);
        step = Step.AWAIT_WELCOME;
        return null;
    }

    private @Nullable Fault onWelcome(FrameReader checked, ByteBuffer frame) {
        BodyReader in = new BodyReader(frame, checked);
        Welcome welcome = Welcome.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        if (!Trust.same(welcome.proof(), transcript.leaderProof(transcript.followerProof(), welcome.version()))) {
            return new Fault(Cause.PROOF_WRONG, "");
        }
        if (welcome.version() != 0
                && (welcome.version() < LeaderHello.LOWEST_VERSION
                        || welcome.version() > LeaderHello.HIGHEST_VERSION)) {
            return new Fault(Cause.VERSIONS, "version " + welcome.version());
        }
        version = welcome.version();
        step = Step.DONE;
        return null;
    }
}
