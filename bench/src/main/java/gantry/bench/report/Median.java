package gantry.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// Medians over rounds, and medians of the ratios within rounds.
///
/// For:   quoting one figure for several rounds.
/// Owner: none (stateless).
final class Median {
    private Median() {}

    /// NaN when there is none.
    static double of(List<Measurement> of, ToDoubleFunction<Measurement> figure) {
        return middle(of.stream().mapToDouble(figure).sorted().toArray());
    }

    /// The median of `ours / theirs` over the rounds that have both; NaN when no round has.
    static double ratio(List<Measurement> ours, List<Measurement> theirs, ToDoubleFunction<Measurement> figure) {
        return middle(ours.stream()
                .flatMapToDouble(mine -> theirs.stream()
                        .filter(other -> other.round() == mine.round())
                        .mapToDouble(other -> figure.applyAsDouble(mine) / figure.applyAsDouble(other)))
                .sorted()
                .toArray());
    }

    private static double middle(double[] sorted) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
