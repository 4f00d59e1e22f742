package gantry.broker.query;

import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.frame.Cause;
import gantry.replica.member.MemberState;
import java.time.Duration;

/// Whether a member is well, and what an operator does when it is not.
///
/// For:   the one place where each state and each cause has its next step; health, metrics and admin requests.
/// Owner: none (immutable).
/// Never: an empty next step for a member that is not well.
///
/// @param why  how it stands, in words
/// @param next what to do; "nothing …" when it ends by itself
public record MemberAdvice(boolean isWell, String why, String next) {
    /// A follower that nobody waits for may be so old while the log grows.
    static final Duration WELL_BEHIND = Duration.ofSeconds(10);

    private static final String NOTHING = "nothing to do";
    private static final String AGAIN = "nothing to do: it connects again by itself";
    private static final String COMPARE =
            "it connects again by itself and both compare their logs; if this comes back, bring both to the same"
                    + " release of Gantry and report it with both logs";
    private static final String BYTES =
            "it connects again by itself; if this comes back, something on the way changes bytes: look for a proxy or"
                    + " balancer in front of haListenPort, and for a failing network card";
    private static final String LOOK =
            "look whether that process runs, hangs or has no network, and whether it can reach haListenPort; once"
                    + " connected it catches up by itself";

    /// @param group the view in which the member stands
    public static MemberAdvice of(ReplicaStatus group, MemberStatus member) {
        MemberState state = member.state();
        if (member.isGuest()) {
            return ofGuest(state);
        }
        boolean lost = group.role() == ReplicaRole.FOLLOWER && member.address().isEmpty();
        return switch (state) {
            case MemberState.InSync() -> new MemberAdvice(true, state.words(), NOTHING);
            case MemberState.CatchingUp _ -> catchingUp(group, member);
            case MemberState.NeverSeen() ->
                ill(
                        state,
                        lost
                                ? whereIsTheMaster()
                                : "start it, or take its number out of replicaMembers if it is gone for good");
            case MemberState.Connecting() ->
                ill(state, lost ? whereIsTheMaster() : "nothing to do: this takes three seconds at most");
            case MemberState.Diverged _ ->
                ill(state, "nothing to do: its end is cut back, kept aside in a file, and it connects again");
            case MemberState.Reseeding _ ->
                ill(
                        state,
                        "nothing to do: it copies the whole log as fast as bytes travel, and counts once that is done");
            case MemberState.Silent _ -> ill(state, lost ? whereIsTheMaster() : LOOK);
            case MemberState.Refused refused -> ill(state, next(refused.why().cause()));
        };
    }

    /// A slave of RocketMQ's that gets on is well: nothing waits for it.
    private static MemberAdvice ofGuest(MemberState state) {
        return switch (state) {
            case MemberState.InSync() -> new MemberAdvice(true, state.words(), NOTHING);
            case MemberState.CatchingUp _ ->
                new MemberAdvice(true, state.words(), "nothing to do: it copies as fast as bytes travel");
            case MemberState.NeverSeen() ->
                ill(
                        state,
                        "start that RocketMQ slave with this broker's name and nameservers, or take its address out of"
                                + " legacySlaves");
            case MemberState.Connecting() ->
                ill(state, "nothing to do: a RocketMQ slave says nothing for five seconds, and ten are the most");
            case MemberState.Silent _ ->
                ill(
                        state,
                        "see whether that RocketMQ slave runs and can reach legacyListenPort, or take its address out of"
                                + " legacySlaves");
            case MemberState.Refused refused -> ill(state, next(refused.why().cause()));
            case MemberState.Diverged _, MemberState.Reseeding _ -> ill(state, next(Cause.LEGACY));
        };
    }

    private static MemberAdvice ill(MemberState state, String next) {
        return new MemberAdvice(false, state.words(), next);
    }

    private static MemberAdvice catchingUp(ReplicaStatus group, MemberStatus member) {
        boolean isWell = group.promise().members() == 1 && member.lagMillis().orElse(0) < WELL_BEHIND.toMillis();
        return new MemberAdvice(
                isWell,
                member.state().words(),
                "nothing to do: it catches up as fast as bytes travel; if the distance grows, its disk or the network"
                        + " between the two is too slow");
    }

    private static String whereIsTheMaster() {
        return "no nameserver says where its master is: start the master, see that both register with the same"
                + " nameservers under the same brokerName, or set haMasterAddress";
    }

    /// A new cause does not compile until somebody has thought of its next step.
    static String next(Cause cause) {
        return switch (cause) {
            case FRAME_SHORT, FRAME_LONG, FRAME_LENGTH, MAGIC, FRAME_VERSION, TYPE, RESERVED, CHECKSUM, BODY -> BYTES;
            case SEQUENCE -> BYTES;
            case HELLO_ORDER, HELLO_LATE ->
                "it connects again by itself; if this stays, see that the process at the other end is a Gantry broker's"
                        + " haListenPort, and that it is not overloaded";
            case TOO_MANY_STRANGERS -> "somebody floods haListenPort: let only the members' addresses reach that port";
            case PROOF_WRONG ->
                "set the same replicaSecret or replicaSecretFile on both (without one: the same brokerClusterName and"
                        + " brokerName), and restart the one that was changed";
            case PROOF_KIND -> "let all members prove themselves in the same way: by secret, or by certificate";
            case CERTIFICATE -> "give it the certificate of its own cluster, broker name and number";
            case HELLO_ENDED ->
                "compare replicaSecret, brokerClusterName and brokerName of both, and read what the other one's log"
                        + " says";
            case VERSIONS -> "bring both to the same release of Gantry, the follower first";
            case OTHER_CLUSTER -> "set its brokerClusterName, or point haMasterAddress at its own group's master";
            case OTHER_GROUP -> "set its brokerName, or point haMasterAddress at its own group's master";
            case SAME_ID -> "give it a brokerId of its own";
            case UNKNOWN_MEMBER -> "add its brokerId to the master's replicaMembers, or stop it";
            case DUPLICATE_MEMBER -> "two processes have this brokerId: stop one, or give it another number";
            case REPLACED -> "nothing to do: a newer connection of the same process has taken over";
            case OUTRANKED ->
                "nothing to do: the master begins a newer epoch by itself; if this stays, two masters lead this group:"
                        + " stop the one with the older log";
            case FILE_SIZES ->
                "set mappedFileSizeCommitLog of the follower to its master's, and start it with an empty folder: a store"
                        + " keeps the size that it was made with";
            case EPOCH_FALSE ->
                "one of the two has a file `member` that cannot be true: give a follower an empty folder, and it copies"
                        + " the log anew; if it is the master's, call for help before you delete anything";
            case FOREIGN_LOG ->
                "its store belongs to another group or history, and was not touched: give it its own store, or move"
                        + " that one aside and start with an empty folder";
            case NEEDS_RESEED -> "nothing to do: it copies the master's whole log, and counts once that is done";
            case RANGE_GONE ->
                "nothing to do: its copy begins anew; if this comes back, the master's disk is too full to keep its log"
                        + " for as long as a copy takes: make room there";
            case CONFIRMED_LOST ->
                "the master lacks messages that were confirmed, as after a restore from an old copy: keep the follower's"
                        + " store that is set aside until you know whether you need them; the copy goes by itself";
            case NO_ROOM -> "make room on its disk or give it a larger one; it looks again by itself";
            case COPY_STALLED -> AGAIN + " and goes on; if this stays, look at the disks and the network of both";
            case STEPPED_DOWN -> "nothing to do: it looks for the new master";
            case VERDICT_FALSE,
                    NOT_NOW,
                    ACK_EPOCH,
                    ACK_FALSE,
                    CREDIT,
                    BATCH_EPOCH,
                    BATCH_OFFSET,
                    CONFIRM_FALSE,
                    COPY_FALSE,
                    RANGE_FALSE -> COMPARE;
            case RECORD_DAMAGED ->
                "nothing to do: the record is fetched again; if this stays, run ./gantry verify on the store of the"
                        + " member that sends";
            case LOG_FAILED -> "look at that member's own health and disk";
            case LEGACY ->
                "do what the cause says, it is tried again by itself; the steps of a migration stand in"
                        + " docs/moving-from-and-to-rocketmq.md";
            case SILENT, ENDED -> LOOK;
            case OUTBOX_FULL -> AGAIN + "; if this comes back, its disk or the network between the two is too slow";
        };
    }
}
