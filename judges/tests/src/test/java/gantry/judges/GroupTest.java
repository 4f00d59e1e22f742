package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.GantryPair;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.Progress;
import gantry.judges.court.Stored;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What official clients, as they are, see of a leader and a follower: the promise of a SYNC_MASTER, a leader that is
/// killed, and a topic that was another one when the follower looked last.
final class GroupTest {
    private static final int SERVICE_NOT_AVAILABLE = 14;

    /// The client takes so many at once, and so many more before it takes any.
    private static final int PULLED_AT_ONCE = 32;

    private static final int WINDOW = 10;
    private static final int QUEUES = 4;

    @TempDir
    private Path folder;

    @BeforeEach
    void ours() {
        assumeTrue(Peer.isGantry(), "the promise is ours alone: Apache's SYNC_MASTER answers SEND_OK without a slave");
    }

    /// R002, R003: whatever happens to the follower, SEND_OK is never said of a message that it does not have.
    @ParameterizedTest
    @EnumSource
    void sendIsAnsweredOnlyWhileTheFollowerIsInSync(ClientVersion version) throws IOException {
        try (GantryPair pair = GantryPair.open(folder)) {
            pair.leader().start("SYNC_MASTER");
            try (Judge judge = Judge.start("clients-" + version, version, pair, folder)) {
                Talk alone = judge.tell("send topic=pair prefix=alone count=2");
                alone.await("done");
                assertThat(alone.all("sent")).isEmpty();
                areRefused(alone.all("failed"));

                pair.follower().start("SLAVE");
                Talk sender = judge.tell("send topic=pair count=0 retries=0 pause=10");
                awaitAnswered(sender, 1);
                Talk consumer = judge.tell("push topic=pair group=g");
                awaitAnswered(sender, 100);
                consumer.awaitCount("got", 50);

                pair.follower().kill();
                // It sends one after another: what comes after the first refusal was sent after the kill.
                sender.awaitCount("failed", sender.all("failed").size() + 1);
                int answered = answered(sender).size();
                List<Line> failed =
                        sender.awaitCount("failed", sender.all("failed").size() + 30);
                assertThat(answered(sender)).hasSize(answered);
                areRefused(failed.subList(failed.size() - 30, failed.size()));
                assertThat(failed.getLast().text("text")).contains("member 1 is SILENT");

                pair.follower().start("SLAVE");
                awaitAnswered(sender, answered + 50);
                sender.stop();
                sender.await("done");
                List<Line> acknowledged = answered(sender);
                assertThat(sender.all("sent"))
                        .allSatisfy(line -> assertThat(line.text("status")).isIn("SEND_OK", "FLUSH_SLAVE_TIMEOUT"));
                Stored.of(judge, "pair").holdsAll(acknowledged);
                awaitAll(consumer, keys(acknowledged));
            }
        }
    }

    /// R009, R011: the leader is gone, and consumption goes on; it comes back with a new epoch, and offsets go on.
    @ParameterizedTest
    @EnumSource
    void everythingAnsweredIsReadFromTheFollowerWhenTheLeaderIsKilled(ClientVersion version) throws IOException {
        try (GantryPair pair = GantryPair.open(folder)) {
            pair.start("SYNC_MASTER");
            try (Judge judge = Judge.start("clients-" + version, version, pair, folder)) {
                awaitInSync(judge);
                judge.tell("topic topic=kept queues=" + QUEUES).await("done");
                Talk consumer =
                        judge.tell("push topic=kept group=g pause=3 threads=1 persist=300 poll=1000 window=" + WINDOW);
                consumer.await("assigned");
                Talk before = judge.tell("send mode=batch batch=50 topic=kept prefix=before count=2000");
                before.await("done");
                Set<String> confirmed = keys(answered(before));
                assertThat(confirmed).hasSize(2000);
                Talk during = judge.tell("send topic=kept prefix=during count=0 retries=0 pause=5");
                awaitAnswered(during, 20);
                Map<Integer, Long> committed = Progress.awaitSome(judge, "kept", "g");

                pair.leader().kill();
                assertThat(consumer.all("got"))
                        .as("what the consumer has or may hold already is not all")
                        .hasSizeLessThan(2000 - QUEUES * (WINDOW + PULLED_AT_ONCE));
                Talk late = judge.tell("push topic=kept group=late");
                awaitAll(late, confirmed);
                awaitAll(consumer, confirmed);
                int answered = answered(during).size();

                pair.leader().start("SYNC_MASTER");
                awaitAnswered(during, answered + 20);
                Progress.of(judge, "kept", "g")
                        .forEach((queue, offset) -> assertThat(offset)
                                .as("committed offset of queue %d", queue)
                                .isGreaterThanOrEqualTo(committed.getOrDefault(queue, -1L)));
                during.stop();
                during.await("done");
                List<Line> acknowledged = new ArrayList<>(answered(before));
                acknowledged.addAll(answered(during));
                Stored.of(judge, "kept").holdsAll(acknowledged);
                awaitAll(consumer, keys(acknowledged));
                awaitAll(late, keys(acknowledged));
                Map<Integer, Long> ends = Progress.ends(judge, "kept");
                Awaitility.await().atMost(Talk.PATIENCE).until(() -> ends.equals(Progress.of(judge, "kept", "g")));
                consumer.stop();

                Talk after = judge.tell("send topic=kept prefix=after count=20");
                after.await("done");
                Talk next = judge.tell("push topic=kept group=g");
                awaitAll(next, keys(answered(after)));
                next.stop();
                assertThat(keys(next.all("got"))).isEqualTo(keys(answered(after)));
            }
        }
    }

    /// R025: what was deleted and made is an entry of the log, and not a file that is copied some time later.
    @Test
    void topicMadeAgainWhileTheFollowerIsAwayHasOnlyItsOwnMessagesOnBoth() throws IOException {
        try (GantryPair pair = GantryPair.open(folder)) {
            pair.start("SYNC_MASTER");
            try (Judge judge = Judge.start("new", ClientVersion.NEW, pair, folder);
                    Judge other = Judge.start("old", ClientVersion.OLD, pair, folder)) {
                awaitInSync(judge);
                judge.tell("topic topic=again queues=" + QUEUES).await("done");
                Talk old = judge.tell("send topic=again prefix=old count=40");
                old.await("done");
                assertThat(answered(old)).as("the follower has them").hasSize(40);
                seesOnly(judge, "first", keys(answered(old)));
                seesOnly(other, "second", keys(answered(old)));

                pair.follower().kill();
                pair.leader().kill();
                pair.leader().start("ASYNC_MASTER");
                other.tell("drop topic=again broker=" + pair.leader().address() + " nameserver=" + pair.nameserver())
                        .await("done");
                other.tell("topic topic=again queues=" + QUEUES).await("done");
                Talk fresh = other.tell("send topic=again prefix=new count=40");
                fresh.await("done");
                Set<String> wanted = keys(answered(fresh));
                assertThat(wanted).hasSize(40);
                pair.leader().kill();

                pair.start("SYNC_MASTER");
                awaitInSync(judge);
                seesOnly(judge, "first", wanted);
                seesOnly(judge, "of-leader", wanted);
                pair.leader().kill();
                seesOnly(other, "second", wanted);
                seesOnly(judge, "of-follower", wanted);
            }
        }
    }

    private static void seesOnly(Judge judge, String group, Set<String> wanted) {
        Talk consumer = judge.tell("push topic=again group=" + group);
        awaitAll(consumer, wanted);
        consumer.stop();
        assertThat(keys(consumer.all("got"))).as(group).isEqualTo(wanted);
    }

    /// Sends until one is answered as promised: then the follower has all that was there before.
    private static void awaitInSync(Judge judge) {
        Talk sender = judge.tell("send topic=first count=0 retries=0 pause=50");
        awaitAnswered(sender, 1);
        sender.stop();
        sender.await("done");
    }

    private static void areRefused(List<Line> failed) {
        assertThat(failed).isNotEmpty().allSatisfy(line -> {
            assertThat(line.integer("code")).isEqualTo(SERVICE_NOT_AVAILABLE);
            assertThat(line.text("text")).contains("answered when 2 members have it written");
        });
    }

    private static void awaitAnswered(Talk sender, int count) {
        sender.awaitAll("sent", lines -> answered(lines).size() >= count, count + " times SEND_OK", Talk.PATIENCE);
    }

    private static void awaitAll(Talk consumer, Set<String> wanted) {
        consumer.awaitAll("got", lines -> keys(lines).containsAll(wanted), "every answered message", Talk.PATIENCE);
    }

    private static List<Line> answered(Talk sender) {
        return answered(sender.all("sent"));
    }

    private static List<Line> answered(List<Line> sent) {
        return sent.stream()
                .filter(line -> line.text("status").equals("SEND_OK"))
                .toList();
    }

    private static Set<String> keys(List<Line> lines) {
        return lines.stream().map(line -> line.text("key")).collect(Collectors.toSet());
    }
}
