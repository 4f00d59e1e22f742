package gantry.broker.query;

import gantry.broker.replica.ComparisonStatus;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.store.State;
import gantry.store.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Why a broker does not do all it should.
///
/// For:   the one place where what is published becomes reasons: the broker's figures, health page and metrics.
/// Owner: none (stateless).
/// Never: measures anything.
public final class Health {
    private Health() {}

    /// Everything that is wrong, the worst first.
    public static List<Reason> of(BrokerView view) {
        List<Reason> all = new ArrayList<>(own(view.part(), view.state(), view.troubles(), view.group()));
        view.group().ifPresent(group -> {
            for (MemberStatus member : group.members()) {
                MemberAdvice advice = MemberAdvice.of(group, member);
                if (!advice.isWell()) {
                    all.add(new Reason(
                            view.part() + ": " + memberPart(group, member),
                            advice.why(),
                            heard(member) + ": " + advice.next() + ".",
                            group.role() == ReplicaRole.FOLLOWER));
                }
            }
        });
        view.group().ifPresent(group -> all.addAll(comparison(view.part(), group.comparison())));
        for (String trouble : view.nameservers().troubles()) {
            all.add(new Reason(
                    view.part(),
                    "not registered everywhere",
                    trouble + ". Look whether that nameserver runs and can be reached, or take it out of namesrvAddr.",
                    view.nameservers().known() == 0));
        }
        return all;
    }

    /// What is wrong with the logs and the state of the group, as far as comparing has shown. That places are rotten
    /// the store
    /// says; here stands why they stay so.
    static List<Reason> comparison(String part, ComparisonStatus comparison) {
        List<Reason> reasons = new ArrayList<>();
        if (comparison.unmended() > 0 && !comparison.why().isEmpty()) {
            reasons.add(new Reason(
                    part,
                    "rot is not mended",
                    comparison.unmended() + " rotten "
                            + (comparison.unmended() == 1 ? "place" : "places")
                            + " of this log could not be fetched again: " + comparison.why()
                            + ". It is tried again every minute; bring all members in sync, and run ./gantry verify on"
                            + " their stores: a member whose copy is whole can be given this one's place.",
                    false));
        }
        StateComparison state = comparison.state();
        if (state.differs()) {
            reasons.add(new Reason(
                    part,
                    "state differs",
                    "The " + String.join(", ", state.parts()) + " of this slave are not its master's " + state.since()
                            + ". Nothing was changed, and messages are not touched by it. Give this slave an empty"
                            + " folder: it copies log and state anew; keep its config/ for whoever looks for the"
                            + " cause. If both slaves of a master say so, look at the master's instead.",
                    false));
        }
        if (state.isLate()) {
            reasons.add(new Reason(
                    part,
                    "state is not compared",
                    state.missing()
                            + ". Topics, groups and offsets of master and slave may differ, and nobody would see"
                            + " it; messages are not touched by it. It is tried again by itself: look at the log files"
                            + " of both for why records or config/ are not written.",
                    false));
        }
        for (ComparisonStatus.Of member : comparison.members()) {
            if (member.differing() > 0) {
                reasons.add(new Reason(
                        part + ": follower " + member.memberId(),
                        "logs differ",
                        "In " + member.differing() + (member.differing() == 1 ? " part" : " parts")
                                + " of the log, the first from log offset " + member.from() + " to " + member.to()
                                + ", this master and the follower have different bytes, and each says that its own are"
                                + " sound. Nothing was changed. Run ./gantry verify on both stores and look at the"
                                + " messages there on both; give the follower an empty folder if it is the one that is"
                                + " wrong.",
                        false));
            }
        }
        return reasons;
    }

    /// What `gantry health` calls a member.
    public static String memberPart(ReplicaStatus group, MemberStatus member) {
        if (group.role() == ReplicaRole.FOLLOWER) {
            return "its master";
        }
        return member.isGuest() ? "RocketMQ slave " + -member.memberId() : "follower " + member.memberId();
    }

    private static String heard(MemberStatus member) {
        String address = member.address().isEmpty() ? "" : " (" + member.address() + ")";
        return member.heardMillis().isEmpty()
                ? "never heard" + address
                : "last heard " + ReplicaFigures.seconds(member.heardMillis(), "never") + " s ago" + address;
    }

    /// What is wrong with the broker itself.
    static List<Reason> own(String part, State state, List<Trouble> troubles, Optional<ReplicaStatus> view) {
        List<Reason> reasons = new ArrayList<>();
        if (state instanceof State.Fenced fenced) {
            return List.of(new Reason(part, "fenced", fenced.reason(), true));
        }
        if (!(state instanceof State.Serving)) {
            return List.of(new Reason(
                    part,
                    "closed",
                    "The store is closed: the broker stops, or changes its log and opens it anew in a moment; if this"
                            + " stays, read its log.",
                    true));
        }
        for (Trouble trouble : troubles) {
            reasons.add(new Reason(part, trouble.kind().words(), trouble.sentence(), closes(trouble.kind())));
        }
        view.filter(seen -> seen.role() == ReplicaRole.LEADER).ifPresent(seen -> {
            if (seen.refusesSends() != null) {
                reasons.add(new Reason(
                        part,
                        ReplicaFigures.refusalWords(seen),
                        "No send is taken: " + seen.refusesSends() + ".",
                        true));
            }
        });
        return reasons;
    }

    private static boolean closes(Trouble.Kind kind) {
        return switch (kind) {
            case DISK_FULL, SYNC_STALLED -> true;
            case QUEUES_STALLED, REBUILDING, DELETING_FAILS, BIT_ROT -> false;
        };
    }
}
