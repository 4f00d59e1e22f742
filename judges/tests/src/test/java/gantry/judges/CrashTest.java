package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.Progress;
import gantry.judges.court.Stored;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A server that is killed in the middle of sends and started again has lost nothing that it had answered.
final class CrashTest {
    private static final int QUEUES = 4;

    @TempDir
    private Path folder;

    /// Three producers (one by one, pipelined, in batches; without resends, so that a message is sent once at
    /// most) and a consumer are at work when the server is killed; after the restart they go on by themselves.
    @ParameterizedTest
    @EnumSource
    void everyAnsweredSendSurvivesAKillOnce(ClientVersion version) throws IOException {
        try (Peer peer = Peer.start("killed-" + version, folder, Peer.Flush.SYNC);
                Judge judge = Judge.start("producers-" + version, version, peer, folder);
                Judge consumers = Judge.start("consumers-" + version, version, peer, folder)) {
            judge.tell("topic topic=crash queues=" + QUEUES).await("done");
            Talk consumer = consumers.tell("push topic=crash group=g");
            List<Talk> senders = List.of(
                    judge.tell("send mode=sync topic=crash prefix=one count=0 retries=0 size=500"),
                    judge.tell("send mode=async topic=crash prefix=many count=0 retries=0 size=500"),
                    judge.tell("send mode=batch batch=5 topic=crash prefix=batch count=0 retries=0 size=100"));
            senders.forEach(sender -> sender.awaitCount("sent", 200));
            consumer.awaitCount("got", 100);

            peer.kill();
            List<Integer> before =
                    senders.stream().map(sender -> sender.all("sent").size()).toList();
            peer.restart();
            for (int i = 0; i < senders.size(); i++) {
                senders.get(i).awaitCount("sent", before.get(i) + 50);
            }
            List<Line> acknowledged = new ArrayList<>();
            for (Talk sender : senders) {
                sender.stop();
                sender.await("done");
                acknowledged.addAll(sender.all("sent"));
            }

            Stored stored = Stored.of(judge, "crash");
            stored.holdsAll(acknowledged);
            isInOrderOfSending(stored, "one");
            isInOrderOfSending(stored, "batch");
            Set<String> wanted = keys(acknowledged);
            consumer.awaitAll("got", lines -> keys(lines).containsAll(wanted), "every answered message", Talk.PATIENCE);
        }
    }

    /// A consumer is killed together with the server. What it had committed, by the server's own answer, is where the
    /// next one goes on: nothing before it comes again, nothing after it is left out.
    @ParameterizedTest
    @EnumSource
    void aGroupGoesOnFromItsCommittedOffsets(ClientVersion version) throws IOException {
        try (Peer peer = Peer.start("killed-" + version, folder, Peer.Flush.SYNC);
                Judge judge = Judge.start("first-" + version, version, peer, folder)) {
            judge.tell("topic topic=progress queues=" + QUEUES).await("done");
            Map<Integer, Long> answered;
            try (Judge killed = Judge.start("second-" + version, version, peer, folder)) {
                judge.tell("send mode=batch batch=50 topic=progress count=3000").await("done");
                // About 150 a second; the client commits for the first time after 10 s, so it is killed half-way.
                killed.tell("push topic=progress group=g pause=13 threads=2");
                answered = Progress.awaitSome(judge, "progress", "g");
                peer.kill();
                killed.kill();
            }
            peer.restart();

            Map<Integer, Long> kept = Progress.of(judge, "progress", "g");
            if (Peer.isGantry()) {
                // Apache's broker writes them every 5 s only, and so takes answers back.
                kept.forEach((queue, offset) -> assertThat(offset)
                        .as("committed offset of queue %d", queue)
                        .isGreaterThanOrEqualTo(answered.getOrDefault(queue, -1L)));
            }
            Map<Integer, Long> ends = Progress.ends(judge, "progress");
            Set<String> wanted = new HashSet<>();
            ends.forEach((queue, end) -> {
                long from = kept.getOrDefault(queue, 0L);
                assertThat(from).isLessThanOrEqualTo(end);
                for (long offset = Math.max(0, from); offset < end; offset++) {
                    wanted.add(queue + "@" + offset);
                }
            });
            Talk next = judge.tell("push topic=progress group=g");
            List<Line> got = next.awaitAll(
                    "got",
                    lines -> places(lines).containsAll(wanted),
                    "all from the committed offsets on",
                    Talk.PATIENCE);
            next.stop();
            assertThat(places(got)).isEqualTo(wanted);
        }
    }

    private static void isInOrderOfSending(Stored stored, String prefix) {
        stored.queues()
                .forEach((queue, lines) -> assertThat(lines.stream()
                                .filter(line -> line.text("key").startsWith(prefix + "-"))
                                .map(line -> line.integer("index")))
                        .as("indexes of \"%s\" in queue %d", prefix, queue)
                        .isSorted());
    }

    private static Set<String> keys(List<Line> lines) {
        Set<String> keys = new HashSet<>();
        lines.forEach(line -> keys.add(line.text("key")));
        return keys;
    }

    private static Set<String> places(List<Line> lines) {
        Set<String> places = new HashSet<>();
        lines.forEach(line -> places.add(line.text("queue") + "@" + line.text("offset")));
        return places;
    }
}
