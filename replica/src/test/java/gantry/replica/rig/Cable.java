package gantry.replica.rig;

import gantry.replica.follow.FollowerLink;
import gantry.replica.lead.LeaderLink;
import java.nio.ByteBuffer;

/// A leader's and a follower's end of one link, with frames carried over one by one.
///
/// For:   tests where nothing gets lost.
/// Owner: its test.
public final class Cable {
    public final ListOutlet toLeader = new ListOutlet();
    public final ListOutlet toFollower = new ListOutlet();
    public final LeaderLink leaderEnd;
    public final FollowerLink followerEnd;

    public Cable(Leader leader, Follower follower, long now) {
        leaderEnd = leader.accept(toFollower, now);
        followerEnd = follower.following.dialled(toLeader, null, now);
    }

    /// Carries everything over, until nobody says any more.
    public void carry(Follower follower, long now) {
        boolean moved = true;
        while (moved) {
            moved = carryToLeader(now);
            moved |= carryToFollower(now);
            follower.answerAll(now);
        }
        if (toLeader.closed != null && toLeader.frames.isEmpty()) {
            leaderEnd.closed(now);
        }
        if (toFollower.closed != null && toFollower.frames.isEmpty()) {
            followerEnd.closed(now);
        }
    }

    public boolean carryToLeader(long now) {
        byte[] frame = toLeader.frames.poll();
        if (frame != null) {
            leaderEnd.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
        }
        return frame != null;
    }

    public boolean carryToFollower(long now) {
        byte[] frame = toFollower.frames.poll();
        if (frame != null) {
            followerEnd.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
        }
        return frame != null;
    }
}
