package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Puts state points in the log, and says behind each what the leader's state was there.
///
/// ```
///   due ──▶ POINT in the log ── confirmed, taken in by an export: digest ──▶ TOLD in the log
///                                                                     each member: `StateCheck`
/// from due to told: `StateComparison.LATE` at most, or it is named
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
    private final Notices notices;
    private final Sequencer sequencer;
    private final Image<StateComparison> seen = new Image<>(StateComparison.NONE);
    private Set<Long> inSync = new HashSet<>();
    private long dueNanos;

    /// A point at or behind it is ours and not told yet; -1: there is none.
    private long askedFrom = -1;

    /// From when on a point is due and has not been told of, while somebody is in sync; empty: none is.
    private OptionalLong waitsSince = OptionalLong.empty();

    private Stage stage = Stage.UNSETTLED;
    private String refused = "";

    /// How far the point has come that is due.
    private enum Stage {
        UNSETTLED("changes of topics and groups have not come into the log"),
        POINT("the record of a state point has not been confirmed"),
        DIGEST("no export of config/ has come to the state point; the log file says why exports fail"),
        WORD("the record that tells what the state was has not been confirmed");

        private final String why;

        Stage(String why) {
            this.why = why;
        }
    }

    /// @param digests the newest that the confirmed state has taken
    StatePoints(
            FactLog facts,
            Supplier<Optional<StateDigest.At>> digests,
            CompareLimits limits,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.facts = facts;
        this.digests = digests;
        this.every = limits.stateEvery();
        this.soon = limits.stateSoon();
        this.clock = clock;
        this.notices = notices;
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
            boolean isDue = askedFrom < 0 && !inSync.isEmpty() && now - dueNanos >= 0;
            if (isDue && waitsSince.isEmpty()) {
                waitsSince = OptionalLong.of(now);
            }
            if (isDue && settled) {
                ask(now);
            }
            look(now);
        });
    }

    /// What is late has a name.
    private void look(long now) {
        if (inSync.isEmpty()) {
            ends();
        } else if (waitsSince.isPresent()
                && now - waitsSince.getAsLong() >= StateComparison.LATE.toNanos()
                && !seen.read().isLate()) {
            String why = "For " + StateComparison.LATE.toMinutes() + " minutes this master could not tell its slaves"
                    + " what its state is: " + (refused.isEmpty() ? stage.why : "its record was refused, " + refused);
            seen.publish(seen.read().lacking(why));
            notices.alarm("State is not compared. " + why);
        }
    }

    private void ends() {
        waitsSince = OptionalLong.empty();
        stage = Stage.UNSETTLED;
        refused = "";
        if (seen.read().isLate()) {
            seen.publish(seen.read().lacking(""));
            notices.over("Nothing keeps this master from telling its slaves what its state is any more.");
        }
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
        stage = Stage.POINT;
        facts.append(new Fact.StatePoint(), refusal -> sequencer.submitAlways(() -> asked(refusal)));
    }

    /// A point that is only late stands in the log.
    private void asked(@Nullable Refusal refusal) {
        if (refusal == null) {
            stage = stage == Stage.POINT ? Stage.DIGEST : stage;
        } else if (refusal.kind() != Refusal.Kind.LATE) {
            askedFrom = -1;
            isRefused(refusal);
        }
    }

    private void isRefused(Refusal refusal) {
        stage = Stage.UNSETTLED;
        refused = refusal.remark();
        dueNanos = clock.nanos() + soon.toNanos();
    }

    private void tell() {
        Optional<StateDigest.At> newest = digests.get();
        if (askedFrom < 0 || newest.isEmpty() || newest.get().point() < askedFrom) {
            return;
        }
        StateDigest.At at = newest.get();
        askedFrom = -1;
        stage = Stage.WORD;
        facts.append(
                new Fact.StateTold(at.point(), at.digest()),
                refusal -> sequencer.submitAlways(() -> hasTold(at.logEnd(), refusal)));
    }

    private void hasTold(long logEnd, @Nullable Refusal refusal) {
        if (refusal != null) {
            isRefused(refusal);
            return;
        }
        ends();
        seen.publish(StateComparison.told(logEnd, clock.wallMillis()));
    }
}
