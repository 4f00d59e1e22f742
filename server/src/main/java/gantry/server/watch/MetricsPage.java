package gantry.server.watch;

import gantry.net.http.Page;
import gantry.net.http.Turned;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;

/// The metrics of a process, in Prometheus's text or in OpenMetrics.
///
/// For:   what scrapes `/metrics`.
/// Owner: none; makes everything anew for each scrape, from what the parts have published.
/// Never: counts or measures anything between two scrapes; a label whose values nobody bounds, such as a topic.
final class MetricsPage {
    private final Sources sources;
    private final Supplier<Map<Turned, Long>> turned;

    MetricsPage(Sources sources, Supplier<Map<Turned, Long>> turned) {
        this.sources = sources;
        this.turned = turned;
    }

    Page page(String accept) {
        ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
        ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : PrometheusTextFormatWriter.create();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writer.write(bytes, meters().snapshots());
        } catch (IOException e) {
            // Nothing but memory is written to.
            throw new UncheckedIOException(e);
        }
        return new Page(Page.OK, writer.getContentType(), bytes.toByteArray());
    }

    Meters meters() {
        Seen seen = Seen.of(sources);
        Meters out = new Meters();
        out.gauge("gantry_healthy", "1 while there is no reason in /health, else 0.", seen.isWell());
        out.gauge("gantry_live", "1 while /health/live says yes, else 0.", seen.isLive());
        out.gauge("gantry_ready", "1 while /health/ready says yes, else 0.", seen.isReady());
        out.gauge("gantry_health_reasons", "Reasons in /health.", seen.reasons().size());
        seen.routes().ifPresent(routes -> routes(out, routes));
        seen.broker().ifPresent(broker -> {
            BrokerMeters.add(out, broker);
            broker.group().ifPresent(group -> ReplicaMeters.add(out, group));
        });
        NetworkMeters.add(out, sources.network().get(), turned.get());
        ProcessMeters.add(out);
        return out;
    }

    private static void routes(Meters out, RoutesView routes) {
        out.gauge("gantry_nameserver_brokers", "Brokers that this nameserver knows, by name.", routes.brokers());
        out.gauge(
                "gantry_nameserver_suspects",
                "Broker processes that were not heard for half of their promise.",
                routes.suspects());
        out.counter(
                "gantry_nameserver_stalls_total",
                "How often this nameserver stood still for 3 s or more and closed all connections.",
                routes.stalls());
    }
}
