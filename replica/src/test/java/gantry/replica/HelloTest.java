package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.LeaderHello;
import gantry.replica.hello.Trust;
import gantry.replica.rig.Leader;
import gantry.replica.rig.ListOutlet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The four frames that make two members of two strangers.
class HelloTest {
    private static final Trust SECRET = Trust.bySecret(Leader.SECRET);

    /// One side of a hello with what it has sent.
    private static final class Side {
        final ListOutlet sent = new ListOutlet();
        final FrameWriter out = new FrameWriter(sent);
        final FrameReader in = new FrameReader();
    }

    private final Side leads = new Side();
    private final Side follows = new Side();

    private static LeaderHello leader(Trust trust, long seed, @Nullable String certified) {
        return new LeaderHello(Leader.identity(1), trust, Leader.entropy(seed).fork("l"), certified);
    }

    private static FollowerHello follower(Trust trust, long seed, @Nullable String certified) {
        return new FollowerHello(Leader.identity(2), trust, Leader.entropy(seed).fork("f"), certified);
    }

    private @Nullable Fault give(LeaderHello to, byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        Fault fault = leads.in.check(bytes, 0, frame.length);
        return fault != null ? fault : to.take(leads.in, bytes, leads.out);
    }

    private @Nullable Fault give(FollowerHello to, byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        Fault fault = follows.in.check(bytes, 0, frame.length);
        return fault != null ? fault : to.take(follows.in, bytes, follows.out);
    }

    @Test
    void bothSidesKnowEachOtherAfterFourFrames() {
        LeaderHello leader = leader(SECRET, 1, null);
        FollowerHello follower = follower(SECRET, 2, null);
        follower.start(follows.out);
        assertThat(give(leader, follows.sent.take())).isNull();
        assertThat(leader.proven()).isNull();
        assertThat(give(follower, leads.sent.take())).isNull();
        assertThat(follower.isDone()).isFalse();
        assertThat(give(leader, follows.sent.take())).isNull();
        assertThat(give(follower, leads.sent.take())).isNull();

        assertThat(follower.isDone()).isTrue();
        assertThat(follower.version()).isEqualTo(3);
        assertThat(leader.agreed()).isEqualTo(3);
        assertThat(follower.leaderId()).isEqualTo(1);
        assertThat(leader.proven())
                .isNotNull()
                .extracting(peer -> peer.memberId())
                .isEqualTo(2L);
    }

    @Test
    void recordedHelloOfAMemberOpensNothingASecondTime() {
        LeaderHello first = leader(SECRET, 1, null);
        FollowerHello follower = follower(SECRET, 2, null);
        follower.start(follows.out);
        byte[] hello = follows.sent.take();
        give(first, hello);
        give(follower, leads.sent.take());
        byte[] proof = follows.sent.take();
        assertThat(give(first, proof)).isNull();

        Side fresh = new Side();
        LeaderHello second = leader(SECRET, 3, null);
        ByteBuffer bytes = ByteBuffer.wrap(hello);
        assertThat(fresh.in.check(bytes, 0, hello.length)).isNull();
        assertThat(second.take(fresh.in, bytes, fresh.out)).isNull();
        bytes = ByteBuffer.wrap(proof);
        assertThat(fresh.in.check(bytes, 0, proof.length)).isNull();
        Fault fault = second.take(fresh.in, bytes, fresh.out);

        assertThat(fault).isNotNull().extracting(Fault::cause).isEqualTo(Cause.PROOF_WRONG);
        assertThat(second.proven()).isNull();
    }

    @Test
    void aFollowersOwnProofReflectedIsNoLeadersProof() {
        FollowerHello follower = follower(SECRET, 2, null);
        follower.start(follows.out);
        LeaderHello leader = leader(SECRET, 1, null);
        give(leader, follows.sent.take());
        give(follower, leads.sent.take());
        byte[] proof = follows.sent.take();

        Side forged = new Side();
        forged.out.body(0);
        forged.out.send(FrameType.CHALLENGE);
        forged.sent.take();
        forged.out.body(33).put((byte) 1).put(proof, 20, 32);
        forged.out.send(FrameType.WELCOME);

        assertThat(give(follower, forged.sent.take()))
                .isNotNull()
                .extracting(Fault::cause)
                .isEqualTo(Cause.PROOF_WRONG);
        assertThat(follower.isDone()).isFalse();
    }

    @Test
    void withCertificatesTheNameHasToFit() {
        Identity two = Leader.identity(2);
        LeaderHello leader = leader(Trust.byCertificate(), 1, two.certifiedName());
        FollowerHello follower =
                follower(Trust.byCertificate(), 2, Leader.identity(1).certifiedName());
        follower.start(follows.out);
        assertThat(give(leader, follows.sent.take())).isNull();
        assertThat(give(follower, leads.sent.take())).isNull();
        assertThat(give(leader, follows.sent.take())).isNull();
        assertThat(give(follower, leads.sent.take())).isNull();
        assertThat(follower.isDone()).isTrue();
    }

    @Test
    void certificateOfAnotherMemberOpensNothing() {
        LeaderHello leader = leader(Trust.byCertificate(), 1, "c1/b1/3");
        follower(Trust.byCertificate(), 2, null).start(follows.out);

        assertThat(give(leader, follows.sent.take()))
                .isNotNull()
                .extracting(Fault::cause)
                .isEqualTo(Cause.CERTIFICATE);
    }

    @Test
    void secretAndCertificateDoNotMix() {
        LeaderHello leader = leader(SECRET, 1, null);
        follower(Trust.byCertificate(), 2, null).start(follows.out);

        assertThat(give(leader, follows.sent.take()))
                .isNotNull()
                .extracting(Fault::cause)
                .isEqualTo(Cause.PROOF_KIND);
    }

    @Test
    void secretIsNotInItsText() {
        assertThat(SECRET.toString()).doesNotContain(new String(Leader.SECRET, StandardCharsets.US_ASCII));
    }
}
