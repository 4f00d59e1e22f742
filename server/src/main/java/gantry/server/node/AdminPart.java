package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Network;
import gantry.net.http.HttpPort;
import gantry.server.config.AdminPlace;
import gantry.server.watch.AdminPages;
import gantry.server.watch.Sources;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The admin port of a process: health and metrics by HTTP.
///
/// ```
///   port is free ─▶ open      default port is taken ─▶ a free one is open
///   chosen port is taken ─▶ said; tried again every ten seconds ─▶ open, said
/// ```
/// For:   opening it beside the broker, which goes on without it: who looks on must not be able to stop what is seen.
/// Owner: the starting thread, then the ticker.
/// Never: what is shown.
final class AdminPart {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPart.class);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final Duration SAMPLE = Duration.ofSeconds(1);

    private final Ground ground;
    private final AdminPlace place;
    private final AdminPages pages;
    private final Image<Optional<HttpPort>> open = new Image<>(Optional.empty());
    private final Image<Boolean> stopped = new Image<>(false);

    private AdminPart(Ground ground, AdminPlace place, Sources sources) {
        this.ground = ground;
        this.place = place;
        this.pages =
                new AdminPages(sources, () -> open.read().map(HttpPort::turned).orElse(Map.of()));
    }

    /// @param addresses is given where it listens, unless its port is taken
    static void start(Ground ground, AdminPlace place, Sources sources, Map<String, Endpoint> addresses) {
        AdminPart part = new AdminPart(ground, place, sources);
        ground.parts().add(Parts.Layer.NETWORK, "the admin port", part::stop);
        try {
            part.open(place.listen());
        } catch (Network.ListenFailed e) {
            part.giveWay(e);
        }
        part.open.read().ifPresent(there -> addresses.put("admin", there.local()));
        ground.ticker().every(SAMPLE, "the admin port", part.pages::sample);
        if (place.chosen()) {
            ground.ticker().every(RETRY, "the admin port", part::retry);
        }
    }

    private void open(Endpoint here) throws Network.ListenFailed {
        HttpPort opened = HttpPort.open(here, pages, ground.notices());
        open.publish(Optional.of(opened));
        if (stopped.read()) {
            opened.close();
        }
    }

    /// Nobody has chosen a default port, so a free one does as well; a chosen one is where somebody looks.
    private void giveWay(Network.ListenFailed why) {
        if (place.chosen()) {
            LOG.warn(
                    "There is no admin port, so neither health nor metrics by HTTP: {}. The broker or nameserver serves"
                            + " without it; it is tried again every {} s (adminPort, adminAddress)",
                    why.getMessage(),
                    RETRY.toSeconds());
            return;
        }
        try {
            open(new Endpoint(place.listen().host(), 0));
            LOG.info(
                    "The default admin port is taken ({}), so a free one is used, which the line with \"ready\" names;"
                            + " adminPort sets one",
                    why.getMessage());
        } catch (Network.ListenFailed e) {
            LOG.warn("There is no admin port, so neither health nor metrics by HTTP: {}", e.getMessage());
        }
    }

    private void retry() {
        if (open.read().isPresent() || stopped.read()) {
            return;
        }
        try {
            open(place.listen());
            LOG.info(ConsoleLogging.OVER, "The admin port is open at {}", place.listen());
        } catch (Network.ListenFailed e) {
            // As was said at the start; it stays true until it is said that it is over.
            LOG.debug("still no admin port", e);
        }
    }

    private void stop() {
        stopped.publish(true);
        open.read().ifPresent(HttpPort::close);
    }
}
