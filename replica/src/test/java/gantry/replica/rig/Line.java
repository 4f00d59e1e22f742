package gantry.replica.rig;

import gantry.replica.follow.FollowerLink;
import gantry.replica.lead.LeaderLink;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// A link in foul weather: frames are late, lost, doubled, changed; it is cut, or swallows everything and says
/// nothing.
///
/// For:   clusters from one seed.
/// Owner: its cluster.
final class Line {
    private final ListOutlet toLeader = new ListOutlet();
    private final ListOutlet toFollower = new ListOutlet();
    final LeaderLink leaderEnd;
    final FollowerLink followerEnd;
    private boolean swallows;
    private boolean leaderTold;
    private boolean followerTold;

    Line(Leader leader, Follower follower, long now) {
        leaderEnd = leader.accept(toFollower, now);
        followerEnd = follower.following.dialled(toLeader, null, now);
    }

    void swallow() {
        swallows = true;
    }

    /// One side's process is gone; the other learns of it, or not.
    void lose(boolean quietly) {
        swallows |= quietly;
        toLeader.frames.clear();
        toFollower.frames.clear();
        toLeader.close("lost");
        toFollower.close("lost");
    }

    boolean isOver() {
        return followerEnd.isEnded() && leaderEnd.isEnded();
    }

    /// Moves some frames; with `foul` some of them badly.
    void move(SplittableRandom random, boolean foul, long now) {
        if (swallows) {
            toLeader.frames.clear();
            toFollower.frames.clear();
            return;
        }
        for (int i = random.nextInt(foul ? 4 : 40); i >= 0; i--) {
            byte[] frame = toLeader.frames.poll();
            if (frame != null) {
                for (int times = spoil(frame, random, foul); times > 0; times--) {
                    leaderEnd.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
                }
            }
            frame = toFollower.frames.poll();
            if (frame != null) {
                for (int times = spoil(frame, random, foul); times > 0; times--) {
                    followerEnd.frame(ByteBuffer.wrap(frame), 0, frame.length, now);
                }
            }
        }
        boolean over = toLeader.closed != null || toFollower.closed != null;
        if (over && toLeader.frames.isEmpty() && !leaderTold) {
            leaderTold = true;
            toFollower.close("closed");
            leaderEnd.closed(now);
        }
        if (over && toFollower.frames.isEmpty() && !followerTold) {
            followerTold = true;
            toLeader.close("closed");
            followerEnd.closed(now);
        }
    }

    /// How often the frame arrives, after it may have been changed.
    private static int spoil(byte[] frame, SplittableRandom random, boolean foul) {
        if (!foul) {
            return 1;
        }
        int luck = random.nextInt(600);
        if (luck == 0) {
            frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return luck == 1 ? 0 : luck == 2 ? 2 : 1;
    }
}
