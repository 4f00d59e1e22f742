package gantry.replica.member;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;

/// Where a leader's and a follower's log go on together.
///
/// For:   one decision that both sides make from the same two views, so that neither has to believe the other.
/// Owner: none (immutable).
/// Holds: AGREE-1 a cut is never below the follower's confirmOffset.
public sealed interface Agreement {
    /// The follower's whole log is a beginning of the leader's.
    record Continue(long at) implements Agreement {}

    /// What the follower has from `at` on is not the leader's, and nobody was promised it.
    record CutBack(long at) implements Agreement {}

    /// The follower cannot go on from its own log, and copies the leader's whole.
    ///
    /// @param why `NEEDS_RESEED`, or `CONFIRMED_LOST` where the old log has to be kept for an operator
    record Copy(Fault why) implements Agreement {}

    /// The two cannot go on together.
    record Refused(Fault why) implements Agreement {}

    /// @param reign the leader's epoch
    /// @param seen the newest epoch that the follower has followed
    static Agreement of(LogView leader, long reign, LogView follower, long seen) {
        if (Math.abs(seen - reign) > Epoch.MOST_AHEAD) {
            return refused(Cause.EPOCH_FALSE, "the follower has seen epoch " + seen + ", the leader's is " + reign);
        }
        if (seen > reign) {
            return refused(Cause.OUTRANKED, "epoch " + seen + " against " + reign);
        }
        if (follower.isEmpty() && follower.end() == leader.begin()) {
            return new Continue(follower.end());
        }
        if (follower.isEmpty() && follower.logId().isNone()) {
            return reseed("its log is empty, and the leader's begins at " + leader.begin());
        }
        if (!follower.logId().equals(leader.logId())) {
            return refused(Cause.FOREIGN_LOG, "log id " + follower.logId() + ", the leader's is " + leader.logId());
        }
        if (follower.end() < leader.begin()) {
            return reseed("its log ends at " + follower.end() + ", and the leader's begins at " + leader.begin());
        }
        return ofOneHistory(leader, follower);
    }

    private static Agreement ofOneHistory(LogView leader, LogView follower) {
        long common = follower.epochs().commonEnd(follower.end(), leader.epochs(), leader.end());
        if (common < 0) {
            String why = "the two logs have no epoch in common";
            return follower.confirm() > 0 ? lost(why) : reseed(why);
        }
        if (common >= follower.end()) {
            return new Continue(follower.end());
        }
        if (common < follower.confirm()) {
            return lost("it holds confirmed records up to " + follower.confirm() + " that the leader lacks from "
                    + common + " on");
        }
        if (common < leader.begin() || common < follower.begin()) {
            return reseed("the two are the same up to " + common + " only, and the older of their logs is gone");
        }
        return new CutBack(common);
    }

    private static Copy reseed(String why) {
        return new Copy(new Fault(Cause.NEEDS_RESEED, why));
    }

    private static Copy lost(String why) {
        return new Copy(new Fault(Cause.CONFIRMED_LOST, why));
    }

    private static Refused refused(Cause cause, String detail) {
        return new Refused(new Fault(cause, detail));
    }
}
