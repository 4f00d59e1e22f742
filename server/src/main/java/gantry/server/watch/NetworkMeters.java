package gantry.server.watch;

import gantry.net.NetFigures;
import gantry.net.http.Turned;
import java.util.Locale;
import java.util.Map;

/// The metrics of a process's connections.
///
/// For:   `/metrics`.
/// Owner: none (stateless).
final class NetworkMeters {
    private NetworkMeters() {}

    static void add(Meters out, NetFigures net, Map<Turned, Long> turned) {
        out.gauge(
                "gantry_connections",
                "Connections that are open, accepted and dialled, without the admin port's.",
                net.open());
        out.counter("gantry_connections_accepted", "Connections that others opened.", net.accepted());
        out.counter("gantry_connections_dialled", "Connections that this process opened or tried to.", net.dialled());
        out.counter("gantry_connections_refused", "Connections beyond the limit.", net.refused());
        out.counter(
                "gantry_connections_overflowed",
                "Connections closed because they did not read what was sent to them.",
                net.overflowed());
        out.counter("gantry_connections_idled", "Connections closed because nothing moved on them.", net.idled());
        out.counter(
                "gantry_connections_faults", "Connections closed because of a fault of this program.", net.faults());
        Meters.Rows strangers = new Meters.Rows();
        net.strangersByCause().forEach((cause, count) -> strangers.put(count, "cause", lower(cause)));
        out.counter(
                "gantry_connections_strangers",
                "Connections closed because what they sent is no frame, by what it was.",
                strangers);
        out.gauge("gantry_outbox_bytes", "Memory of what waits to go out.", net.outboxBytes());
        out.gauge("gantry_gathered_bytes", "Memory of received parts of unfinished frames.", net.gatheredBytes());
        Meters.Rows noPage = new Meters.Rows();
        turned.forEach((why, count) -> noPage.put(count, "cause", lower(why.name())));
        out.counter("gantry_admin_turned_away", "Who came to the admin port and got no page, by cause.", noPage);
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }
}
