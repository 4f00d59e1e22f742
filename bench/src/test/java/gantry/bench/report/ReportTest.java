package gantry.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.bench.load.Workload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Ratios are taken within a round and their median is quoted; a bar says whether it is kept.
class ReportTest {
    private static final List<String[]> TITLES = List.<String[]>of(new String[] {"pipe-1k", "a title"});
    private static final long MEBIBYTE = 1 << 20;

    @Test
    void medianOfTheRoundsRatiosIsNotTheRatioOfTheMedians() {
        List<Measurement> ours = List.of(cpu("gantry", 1, 1), cpu("gantry", 2, 40), cpu("gantry", 3, 3));
        List<Measurement> theirs = List.of(cpu("peer", 1, 10), cpu("peer", 2, 100), cpu("peer", 3, 10));

        assertThat(Median.ratio(ours, theirs, Measurement::serverCpu)).isEqualTo(0.3);
        assertThat(Median.of(ours, Measurement::serverCpu)).isEqualTo(3);
    }

    @Test
    void roundThatOnlyOneSideHasGivesNoRatio() {
        assertThat(Median.ratio(List.of(cpu("gantry", 1, 1)), List.of(cpu("peer", 2, 1)), Measurement::serverCpu))
                .isNaN();
    }

    @Test
    void barsSayKeptAndMissed() {
        String kept = new Report(List.of(cpu("peer", 1, 100), cpu("gantry", 1, 12)), "gantry", "peer").text(TITLES);
        String missed = new Report(List.of(cpu("peer", 1, 40), cpu("gantry", 1, 5)), "gantry", "peer").text(TITLES);

        assertThat(kept).contains("CPU per message 0.120, at most 0.12: kept");
        assertThat(missed).contains("CPU per message 0.125, at most 0.12: MISSED");
    }

    @Test
    void oneTargetAloneHasNoRatio() {
        assertThat(new Report(List.of(cpu("peer", 1, 40)), "gantry", "peer").text(TITLES))
                .contains("40.00")
                .doesNotContain("ratio");
    }

    @Test
    void tableSaysBesideEachRatioWhatItShouldBe() {
        List<Measurement> all = List.of(cpu("peer", 1, 100), cpu("gantry", 1, 13), cpu("disk", 1, 2));
        String table = new MarkdownTable(all, "gantry", "peer")
                .text("a machine", List.of(Workload.find("pipe-1k").orElseThrow()));

        assertThat(table)
                .contains("| pipe-1k | disk | 1,000 | 1.00 | 2.00 | 2.00 |")
                .contains("**0.130** (≤ 0.12, missed)")
                .contains("**1.000** (≥ 4.00, missed)");
    }

    @Test
    void startIsJudgedByItsSeconds() {
        List<Measurement> all = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            all.add(start("peer", round, 8));
            all.add(start("gantry", round, 2));
        }
        assertThat(new Report(all, "gantry", "peer").text(List.<String[]>of(new String[] {"start", "a title"})))
                .contains("bar:  seconds 0.250, at most 0.33: kept");
    }

    private static Measurement start(String target, int round, double seconds) {
        return new Measurement(target, "start", round, 0, seconds, 0, 0, 0, 0, 0, 3, 0, 0, MEBIBYTE, MEBIBYTE);
    }

    private static Measurement cpu(String target, int round, double cpu) {
        return new Measurement(target, "pipe-1k", round, 1, 1, 1000, 1, 2, 3, 0, cpu, 1, 0, MEBIBYTE, MEBIBYTE);
    }
}
