package gantry.server.watch;

import gantry.broker.query.MemberAdvice;
import gantry.broker.query.ReplicaFigures;
import gantry.broker.replica.ComparisonStatus;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.member.MemberState;
import java.util.List;

/// The metrics of a replica group, as one member sees it.
///
/// For:   `/metrics`.
/// Owner: none (stateless).
/// Never: a value for what is not known: that row is missing, and never negative.
final class ReplicaMeters {
    /// Every name a state can have, so that each is there with 0 or 1.
    private static final List<String> STATES =
            List.of("NEVER_SEEN", "CONNECTING", "CATCHING_UP", "IN_SYNC", "DIVERGED", "RESEEDING", "SILENT", "REFUSED");

    private ReplicaMeters() {}

    static void add(Meters out, ReplicaStatus group) {
        boolean leads = group.role() == ReplicaRole.LEADER;
        out.gauge("gantry_replica_leader", "1 for a leader (master), 0 for a follower (slave).", leads);
        out.gauge("gantry_replica_epoch", "The epoch that is led or followed.", group.epoch());
        if (leads) {
            out.gauge(
                    "gantry_replica_promised_members",
                    "How many members have an acknowledged message.",
                    group.promise().members());
            out.gauge(
                    "gantry_replica_refuses_sends",
                    "1 while sends are refused, because too few members are in sync.",
                    group.refusesSends() != null);
        }
        out.gauge(
                "gantry_replica_strangers",
                "Connections to the replication port that have not proved themselves yet.",
                group.strangers());
        Meters.Rows refused = new Meters.Rows();
        group.refused().forEach((cause, count) -> refused.put(count, "cause", cause.name()));
        out.counter("gantry_replica_refused", "Connections that were ended, by cause; design/007 lists them.", refused);
        members(out, group);
        comparison(out, group.comparison());
    }

    private static void comparison(Meters out, ComparisonStatus comparison) {
        out.counter(
                "gantry_replica_ranges_compared",
                "Parts of the log whose digests were compared with another member's.",
                comparison.compared());
        out.counter(
                "gantry_replica_ranges_mended",
                "Parts of this member's log that were rotten and were fetched again.",
                comparison.mended());
        out.gauge(
                "gantry_replica_rotten_places",
                "Places of this member's log that are rotten and not mended yet.",
                comparison.unmended());
        StateComparison state = comparison.state();
        out.gauge(
                "gantry_replica_state_differs",
                "1 while topics, groups, offsets or delays of this follower are not its leader's.",
                state.differs());
        out.gauge(
                "gantry_replica_state_not_compared",
                "1 while topics, groups, offsets and delays of master and slaves have not been compared for too long.",
                state.isLate());
        Meters.Rows at = new Meters.Rows();
        if (state.logOffset() >= 0) {
            at.put(state.logOffset());
        }
        out.gauge(
                "gantry_replica_state_compared_bytes",
                "Log offset for which the state was compared (follower) or told (leader) last; absent: not yet.",
                at);
        Meters.Rows differing = new Meters.Rows();
        Meters.Rows age = new Meters.Rows();
        for (ComparisonStatus.Of member : comparison.members()) {
            String id = Long.toString(member.memberId());
            differing.put(member.differing(), "member", id);
            member.wholeMillis().ifPresent(millis -> age.put(millis / 1000.0, "member", id));
        }
        out.gauge(
                "gantry_replica_member_differing_ranges",
                "Parts of the log that differ, although each side says that its own is sound.",
                differing);
        out.gauge(
                "gantry_replica_member_compared_seconds",
                "Seconds since the whole log was compared and was the same; absent: not yet.",
                age);
    }

    private static void members(Meters out, ReplicaStatus group) {
        Meters.Rows states = new Meters.Rows();
        Meters.Rows well = new Meters.Rows();
        Meters.Rows lagBytes = new Meters.Rows();
        Meters.Rows lagMessages = new Meters.Rows();
        Meters.Rows lagSeconds = new Meters.Rows();
        Meters.Rows heard = new Meters.Rows();
        Meters.Rows done = new Meters.Rows();
        Meters.Rows total = new Meters.Rows();
        for (MemberStatus member : group.members()) {
            String id = Long.toString(member.memberId());
            String now = name(member.state());
            STATES.forEach(state -> states.put(state.equals(now) ? 1 : 0, "member", id, "state", state));
            well.put(MemberAdvice.of(group, member).isWell() ? 1 : 0, "member", id);
            ReplicaFigures.lagBytes(member).ifPresent(bytes -> lagBytes.put(bytes, "member", id));
            member.lagMessages().ifPresent(messages -> lagMessages.put(messages, "member", id));
            member.lagMillis().ifPresent(millis -> lagSeconds.put(millis / 1000.0, "member", id));
            member.heardMillis().ifPresent(millis -> heard.put(millis / 1000.0, "member", id));
            if (member.state() instanceof MemberState.Reseeding copying) {
                done.put(copying.doneBytes(), "member", id);
                total.put(copying.totalBytes(), "member", id);
            }
        }
        out.gauge("gantry_replica_member_state", "1 for the state that the member is in, 0 for the others.", states);
        out.gauge("gantry_replica_member_well", "1 while /health has nothing to say of the member, else 0.", well);
        out.gauge("gantry_replica_member_lag_bytes", "Bytes of the log that it lacks; absent: unknown.", lagBytes);
        out.gauge("gantry_replica_member_lag_messages", "Messages that it lacks; absent: unknown.", lagMessages);
        out.gauge(
                "gantry_replica_member_lag_seconds",
                "Age of the oldest message that it lacks; absent: unknown.",
                lagSeconds);
        out.gauge(
                "gantry_replica_member_heard_seconds", "Seconds since it was heard last; absent: never heard.", heard);
        out.gauge("gantry_replica_member_reseed_done_bytes", "Bytes it has copied of a whole log.", done);
        out.gauge("gantry_replica_member_reseed_size_bytes", "Bytes of the log that it copies.", total);
    }

    private static String name(MemberState state) {
        return switch (state) {
            case MemberState.NeverSeen() -> "NEVER_SEEN";
            case MemberState.Connecting() -> "CONNECTING";
            case MemberState.CatchingUp _ -> "CATCHING_UP";
            case MemberState.InSync() -> "IN_SYNC";
            case MemberState.Diverged _ -> "DIVERGED";
            case MemberState.Reseeding _ -> "RESEEDING";
            case MemberState.Silent _ -> "SILENT";
            case MemberState.Refused _ -> "REFUSED";
        };
    }
}
