package gantry.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.net.http.Page;
import gantry.net.http.Turned;
import gantry.replica.member.MemberState;
import gantry.store.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/monitoring.md has every metric, each metric is there in both formats, and none has a value that is made up.
class MonitoringPageTest {
    private static final Path PAGE = Path.of("../docs/monitoring.md");

    private final AdminPages pages = new AdminPages(
            Views.sources(
                    Views.broker(
                            new State.Serving(),
                            List.of(),
                            Views.leader(
                                    null,
                                    Views.known(1, new MemberState.CatchingUp(40), 40, 1_500, 250),
                                    Views.unknown(2, new MemberState.Reseeding(41, 100)))),
                    List.of()),
            () -> Map.of(Turned.CROWD, 4L));

    @Test
    void pageOfDocumentsHasExactlyTheMetricsThereAre() throws IOException {
        SortedSet<String> there = names(Pattern.compile("^# TYPE (\\S+) ", Pattern.MULTILINE), text("text/plain"));
        SortedSet<String> told = names(
                Pattern.compile("^\\| `((?:gantry|jvm|process)_[a-z_]+)`", Pattern.MULTILINE), Files.readString(PAGE));
        assertThat(there).hasSizeGreaterThan(40);
        assertThat(told).isEqualTo(there);
    }

    @Test
    void everyNameInAnAlertIsAMetric() throws IOException {
        String page = Files.readString(PAGE);
        SortedSet<String> there = names(Pattern.compile("^# TYPE (\\S+) ", Pattern.MULTILINE), text("text/plain"));
        SortedSet<String> used =
                names(Pattern.compile("\\b(gantry_[a-z_]+)"), page.substring(page.indexOf("- alert:")));
        assertThat(used).hasSizeGreaterThan(3).isSubsetOf(there);
    }

    /// R004: a lag is never negative, and one that is not known is not there.
    @Test
    void membersHaveRowsForWhatIsKnownAlone() {
        assertThat(text("text/plain").lines())
                .contains(
                        "gantry_replica_member_lag_bytes{member=\"1\"} 40.0",
                        "gantry_replica_member_lag_messages{member=\"1\"} 2.0",
                        "gantry_replica_member_lag_seconds{member=\"1\"} 1.5",
                        "gantry_replica_member_heard_seconds{member=\"1\"} 0.25",
                        "gantry_replica_member_state{member=\"1\",state=\"CATCHING_UP\"} 1.0",
                        "gantry_replica_member_state{member=\"1\",state=\"IN_SYNC\"} 0.0",
                        "gantry_replica_member_state{member=\"2\",state=\"RESEEDING\"} 1.0",
                        "gantry_replica_member_reseed_done_bytes{member=\"2\"} 41.0",
                        "gantry_replica_ranges_compared_total 30.0",
                        "gantry_replica_ranges_mended_total 4.0",
                        "gantry_replica_rotten_places 1.0",
                        "gantry_replica_state_differs 0.0",
                        "gantry_replica_state_not_compared 0.0",
                        "gantry_replica_state_compared_bytes 750.0",
                        "gantry_replica_member_differing_ranges{member=\"2\"} 0.0",
                        "gantry_replica_member_compared_seconds{member=\"1\"} 5.5",
                        "gantry_replica_refused_total{cause=\"PROOF_WRONG\"} 3.0",
                        "gantry_admin_turned_away_total{cause=\"crowd\"} 4.0",
                        "gantry_healthy 0.0",
                        "gantry_ready 1.0",
                        "gantry_log_unflushed_bytes 100.0",
                        "gantry_log_unconfirmed_bytes 200.0",
                        "gantry_disk_free_bytes 4000.0",
                        "gantry_messages_in_total 14.0")
                .noneMatch(line -> line.startsWith("gantry_replica_member_lag") && line.contains("member=\"2\""))
                .noneMatch(line -> line.matches("[^#].* -\\d.*"));
    }

    @Test
    void openMetricsIsGivenToWhoAsksForIt() {
        Page page = pages.page("/metrics", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertThat(page.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(page.body(), StandardCharsets.UTF_8))
                .contains("# TYPE gantry_messages_in counter\n", "gantry_messages_in_total 14.0\n")
                .endsWith("# EOF\n");
        assertThat(pages.page("/metrics", "").contentType()).startsWith("text/plain; version=0.0.4");
    }

    private String text(String accept) {
        return new String(pages.page("/metrics", accept).body(), StandardCharsets.UTF_8);
    }

    private static SortedSet<String> names(Pattern pattern, String text) {
        SortedSet<String> names = new TreeSet<>();
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }
}
