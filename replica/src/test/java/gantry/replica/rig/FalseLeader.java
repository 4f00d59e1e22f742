package gantry.replica.rig;

import gantry.replica.epoch.LogView;
import gantry.replica.follow.FollowerLink;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Verdict;
import gantry.replica.hello.LeaderHello;
import gantry.replica.hello.Trust;
import java.nio.ByteBuffer;

/// A leader that says what a test wants it to, also after a true hello.
///
/// For:   seeing that a follower does nothing that cannot be right.
/// Owner: its test.
public final class FalseLeader {
    public final ListOutlet toLeader = new ListOutlet();
    public final ListOutlet toFollower = new ListOutlet();
    public final FrameWriter writer = new FrameWriter(toFollower);
    public final FrameReader reader = new FrameReader();
    public final LeaderHello hello;
    public final FollowerLink link;

    public FalseLeader(Follower follower, byte[] secret, long now) {
        hello = new LeaderHello(
                Leader.identity(1), Trust.bySecret(secret), Leader.entropy(6).fork("liar"), null);
        link = follower.following.dialled(toLeader, null, now);
    }

    /// A hello that succeeds, as far as the secret is right; the follower's position is taken and thrown away.
    public FalseLeader greet(long now) {
        answerHello(now);
        answerHello(now);
        reader.trust();
        toLeader.frames.clear();
        return this;
    }

    private void answerHello(long now) {
        byte[] frame = toLeader.frames.poll();
        if (frame != null) {
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            if (reader.check(bytes, 0, frame.length) == null) {
                hello.take(reader, bytes, writer);
            }
        }
        deliver(now);
    }

    public FalseLeader verdict(int kind, long at, LogView log, long now) {
        new Verdict(kind, at, log.epochs().newest(), log).write(writer);
        writer.send(FrameType.VERDICT);
        deliver(now);
        return this;
    }

    public void batch(long reign, long offset, long confirm, byte[] payload, long now) {
        BatchLayout.write(writer, reign, offset, confirm, 77);
        writer.send(FrameType.BATCH, ByteBuffer.wrap(payload));
        deliver(now);
    }

    public void beat(long reign, long end, long confirm, long now) {
        BeatLayout.write(writer, reign, end, confirm, 77);
        writer.send(FrameType.BEAT);
        deliver(now);
    }

    public FalseLeader offer(CopyOffer offer, long now) {
        offer.write(writer);
        writer.send(FrameType.COPY_OFFER);
        deliver(now);
        return this;
    }

    public void copyPart(int part, long offset, byte[] payload, long now) {
        CopyLayout.writePart(writer, part, offset);
        writer.send(FrameType.COPY_PART, ByteBuffer.wrap(payload));
        deliver(now);
    }

    public void copyLog(long offset, byte[] payload, long now) {
        CopyLayout.writeLog(writer, offset);
        writer.send(FrameType.COPY_LOG, ByteBuffer.wrap(payload));
        deliver(now);
    }

    public void deliver(long now) {
        while (!toFollower.frames.isEmpty()) {
            byte[] frame = toFollower.take();
            link.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
        }
    }
}
