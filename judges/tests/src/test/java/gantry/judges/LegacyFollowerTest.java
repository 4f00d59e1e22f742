package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.Census;
import gantry.judges.court.ClientVersion;
import gantry.judges.court.Figures;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.ServerVersion;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Gantry copies a running Apache master by Apache's own replication, the master is killed, and Gantry takes its place.
///
/// Every message that was answered SEND_OK while the copy was in step is there, at its offset; topics, groups, offsets
/// and delayed messages go on. Both versions are judged at the same time: most of it is waiting.
@EnabledIfSystemProperty(named = "judge.target", matches = "gantry")
final class LegacyFollowerTest {
    private static final Duration STOP = Duration.ofSeconds(60);

    private static final List<String> SMALL = List.of(
            "mappedFileSizeCommitLog=1048576",
            "mappedFileSizeConsumeQueue=6000",
            "flushConsumerOffsetInterval=300",
            "flushDelayOffsetInterval=300",
            "registerNameServerPeriod=10000",
            "slaveTimeout=10000");

    /// 4.9 does not know the number; 5.x would answer without its slave.
    private static final List<String> WAITS_FOR_ITS_SLAVE = List.of("brokerRole=SYNC_MASTER", "inSyncReplicas=2");

    @TempDir
    private Path folder;

    private final List<String> topics = new ArrayList<>();

    @Test
    void gantryTakesThePlaceOfApache497() throws IOException {
        takesThePlaceOf(ServerVersion.OLD, ClientVersion.OLD, false);
    }

    @Test
    void gantryTakesThePlaceOfApache550WhoseOldestFilesAreGone() throws IOException {
        takesThePlaceOf(ServerVersion.NEW, ClientVersion.NEW, true);
    }

    private void takesThePlaceOf(ServerVersion version, ClientVersion client, boolean losesHead) throws IOException {
        Path store = folder.resolve("copy");
        Path original = folder.resolve("original");
        Census before;
        List<Line> acknowledged = new ArrayList<>();
        try (Peer alone = apache(version, "alone", original, List.of());
                Judge judge = Judge.start("judge-before", client, alone, folder)) {
            fill(judge);
            alone.terminate(STOP);
        }
        if (losesHead) {
            loseHead(original);
            // Apache's own queues begin before what is left of the log, which it says only message by message.
            topics.removeAll(List.of("large", "idle"));
        }
        try (Peer master = apache(version, "master", original, WAITS_FOR_ITS_SLAVE);
                Judge judge = Judge.start("judge", client, master, folder)) {
            asked(judge, "offsets topic=large");
            try (Peer copy = follower(store, master, "follower")) {
                Figures.awaitInStep(copy.broker(), master.broker());
                commit(judge, "large");
                commit(judge, "orders");
                finished(judge.tell("send topic=later delay=4 count=3 prefix=late"));
                Talk sender = judge.tell("send mode=sync topic=orders count=200 size=3000 prefix=live");
                copy.kill();
                copy.restart();
                sender.awaitCount("done", 1, Duration.ofMinutes(3));
                Figures.awaitInStep(copy.broker(), master.broker());
                before = Census.of(judge, topics, List.of("large@group", "orders@group"));
                awaitTables(store, before);

                // Due when Gantry is in the master's place.
                finished(judge.tell("send mode=sync topic=later delay=3 count=3 prefix=late"));
                Talk last = judge.tell("send mode=sync retries=0 topic=fresh count=0 size=500 prefix=last");
                last.awaitCount("sent", 50);
                master.kill();
                last.stop();
                acknowledged.addAll(last.all("sent").stream()
                        .filter(line -> line.text("status").equals("SEND_OK"))
                        .toList());
                assertThat(acknowledged).as("answered with a copy in step").isNotEmpty();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .untilAsserted(
                                () -> assertThat(Figures.of(copy.broker()).line("gantry.replica.member.0.state"))
                                        .startsWith("SILENT"));
                copy.terminate(STOP);
            }
        }
        try (Peer leader = Peer.gantry(
                        "leader", folder, Peer.Flush.ASYNC, store, "brokerName=judged", "brokerClusterName=judges");
                Judge judge = Judge.start("after", client, leader, folder)) {
            asked(judge, "offsets topic=orders");
            before.isAlso(Census.of(judge, topics, List.of("large@group", "orders@group")));
            assertThat(keys(judge, "large")).contains("large-1200", "large-1300", "large-1399");
            Set<String> fresh = new HashSet<>();
            Talk survey = judge.tell("survey topics=fresh");
            survey.await("done");
            survey.all("got").forEach(line -> fresh.add(place(line)));
            assertThat(fresh)
                    .containsAll(
                            acknowledged.stream().map(LegacyFollowerTest::place).toList());
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(keys(judge, "later")).contains("late-0", "late-1", "late-2"));
            if (losesHead) {
                Talk next = judge.tell("send mode=sync topic=idle count=1");
                finished(next);
                assertThat(next.all("sent"))
                        .as("behind the ten that are gone")
                        .allMatch(line -> line.text("offset").equals("10"));
            }
            finished(judge.tell("send mode=sync topic=orders count=5 prefix=after"));
            assertThat(keys(judge, "orders")).contains("after-4");
        }
    }

    private Peer apache(ServerVersion version, String name, Path store, List<String> more) throws IOException {
        List<String> lines = new ArrayList<>(SMALL);
        lines.addAll(more);
        return Peer.apache(version, name, folder, Peer.Flush.ASYNC, store, lines.toArray(String[]::new));
    }

    private Peer follower(Path store, Peer master, String name) throws IOException {
        return Peer.gantry(
                name,
                folder,
                Peer.Flush.ASYNC,
                store,
                "brokerRole=SLAVE",
                "brokerId=1",
                "brokerName=judged",
                "brokerClusterName=judges",
                "legacyMasterAddress=" + master.broker());
    }

    private void fill(Judge judge) {
        asked(judge, "topic topic=large queues=2");
        asked(judge, "topic topic=orders queues=3");
        asked(judge, "topic topic=fresh queues=2");
        asked(judge, "topic topic=later queues=1");
        asked(judge, "topic topic=idle queues=1");
        topics.addAll(List.of("large", "orders", "idle"));
        finished(judge.tell("send mode=sync topic=idle count=10"));
        commit(judge, "idle");
        finished(judge.tell("send mode=batch batch=20 topic=large count=1400 size=2500"));
        finished(judge.tell("send mode=sync topic=orders count=60 size=300"));
    }

    /// As retention does, which cannot be told to here.
    private static void loseHead(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("commitlog"))) {
            List<Path> sorted = files.sorted().toList();
            assertThat(sorted).hasSizeGreaterThan(3);
            Files.delete(sorted.get(0));
            Files.delete(sorted.get(1));
        }
    }

    /// The copy has the offsets that the master has.
    private static void awaitTables(Path store, Census census) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            String text = Files.readString(store.resolve("config/consumerOffset.json"));
            census.committed()
                    .forEach((pair, queues) -> assertThat(text.replace("\"", ""))
                            .contains(queues.entrySet().stream()
                                    .map(queue -> queue.getKey() + ":" + queue.getValue())
                                    .collect(Collectors.joining(",", pair + ":{", "}"))));
        });
    }

    private static String place(Line line) {
        return line.text("key") + " at " + line.text("queue") + "@" + line.text("offset");
    }

    private static void commit(Judge judge, String topic) {
        asked(judge, "pull topic=" + topic + " group=group commit=true");
    }

    private static void finished(Talk sender) {
        sender.awaitCount("done", 1, Duration.ofMinutes(3));
        assertThat(sender.all("sent")).isNotEmpty();
    }

    private static void asked(Judge judge, String question) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptionsMatching(AssertionError.class::isInstance)
                .until(() -> judge.tell(question).await("done") != null);
    }

    private static Set<String> keys(Judge judge, String topic) {
        Talk survey = judge.tell("survey topics=" + topic);
        survey.await("done");
        Set<String> keys = new HashSet<>();
        survey.all("got").forEach(line -> keys.add(line.text("key")));
        return keys;
    }
}
