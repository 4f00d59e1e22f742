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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Apache's own slaves copy a running Gantry master, Gantry hands over, and each of them goes on as the master.
///
/// Both versions copy the same master at the same time. Every message that was answered SEND_OK is there, at its
/// offset, though the oldest files were gone before the first slave came; topics, offsets and delayed messages go on.
@EnabledIfSystemProperty(named = "judge.target", matches = "gantry")
final class LegacySlaveTest {
    private static final Duration STOP = Duration.ofSeconds(60);

    private static final String[] SMALL = {
        "mappedFileSizeCommitLog=1048576", "mappedFileSizeConsumeQueue=6000", "registerNameServerPeriod=10000"
    };

    private static final List<String> TOPICS = List.of("large", "orders");
    private static final List<String> PAIRS = List.of("large@group", "orders@group");

    @TempDir
    private Path folder;

    @Test
    void bothVersionsGoOnWhereGantryEnded() throws Exception {
        Path oldStore = folder.resolve("old-store");
        Path newStore = folder.resolve("new-store");
        Map<String, Map<Integer, Long>> before;
        Set<String> acknowledged = new HashSet<>();
        try (Peer leader = leader();
                Judge judge = Judge.start("judge", ClientVersion.OLD, leader, folder)) {
            fill(judge);
            awaitBegin(leader);
            CompletableFuture<Peer> starting = background(() -> slave(ServerVersion.OLD, oldStore, leader, 1));
            try (Peer newer = slave(ServerVersion.NEW, newStore, leader, 2);
                    Peer older = starting.join()) {
                awaitInStep(leader);
                Talk sender = judge.tell("send mode=sync topic=orders count=0 pause=5 size=500 prefix=live");
                sender.awaitCount("sent", 100);
                older.kill();
                older.restart();
                sender.stop();
                awaitInStep(leader);
                commit(judge, "orders");

                Talk last = judge.tell("send mode=sync retries=0 topic=fresh count=0 pause=2 size=500 prefix=last");
                finished(judge.tell("send mode=sync topic=later delay=3 count=3 prefix=late"));
                last.awaitCount("sent", 50);
                assertThat(Figures.handOver(leader.broker()).text()).contains("\"code\":0");
                last.stop();
                before = Census.committed(judge, PAIRS);
                last.all("sent").stream()
                        .filter(line -> line.text("status").equals("SEND_OK"))
                        .forEach(line -> acknowledged.add(place(line)));
                sender.all("sent").stream()
                        .filter(line -> line.text("status").equals("SEND_OK"))
                        .forEach(line -> acknowledged.add(place(line)));
                assertThat(leader.terminate(STOP)).isZero();
                CompletableFuture<Integer> stopping = background(() -> older.terminate(STOP));
                newer.terminate(STOP);
                stopping.join();
                assertSameFiles(oldStore);
                assertSameFiles(newStore);
            }
        }
        CompletableFuture<Boolean> old = background(() -> {
            goesOn(ServerVersion.OLD, oldStore, before, acknowledged);
            return true;
        });
        goesOn(ServerVersion.NEW, newStore, before, acknowledged);
        old.join();
    }

    /// All but the newest file, byte for byte.
    private void assertSameFiles(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("commitlog"))) {
            List<Path> sorted = files.sorted().toList();
            int compared = 0;
            // RocketMQ makes the file behind the newest, too.
            for (Path file : sorted.subList(0, Math.max(0, sorted.size() - 2))) {
                Path ours = folder.resolve("leader-store/commitlog").resolve(file.getFileName());
                if (Files.exists(ours)) {
                    assertThat(Files.mismatch(file, ours)).as("%s", file).isEqualTo(-1);
                    compared++;
                }
            }
            assertThat(compared).isPositive();
        }
    }

    private void goesOn(
            ServerVersion version, Path store, Map<String, Map<Integer, Long>> before, Set<String> acknowledged)
            throws IOException {
        try (Peer master = Peer.apache(version, "master-" + version, folder, Peer.Flush.ASYNC, store, SMALL);
                Judge judge = Judge.start("after-" + version, ClientVersion.OLD, master, folder)) {
            asked(judge, "offsets topic=orders");
            Census after = Census.of(judge, TOPICS, PAIRS);
            assertThat(after.committed()).as("committed offsets").isEqualTo(before);
            Set<String> there = new HashSet<>();
            Talk survey = judge.tell("survey topics=orders,fresh");
            survey.await("done");
            survey.all("got").forEach(line -> there.add(place(line)));
            assertThat(there).containsAll(acknowledged);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(keys(judge, "later")).contains("late-0", "late-1", "late-2"));
            finished(judge.tell("send mode=sync topic=orders count=5 prefix=after"));
            assertThat(keys(judge, "orders")).contains("after-4");
        }
    }

    private Peer leader() throws IOException {
        return Peer.gantry(
                "leader",
                folder,
                Peer.Flush.ASYNC,
                folder.resolve("leader-store"),
                "brokerName=judged",
                "brokerClusterName=judges",
                "mappedFileSizeCommitLog=1048576",
                "mappedFileSizeConsumeQueue=6000",
                "maxCommitLogBytes=8388608",
                "legacySlaves=127.0.0.1");
    }

    private Peer slave(ServerVersion version, Path store, Peer leader, int brokerId) throws IOException {
        return Peer.apacheSlave(version, "slave-" + version, folder, store, leader, brokerId, SMALL);
    }

    private void fill(Judge judge) {
        for (String topic : List.of("large queues=2", "orders queues=3", "fresh queues=2", "later queues=1")) {
            asked(judge, "topic topic=" + topic);
        }
        finished(judge.tell("send mode=batch batch=20 topic=large count=4000 size=2500"));
        finished(judge.tell("send mode=sync topic=orders count=60 size=300"));
        commit(judge, "large");
        commit(judge, "orders");
    }

    /// Retention has deleted the oldest files.
    private static void awaitBegin(Peer leader) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(Figures.of(leader.broker()).number("commitLogMinOffset"))
                        .isPositive());
    }

    private static void awaitInStep(Peer leader) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    Figures figures = Figures.of(leader.broker());
                    assertThat(figures.line("gantry.replica.member.-1.state")).isEqualTo("IN_SYNC");
                    assertThat(figures.line("gantry.replica.member.-2.state")).isEqualTo("IN_SYNC");
                });
    }

    /// Something that takes long.
    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> CompletableFuture<T> background(Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(work.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
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
