package gantry.replica.rig;

import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Position;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import gantry.replica.lead.LeaderLink;
import java.nio.ByteBuffer;

/// A follower that says what a test wants it to, also after a true hello.
///
/// For:   seeing that a leader believes nothing that cannot be.
/// Owner: its test.
public final class FalseFollower {
    public final ListOutlet toLeader = new ListOutlet();
    public final ListOutlet toFollower = new ListOutlet();
    public final FrameWriter writer = new FrameWriter(toLeader);
    public final FrameReader reader = new FrameReader();
    public final FollowerHello hello;
    public final LeaderLink link;

    public FalseFollower(Leader leader, Identity as, byte[] secret, long now) {
        link = leader.accept(toFollower, now);
        hello = new FollowerHello(as, Trust.bySecret(secret), Leader.entropy(5).fork("liar"), null);
    }

    /// A hello that succeeds, as far as the secret is right.
    public FalseFollower greet(long now) {
        hello.start(writer);
        deliver(now);
        return goOn(now);
    }

    /// The rest of a hello whose first frame is out.
    public FalseFollower goOn(long now) {
        answerHello();
        deliver(now);
        answerHello();
        return this;
    }

    private void answerHello() {
        byte[] frame = toFollower.frames.poll();
        if (frame != null) {
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            if (reader.check(bytes, 0, frame.length) == null) {
                hello.take(reader, bytes, writer);
            }
        }
    }

    /// Its log is empty.
    public FalseFollower emptyPosition(int credit, long now) {
        return position(new LogView(Leader.LOG, EpochTable.EMPTY, 0, 0, 0), 0, credit, now);
    }

    public FalseFollower position(LogView view, long seen, int credit, long now) {
        new Position(view, view.end(), seen, credit, 0).write(writer, hello.version());
        writer.send(FrameType.POSITION);
        deliver(now);
        return this;
    }

    public void ack(long reign, long written, long synced, int credit, long now) {
        AckLayout.write(writer, reign, written, synced, credit);
        writer.send(FrameType.ACK);
        deliver(now);
    }

    /// Holds nothing, and asks for a copy.
    public FalseFollower askForCopy(long now) {
        CopyRequest.of(null).write(writer);
        writer.send(FrameType.COPY_REQUEST);
        deliver(now);
        return this;
    }

    public void copyAck(long taken, int credit, long now) {
        CopyLayout.writeAck(writer, taken, credit);
        writer.send(FrameType.COPY_ACK);
        deliver(now);
    }

    public void deliver(long now) {
        while (!toLeader.frames.isEmpty()) {
            byte[] frame = toLeader.take();
            link.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
        }
    }
}
