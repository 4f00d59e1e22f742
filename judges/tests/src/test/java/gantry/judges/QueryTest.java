package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What official clients find through `MQAdmin`: by key, by unique key, by offset id, by time; and again after the
/// server was killed.
final class QueryTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void messagesAreFoundAlsoAfterAKill(ClientVersion version) throws IOException {
        try (Peer peer = Peer.start("queried-" + version, folder, Peer.Flush.SYNC);
                Judge judge = Judge.start("asking-" + version, version, peer, folder)) {
            judge.tell("topic topic=found queues=2").await("done");
            List<Line> sent = send(judge, "found", 0);
            judge.tell("topic topic=other queues=1").await("done");
            judge.tell("send topic=other prefix=found count=1").await("done");
            check(judge, sent);

            peer.kill();
            peer.restart();
            // A client that asks while its connection is still the old one is told nothing.
            Awaitility.await()
                    .atMost(Talk.PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(keys(judge, "topic=found key=found-0")).containsExactly("found-0"));
            check(judge, sent);
            check(judge, send(judge, "found", 100));
        }
    }

    private static List<Line> send(Judge judge, String topic, int from) {
        Talk sender = judge.tell("send mode=batch batch=5 topic=" + topic + " from=" + from + " count=20");
        sender.await("done");
        assertThat(sender.all("failed")).isEmpty();
        Talk single = judge.tell("send mode=sync topic=" + topic + " from=" + (from + 20) + " count=5");
        single.await("done");
        return single.all("sent");
    }

    private static void check(Judge judge, List<Line> sent) {
        for (Line each : sent) {
            String key = each.text("key");
            assertThat(keys(judge, "topic=found key=" + key)).as("by key").containsExactly(key);
            assertThat(keys(judge, "topic=found id=" + each.text("uniqueKey")))
                    .as("by unique key")
                    .containsExactly(key);
            assertThat(keys(judge, "topic=found id=" + each.text("id")))
                    .as("by offset id")
                    .containsExactly(key);
        }
        Line last = find(judge, "topic=found key=" + sent.getLast().text("key")).getFirst();
        long stored = last.longInteger("storeMillis");
        String key = "topic=found key=" + last.text("key");
        assertThat(keys(judge, key + " begin=" + stored + " end=" + stored))
                .as("in its time")
                .hasSize(1);
        assertThat(keys(judge, key + " begin=" + (stored + 1000)))
                .as("after its time")
                .isEmpty();
        assertThat(keys(judge, key + " end=" + (stored - 1000)))
                .as("before its time")
                .isEmpty();
        assertThat(keys(judge, "topic=found key=nobody-1")).isEmpty();
    }

    private static List<String> keys(Judge judge, String question) {
        return find(judge, question).stream().map(line -> line.text("key")).toList();
    }

    private static List<Line> find(Judge judge, String question) {
        Talk finder = judge.tell("find " + question);
        finder.await("done");
        assertThat(finder.all("got"))
                .allSatisfy(line -> assertThat(line.text("body")).isEqualTo("whole"));
        return finder.all("got");
    }
}
