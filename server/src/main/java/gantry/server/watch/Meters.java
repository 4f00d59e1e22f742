package gantry.server.watch;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The metrics of one scrape, on their way to the library that writes them.
///
/// For:   one line for each metric, where its value is read.
/// Owner: the thread that makes the page.
final class Meters {
    private final List<MetricSnapshot> all = new ArrayList<>();

    /// The values of one metric, by label.
    static final class Rows {
        private final Map<Labels, Double> values = new LinkedHashMap<>();

        void put(long value, String... labels) {
            put((double) value, labels);
        }

        void put(double value, String... labels) {
            values.put(Labels.of(labels), value);
        }
    }

    void gauge(String name, String help, long value) {
        gauge(name, help, (double) value);
    }

    void gauge(String name, String help, double value) {
        Rows rows = new Rows();
        rows.put(value);
        gauge(name, help, rows);
    }

    void gauge(String name, String help, boolean value) {
        gauge(name, help, value ? 1 : 0);
    }

    /// Nothing when there is no row.
    void gauge(String name, String help, Rows rows) {
        if (rows.values.isEmpty()) {
            return;
        }
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        rows.values.forEach((labels, value) -> gauge.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(value)
                .build()));
        all.add(gauge.build());
    }

    /// @param name without `_total`, which is added
    void counter(String name, String help, long value) {
        counter(name, help, (double) value);
    }

    void counter(String name, String help, double value) {
        Rows rows = new Rows();
        rows.put(value);
        counter(name, help, rows);
    }

    void counter(String name, String help, Rows rows) {
        if (rows.values.isEmpty()) {
            return;
        }
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        rows.values.forEach((labels, value) -> counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value)
                .build()));
        all.add(counter.build());
    }

    MetricSnapshots snapshots() {
        return new MetricSnapshots(all);
    }
}
