package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.StateDigest;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.member.CompareLimits;
import gantry.replica.member.MemberState;
import gantry.store.Refusal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Puts state points in the log, and says behind each what the leader's state was there.
///
/// ```
///   due ──▶ POINT in the log ── confirmed, taken in by an export: digest ──▶ TOLD in the log
///                                                                     each member: `StateCheck`
/// ```
/// For:   a leader whose followers are to know whether they have folded the same.
/// Owner: its sequencer.
/// Never: a point while no follower is in sync, or while one is on its way.
final class StatePoints {
    private final FactLog facts;
    private final Supplier<Optional<StateDigest.At>> digests;
    private final Duration every;
    private final Duration soon;
    private final Clock clock;
    private final Sequencer sequencer;
    private final Image<StateComparison> seen = new Image<>(StateComparison.NONE);
    private Set<Long> inSync = new HashSet<>();
    private long dueNanos;

    /// A point at or behind it is ours and not told yet; -1: there is none.
    private long askedFrom = -1;

    /// @param digests the newest that the confirmed state has taken
    StatePoints(
            FactLog facts,
            Supplier<Optional<StateDigest.At>> digests,
            CompareLimits limits,
            Clock clock,
            Offload offload,
            Sequencer.Faults faults) {
        this.facts = facts;
        this.digests = digests;
        this.every = limits.stateEvery();
        this.soon = limits.stateSoon();
        this.clock = clock;
        this.sequencer = new Sequencer("state points", offload, faults);
        this.dueNanos = clock.nanos() + every.toNanos();
    }

    /// The last point that was told of.
    StateComparison seen() {
        return seen.read();
    }

    /// Time passes, and this member leads.
    ///
    /// @param settled whether the log was handed everything that the state here says
    void tick(ReplicaStatus group, boolean settled) {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            look(group, now);
            tell();
            if (askedFrom < 0 && settled && !inSync.isEmpty() && now - dueNanos >= 0) {
                ask(now);
            }
        });
    }

    /// Who has just come into sync may have begun from a copy, or from files.
    private void look(ReplicaStatus group, long now) {
        Set<Long> there = new HashSet<>();
        for (MemberStatus member : group.members()) {
            if (member.state() instanceof MemberState.InSync && !member.isGuest()) {
                there.add(member.memberId());
            }
        }
        boolean isNew = !inSync.containsAll(there);
        inSync = there;
        long soonest = now + soon.toNanos();
        if (isNew && soonest - dueNanos < 0) {
            dueNanos = soonest;
        }
    }

    private void ask(long now) {
        dueNanos = now + every.toNanos();
        askedFrom = facts.end();
        facts.append(new Fact.StatePoint(), refusal -> sequencer.submitAlways(() -> asked(refusal)));
    }

    /// A point that is only late stands in the log.
    private void asked(@Nullable Refusal refusal) {
        if (refusal != null && refusal.kind() != Refusal.Kind.LATE) {
            askedFrom = -1;
            dueNanos = clock.nanos() + soon.toNanos();
        }
    }

    private void tell() {
        Optional<StateDigest.At> newest = digests.get();
        if (askedFrom < 0 || newest.isEmpty() || newest.get().point() < askedFrom) {
            return;
        }
        StateDigest.At at = newest.get();
        askedFrom = -1;
        facts.append(new Fact.StateTold(at.point(), at.digest()), refusal -> {
            if (refusal == null) {
                seen.publish(StateComparison.told(at.logEnd(), clock.wallMillis()));
            }
        });
    }
}
