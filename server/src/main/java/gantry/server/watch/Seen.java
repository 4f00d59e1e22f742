package gantry.server.watch;

import gantry.broker.query.BrokerView;
import gantry.broker.query.Health;
import gantry.broker.query.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How a process is, at one moment.
///
/// For:   the health pages and the metrics, which must say the same.
/// Owner: none (immutable).
///
/// @param isLive  whether everything that must never wait moves; if it stays false, the process has to be restarted
/// @param isReady whether clients should come here
/// @param reasons why not all is well; none when all is
record Seen(
        String role,
        boolean isLive,
        boolean isReady,
        List<Reason> reasons,
        Optional<BrokerView> broker,
        Optional<RoutesView> routes) {

    static Seen of(Sources sources) {
        Optional<BrokerView> broker = sources.broker().get();
        List<Reason> reasons = new ArrayList<>();
        for (String stuck : sources.stuck().get()) {
            reasons.add(new Reason(
                    "process",
                    "stuck",
                    stuck + ". If this stays, restart the process; its log says where it is.",
                    true));
        }
        boolean isLive = reasons.isEmpty();
        for (String waits : sources.waiting().get()) {
            reasons.add(new Reason(
                    "process",
                    "waits",
                    waits + ". Most likely a disk or a name server does not answer: look at both; the log says where"
                            + " it is.",
                    false));
        }
        broker.ifPresent(view -> reasons.addAll(Health.of(view)));
        return new Seen(
                sources.role(),
                isLive,
                reasons.stream().noneMatch(Reason::closes),
                List.copyOf(reasons),
                broker,
                sources.routes().get());
    }

    boolean isWell() {
        return reasons.isEmpty();
    }
}
