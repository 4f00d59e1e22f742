package gantry.server.watch;

import gantry.base.Endpoint;
import gantry.net.http.Page;
import gantry.net.http.Pages;
import gantry.net.http.Turned;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The pages of the admin port.
///
/// For:   finding the page of a path.
/// Owner: the port's thread; `sample` is the ticker's.
/// Never: changes anything in the process.
public final class AdminPages implements Pages {
    private static final String PATHS = """
            /health        verdict, every reason with its next step, each member of the replica group; 503 when not well
            /health/live   200 while the process moves; if it stays 503, restart it
            /health/ready  200 while clients should come here
            /metrics       for Prometheus
            /rocketmq/nsaddr  nameservers that answer, as RocketMQ's clients ask for them; of a nameserver only
            """;

    private final Sources sources;
    private final MetricsPage metrics;
    private final CopyRates rates = new CopyRates();

    /// @param turned who came to this port and got no page
    public AdminPages(Sources sources, Supplier<Map<Turned, Long>> turned) {
        this.sources = sources;
        this.metrics = new MetricsPage(sources, turned);
    }

    /// To be called every second or so.
    public void sample() {
        sources.broker()
                .get()
                .ifPresent(view -> rates.sample(view, sources.clock().nanos()));
    }

    @Override
    public Page page(String path, String accept) {
        return switch (path) {
            case "/" -> Page.text(Page.OK, PATHS);
            case "/health" -> HealthPage.whole(Seen.of(sources), rates);
            case "/health/live" -> HealthPage.live(Seen.of(sources));
            case "/health/ready" -> HealthPage.ready(Seen.of(sources));
            case "/metrics" -> metrics.page(accept);
            case "/rocketmq/nsaddr" -> nameservers();
            default -> Page.text(Page.NOT_FOUND, "There is no such page. There are:\n" + PATHS);
        };
    }

    private Page nameservers() {
        Optional<RoutesView> routes = sources.routes().get();
        if (routes.isEmpty()) {
            return Page.text(Page.NOT_FOUND, "This process is no nameserver.");
        }
        String list =
                routes.get().nameservers().stream().map(Endpoint::toString).collect(Collectors.joining(";"));
        return list.isEmpty()
                ? Page.text(
                        Page.UNAVAILABLE,
                        "This nameserver listens on all addresses and does not know by which of them clients reach it:"
                                + " name it in nameserverPeers.")
                : Page.text(Page.OK, list);
    }
}
