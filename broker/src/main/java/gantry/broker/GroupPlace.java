package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.facts.FactLog;
import gantry.broker.legacy.LegacySlaves;
import gantry.broker.replica.GroupMember;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.member.MemberState;
import gantry.store.Disk;
import gantry.store.EntryRule;
import gantry.store.OpenFailed;
import gantry.store.Store;
import gantry.store.StoreAtRest;
import gantry.store.StoreConfig;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// A broker's place in its replica group, and the step from following to leading.
///
/// ```
///   follows: folds facts that others wrote ── leads, and has folded all that is confirmed ──▶ leads: takes changes
/// ```
/// For:   `BrokerNode`.
/// Owner: whoever ticks the node.
/// Holds: PLACE-1 nothing is changed here before every fact of former reigns is in the state.
final class GroupPlace {
    private static final Optional<String> TAKES_OVER =
            Optional.of("this broker begins to lead, and does not have all of its state yet: try again in a moment");

    private final GroupMember member;
    private final FactLog facts;
    private final Runnable lead;
    private final Image<Optional<FactFollower>> follower = new Image<>(Optional.empty());
    private final Image<Boolean> leading = new Image<>(false);

    /// Of a leader that RocketMQ's slaves may copy.
    private final Image<Optional<LegacySlaves>> slaves = new Image<>(Optional.empty());

    private final StatePoints points;
    private final BooleanSupplier settled;

    /// @param points what a leader tells of its state
    /// @param settled whether the log was handed everything that the state here says
    /// @param lead run once this broker may take changes
    GroupPlace(GroupMember member, FactLog facts, StatePoints points, BooleanSupplier settled, Runnable lead) {
        this.member = member;
        this.facts = facts;
        this.points = points;
        this.settled = settled;
        this.lead = lead;
    }

    /// A log that RocketMQ wrote, or whose own word of what is confirmed is lost, is all there is when its leader
    /// begins: it is opened alone once and closed, which confirms all of it. A follower has to prove its log to its
    /// leader instead.
    static void proveAlone(
            ReplicaConfig replica,
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            EntryRule rule)
            throws OpenFailed {
        if (replica.role() != ReplicaRole.LEADER || StoreAtRest.ranHereLast(disk) || StoreAtRest.isEmpty(disk)) {
            return;
        }
        Store alone = Store.open(config, disk, clock, offload, notices, faults, _ -> {}, rule);
        if (!alone.close()) {
            throw new OpenFailed("the log could not be taken over: see the line before");
        }
    }

    /// RocketMQ's slaves are shown beside the members, and may be handed everything.
    void serves(LegacySlaves door) {
        slaves.publish(Optional.of(door));
    }

    Optional<LegacySlaves> slaves() {
        return slaves.read();
    }

    GroupMember member() {
        return member;
    }

    /// The state is folded up to somewhere; what follows is folded as it is confirmed.
    void foldsOn(FactFollower next) {
        follower.publish(Optional.of(next));
    }

    /// Begins to lead if nothing is in the way.
    void look() {
        follower.read().ifPresent(this::look);
    }

    void tick() {
        slaves.read().ifPresent(LegacySlaves::tick);
        if (!leading.read()) {
            follower.read().ifPresent(folding -> {
                folding.tick(isInSync());
                look(folding);
            });
        } else {
            points.tick(member.status(), settled.getAsBoolean());
        }
    }

    /// With a leader that tells what its state was; a RocketMQ master does not.
    private boolean isInSync() {
        ReplicaStatus now = member.status();
        return now.epoch() > 0 && now.members().stream().anyMatch(each -> each.state() instanceof MemberState.InSync);
    }

    private void look(FactFollower folding) {
        if (!leading.read() && member.leads() && folding.folded() >= facts.end()) {
            folding.end();
            leading.publish(true);
            lead.run();
        }
    }

    boolean leads() {
        return leading.read();
    }

    /// Why a request that only a leader with enough followers takes is refused now; empty when it is taken.
    Optional<String> refuses() {
        Optional<String> why = member.refusesSends();
        return why.isPresent() || leading.read() ? why : TAKES_OVER;
    }

    /// How the group looks from here; why no send is taken includes what only the place knows.
    ReplicaStatus status() {
        ReplicaStatus seen = member.status();
        ReplicaStatus whole = seen.role() == ReplicaRole.LEADER && seen.refusesSends() == null && !leading.read()
                ? seen.refusing(TAKES_OVER.orElseThrow())
                : seen;
        ReplicaStatus compared = whole.comparing(whole.comparison().with(state()));
        return slaves.read().map(door -> door.in(compared)).orElse(compared);
    }

    private StateComparison state() {
        return leading.read()
                ? points.seen()
                : follower.read().map(FactFollower::compared).orElse(StateComparison.NONE);
    }

    /// Facts below it are in the state.
    long foldedTo() {
        return leading.read()
                ? Long.MAX_VALUE
                : follower.read().map(FactFollower::folded).orElse(0L);
    }

    /// Nothing is folded any more, and the others are taken leave of.
    void stop() {
        follower.read().ifPresent(FactFollower::end);
        member.stop();
        // No send is taken any more, so that what is confirmed comes to its end.
        slaves.read().ifPresent(LegacySlaves::leave);
    }
}
