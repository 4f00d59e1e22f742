package gantry.broker.query;

import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.member.MemberState;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// A member's view of its group as lines of a table.
///
/// For:   the broker's figures (code 28).
/// Owner: none (stateless).
/// Never: a number for what is not known.
public final class ReplicaFigures {
    private static final String PREFIX = "gantry.replica.";

    private ReplicaFigures() {}

    static void put(Map<String, String> table, ReplicaStatus group) {
        table.put(PREFIX + "role", group.role().name().toLowerCase(Locale.ROOT));
        table.put(PREFIX + "memberId", Long.toString(group.memberId()));
        if (group.role() == ReplicaRole.LEADER) {
            table.put(PREFIX + "promise", group.promise().words());
        }
        table.put(PREFIX + "epoch", Long.toString(group.epoch()));
        table.put(PREFIX + "confirmOffset", Long.toString(group.confirm()));
        table.put(PREFIX + "strangers", Integer.toString(group.strangers()));
        group.refused().forEach((cause, count) -> table.put(PREFIX + "refused." + cause.name(), Long.toString(count)));
        table.put(
                PREFIX + "members",
                group.members().stream()
                        .map(member -> Long.toString(member.memberId()))
                        .collect(Collectors.joining(",")));
        group.members().forEach(member -> put(table, group, member));
    }

    private static void put(Map<String, String> table, ReplicaStatus group, MemberStatus member) {
        String prefix = PREFIX + "member." + member.memberId() + ".";
        MemberAdvice advice = MemberAdvice.of(group, member);
        table.put(prefix + "state", advice.why());
        table.put(prefix + "well", Boolean.toString(advice.isWell()));
        table.put(prefix + "next", advice.next());
        table.put(prefix + "lagBytes", number(lagBytes(member), "unknown"));
        table.put(prefix + "lagMessages", number(member.lagMessages(), "unknown"));
        table.put(prefix + "lagSeconds", seconds(member.lagMillis(), "unknown"));
        table.put(prefix + "heardSecondsAgo", seconds(member.heardMillis(), "never"));
        if (!member.address().isEmpty()) {
            table.put(prefix + "address", member.address());
        }
    }

    /// How much of the log a member lacks, as far as anybody can say; never negative.
    public static OptionalLong lagBytes(MemberStatus member) {
        if (member.lagBytes().isPresent()) {
            return OptionalLong.of(Math.max(0, member.lagBytes().getAsLong()));
        }
        return switch (member.state()) {
            case MemberState.CatchingUp(long bytes) -> OptionalLong.of(Math.max(0, bytes));
            case MemberState.InSync() -> OptionalLong.of(0);
            case MemberState.NeverSeen(),
                    MemberState.Connecting(),
                    MemberState.Diverged _,
                    MemberState.Reseeding _,
                    MemberState.Silent _,
                    MemberState.Refused _ -> OptionalLong.empty();
        };
    }

    /// In one word or two, why a leader takes no sends.
    static String refusalWords(ReplicaStatus group) {
        return group.promise().members() > 1 ? "too few members in sync" : "takes no sends";
    }

    private static String number(OptionalLong value, String absent) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : absent;
    }

    static String seconds(OptionalLong millis, String absent) {
        return millis.isPresent() ? String.format(Locale.ROOT, "%.1f", millis.getAsLong() / 1000.0) : absent;
    }
}
