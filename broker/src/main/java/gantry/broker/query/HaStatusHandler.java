package gantry.broker.query;

import gantry.base.Clock;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.replica.member.MemberState;
import gantry.wire.body.HaStatus;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Says how a master and its slaves stand (request 907), in the words of RocketMQ's tools.
///
/// For:   mqadmin's haStatus.
/// Owner: none; reads what others publish.
/// Never: shows who has not proved to be a member and said where its log ends.
public final class HaStatusHandler implements RequestHandler {
    private final Supplier<Optional<ReplicaStatus>> group;
    private final LongSupplier end;
    private final Clock clock;

    /// @param end of the log, for a broker that stands alone
    public HaStatusHandler(Supplier<Optional<ReplicaStatus>> group, LongSupplier end, Clock clock) {
        this.group = group;
        this.end = end;
        this.clock = clock;
    }

    @Override
    public void handle(Request request) {
        HaStatus status = group.get()
                .map(this::of)
                .orElseGet(() -> new HaStatus(true, end.getAsLong(), 0, List.of(), Optional.empty()));
        request.answer(ResponseCodes.SUCCESS, status.toBytes());
    }

    HaStatus of(ReplicaStatus view) {
        if (view.role() == ReplicaRole.FOLLOWER) {
            return new HaStatus(false, 0, 0, List.of(), Optional.of(client(view)), Optional.of(checks(view)));
        }
        List<HaStatus.Slave> slaves = new ArrayList<>();
        int inSync = 0;
        for (MemberStatus member : view.members()) {
            OptionalLong lag = ReplicaFigures.lagBytes(member);
            if (lag.isPresent()) {
                boolean isInSync = member.state() instanceof MemberState.InSync;
                inSync += isInSync && !member.isGuest() ? 1 : 0;
                long behind = Math.min(lag.getAsLong(), view.end());
                slaves.add(new HaStatus.Slave(name(member), view.end() - behind, behind, isInSync, walk(view, member)));
            }
        }
        return new HaStatus(true, view.end(), inSync, slaves, Optional.empty(), Optional.of(checks(view)));
    }

    private static HaStatus.Checks checks(ReplicaStatus view) {
        StateComparison state = view.comparison().state();
        return new HaStatus.Checks(
                view.comparison().unmended(),
                state.outcome().name().toLowerCase(Locale.ROOT),
                state.logOffset(),
                state.parts(),
                state.missing());
    }

    private Optional<HaStatus.Walk> walk(ReplicaStatus view, MemberStatus member) {
        return view.comparison().members().stream()
                .filter(each -> each.memberId() == member.memberId())
                .findAny()
                .map(each -> new HaStatus.Walk(
                        each.endedMillis().isPresent()
                                ? clock.wallMillis() - each.endedMillis().getAsLong()
                                : 0,
                        each.at(),
                        each.goesTo(),
                        each.rottenThere(),
                        each.differing()));
    }

    /// Several members may come from one host.
    private static String name(MemberStatus member) {
        String id = member.isGuest() ? "RocketMQ, does not count" : "brokerId " + member.memberId();
        return member.address().isEmpty() ? id : member.address() + " (" + id + ")";
    }

    private HaStatus.Client client(ReplicaStatus view) {
        if (view.members().isEmpty()) {
            return new HaStatus.Client("", view.end(), view.confirm(), 0);
        }
        MemberStatus leader = view.members().getFirst();
        OptionalLong heard = leader.heardMillis();
        return new HaStatus.Client(
                leader.address(),
                view.end(),
                view.end() + ReplicaFigures.lagBytes(leader).orElse(0),
                heard.isPresent() ? clock.wallMillis() - heard.getAsLong() : 0);
    }
}
