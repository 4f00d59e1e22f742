package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.Census;
import gantry.judges.court.ClientVersion;
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
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// One store directory, served by Apache's brokers and by Gantry in turns, after clean stops and after kills.
///
/// Whoever comes next sees every message (body, properties, place, times), every queue's range and every committed
/// offset as the one before did, delivers what was delayed, and goes on without using an offset again. P7, R058.
@EnabledIfSystemProperty(named = "judge.target", matches = "gantry")
final class StoreDirectoryTest {
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final String HALF_TOPIC = "RMQ_SYS_TRANS_HALF_TOPIC";
    private static final int TOPICS = 8;
    private static final int DELAYED = 3;

    private static final String[] SMALL_FILES = {
        "mappedFileSizeCommitLog=1048576",
        "mappedFileSizeConsumeQueue=6000",
        // What a kill takes is up to this old.
        "flushConsumerOffsetInterval=300",
    };

    /// Undecided transactions stay so.
    private static final String[] APACHE = {
        SMALL_FILES[0],
        SMALL_FILES[1],
        SMALL_FILES[2],
        "flushDelayOffsetInterval=300",
        "registerNameServerPeriod=10000",
        "transactionTimeOut=3600000"
    };

    private static final String[] APACHE_ASKS = {
        SMALL_FILES[0],
        SMALL_FILES[1],
        SMALL_FILES[2],
        "registerNameServerPeriod=10000",
        "transactionTimeOut=1000",
        "transactionCheckInterval=2000",
        "transactionCheckMax=1000"
    };

    @TempDir
    private Path folder;

    private Path store;
    private ClientVersion client = ClientVersion.NEW;
    private int stays;
    private String broker = "";
    private String nameserver = "";
    private @Nullable Census last;
    private final List<String> topics = new ArrayList<>();
    private final List<String> groups = new ArrayList<>();
    private final Set<String> delayed = new HashSet<>();

    private enum End {
        CLEAN,
        KILL
    }

    /// What happens at one server before it goes.
    private interface Visit {
        void at(Judge judge) throws IOException;
    }

    @BeforeEach
    void name() {
        store = folder.resolve("store");
    }

    @Test
    void storeOfApache550GoesToGantryAndBack() throws IOException {
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.CLEAN, judge -> {
            fill(judge);
            half(judge);
        });
        // Of sizes it is told nothing: they are taken from the files.
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.CLEAN, this::more);
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.KILL, this::more);
        stay(gantry(Peer.Flush.SYNC, "flushConsumerOffsetInterval=300"), End.KILL, this::more);
        stay(apache(ServerVersion.NEW, Peer.Flush.SYNC, APACHE), End.CLEAN, judge -> {});
    }

    @Test
    void storeOfApache497GoesToGantryAndBack() throws IOException {
        client = ClientVersion.OLD;
        stay(apache(ServerVersion.OLD, Peer.Flush.SYNC, APACHE), End.KILL, judge -> {
            fill(judge);
            half(judge);
        });
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.CLEAN, this::more);
        stay(apache(ServerVersion.OLD, Peer.Flush.ASYNC, APACHE), End.CLEAN, judge -> {});
    }

    @Test
    void storeThatGantryMadeOpensInApache550() throws IOException {
        stay(gantry(Peer.Flush.ASYNC, SMALL_FILES), End.KILL, this::fill);
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.CLEAN, this::more);
        assertThat(Files.readString(store.resolve("config/topics.json")))
                .as("the facts' own topic is none of Apache's business")
                .doesNotContain("rmq_sys_gantry_facts");
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.CLEAN, judge -> {});
    }

    @Test
    void halfMessagesThatGantryKeptAreAskedAboutAndDeliveredByApache550() throws IOException {
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.CLEAN, judge -> {
            fill(judge);
            half(judge);
        });
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.CLEAN, this::more);
        forget(HALF_TOPIC);
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE_ASKS), End.CLEAN, this::decide);
    }

    /// R060 on the way back: nothing of a topic that Gantry deleted is in the one of the same name.
    @Test
    void topicMadeAgainAtGantryHasNothingOfTheOldOneAtApache550() throws IOException {
        stay(gantry(Peer.Flush.ASYNC, SMALL_FILES), End.CLEAN, judge -> {
            fill(judge);
            again(judge);
        });
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.CLEAN, this::more);
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.KILL, this::again);
        stay(apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE), End.KILL, judge -> {
            more(judge);
            finished(judge.tell("send mode=sync topic=topic5 count=15 prefix=stay" + stays));
        });
        stay(gantry(Peer.Flush.ASYNC, "flushConsumerOffsetInterval=300"), End.CLEAN, judge -> {});
    }

    /// Killed with the last answer, no entry of the new queues may be on disk. A RocketMQ broker would make them again
    /// from
    /// all records of that name; so Gantry has to be started and stopped once more, as the page on moving says.
    @Test
    void topicMadeAgainJustBeforeAKillIsWholeAtApache550AfterACleanStop() throws IOException {
        List<Line> acknowledged = new ArrayList<>();
        try (Peer peer = gantry(Peer.Flush.SYNC, SMALL_FILES).peer("killed");
                Judge judge = Judge.start("killed-judge", client, peer, folder)) {
            fill(judge);
            asked(judge, "drop topic=topic5 broker=" + peer.broker() + " nameserver=" + peer.nameserver());
            asked(judge, "topic topic=topic5 queues=2");
            Talk sender = judge.tell("send mode=sync topic=topic5 count=30 prefix=new");
            finished(sender);
            peer.kill();
            acknowledged.addAll(sender.all("sent"));
            peer.restart();
            peer.terminate(STOP);
        }
        try (Peer peer = apache(ServerVersion.NEW, Peer.Flush.ASYNC, APACHE).peer("after");
                Judge judge = Judge.start("after-judge", client, peer, folder)) {
            awaitRoutes(judge, "topic5");
            Talk survey = judge.tell("survey topics=topic5");
            survey.await("done");
            assertThat(survey.all("odd")).isEmpty();
            assertThat(survey.all("got"))
                    .extracting(StoreDirectoryTest::place)
                    .containsExactlyInAnyOrderElementsOf(
                            acknowledged.stream().map(StoreDirectoryTest::place).toList());
        }
    }

    private static String place(Line line) {
        return line.text("key") + " at " + line.text("queue") + "@" + line.text("offset");
    }

    private interface Start {
        Peer peer(String name) throws IOException;
    }

    private Start apache(ServerVersion version, Peer.Flush flush, String... lines) {
        return name -> Peer.apache(version, name + "-apache", folder, flush, store, lines);
    }

    private Start gantry(Peer.Flush flush, String... lines) {
        return name -> Peer.gantry(name + "-gantry", folder, flush, store, lines);
    }

    private void stay(Start start, End end, Visit visit) throws IOException {
        stays++;
        try (Peer peer = start.peer("stay" + stays);
                Judge judge = Judge.start("judge" + stays, client, peer, folder)) {
            broker = peer.broker();
            nameserver = peer.nameserver();
            Census before = last;
            awaitRoutes(judge, before == null ? "TBW102" : topics.getLast());
            if (before != null) {
                before.isAlso(Census.of(judge, topics, groups));
                find(judge, before);
                awaitDelayed(judge);
            }
            visit.at(judge);
            last = Census.of(judge, topics, groups);
            awaitExport();
            delay(judge);
            switch (end) {
                case CLEAN -> peer.terminate(STOP);
                case KILL -> peer.kill();
            }
        }
    }

    /// Apache's brokers register some time after they say that they are ready.
    private static void awaitRoutes(Judge judge, String topic) {
        asked(judge, "offsets topic=" + topic);
    }

    /// Asks until it is done: the official client waits 3 s for an answer, and a busy machine may need longer.
    private static void asked(Judge judge, String question) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(1))
                .ignoreExceptionsMatching(AssertionError.class::isInstance)
                .until(() -> judge.tell(question).await("done") != null);
    }

    /// Several topics, one of them over several files of log and queue; groups that have come half-way, to the end, and
    /// not at all.
    private void fill(Judge judge) {
        List<Talk> senders = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
            String topic = "topic" + i;
            asked(judge, "topic topic=" + topic + " queues=" + (1 + i % 4));
            senders.add(judge.tell("send mode=batch batch=5 topic=" + topic + " count=20 size=100 tag=A,B"));
            topics.add(topic);
        }
        asked(judge, "topic topic=large queues=2");
        asked(judge, "topic topic=later queues=1");
        topics.add("large");
        senders.add(judge.tell("send mode=batch batch=20 topic=large count=1400 size=1500"));
        senders.forEach(StoreDirectoryTest::finished);
        commit(judge, "topic0");
        commit(judge, "large");
    }

    private void more(Judge judge) {
        List<Talk> senders = new ArrayList<>();
        String fresh = "fresh" + stays;
        asked(judge, "topic topic=" + fresh + " queues=3");
        topics.add(fresh);
        for (String topic : List.of(fresh, "topic1", "topic2", "large")) {
            senders.add(judge.tell(
                    "send mode=sync topic=" + topic + " count=15 size=300 prefix=stay" + stays + "-" + topic));
        }
        senders.forEach(StoreDirectoryTest::finished);
        commit(judge, fresh);
        commit(judge, "topic1");
    }

    private static void finished(Talk sender) {
        sender.await("done");
        // A busy machine may let one time out; what counts is what both servers see.
        assertThat(sender.all("sent")).isNotEmpty();
    }

    /// Deletes a topic that a group has read, and makes one of the same name.
    private void again(Judge judge) {
        String topic = "topic5";
        commit(judge, topic);
        asked(judge, "drop topic=" + topic + " broker=" + broker + " nameserver=" + nameserver);
        asked(judge, "topic topic=" + topic + " queues=2");
        finished(judge.tell("send mode=sync topic=" + topic + " count=15 prefix=again" + stays));
        // What groups had committed went with the topic.
        groups.removeIf(pair -> pair.startsWith(topic + "@"));
        commit(judge, topic);
        assertThat(keys(judge, topic)).isNotEmpty().allMatch(key -> key.startsWith("again" + stays));
    }

    private void commit(Judge judge, String topic) {
        String group = "group" + stays;
        asked(judge, "pull topic=" + topic + " group=" + group + " commit=true");
        groups.add(topic + "@" + group);
    }

    /// Messages of before are found by their keys, the index being another's work.
    private void find(Judge judge, Census before) {
        for (String topic : List.of(topics.getFirst(), "large", topics.getLast())) {
            String key = topic.equals(HALF_TOPIC) ? "" : before.keys(topic).getLast();
            if (!key.isEmpty()) {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofSeconds(1))
                        .ignoreExceptionsMatching(AssertionError.class::isInstance)
                        .untilAsserted(() -> {
                            Talk finder = judge.tell("find topic=" + topic + " key=" + key);
                            finder.await("done");
                            assertThat(finder.all("got"))
                                    .as("%s of %s", key, topic)
                                    .extracting(line -> line.text("key"))
                                    .containsOnly(key)
                                    .isNotEmpty();
                        });
            }
        }
    }

    private void half(Judge judge) {
        judge.tell("half topic=topic3 count=2 prefix=half").await("done");
        topics.add(HALF_TOPIC);
        awaitRoutes(judge, HALF_TOPIC);
    }

    /// One more is sent, so that the producer knows the broker.
    private void decide(Judge judge) {
        Talk decides = judge.tell("half topic=topic3 count=1 prefix=one-more check=commit");
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(keys(judge, "topic3")).contains("half-0", "half-1", "one-more-0"));
        decides.stop();
    }

    private void forget(String topic) {
        topics.remove(topic);
        last = last == null ? null : last.without(topic);
    }

    /// The last thing before the server goes, so that they are pending when it does: due in ten seconds.
    private void delay(Judge judge) {
        String prefix = "late" + stays;
        Talk sender = judge.tell("send topic=later delay=3 count=" + DELAYED + " prefix=" + prefix);
        finished(sender);
        for (int i = 0; i < DELAYED; i++) {
            delayed.add(prefix + "-" + i);
        }
    }

    private void awaitDelayed(Judge judge) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    assertThat(keys(judge, "later")).containsAll(delayed);
                });
    }

    private static Set<String> keys(Judge judge, String topic) {
        Talk survey = judge.tell("survey topics=" + topic);
        survey.await("done");
        Set<String> keys = new HashSet<>();
        survey.all("got").forEach(line -> keys.add(line.text("key")));
        return keys;
    }

    /// Apache's brokers, and Gantry for their sake, write offsets to a file from time to time.
    private void awaitExport() {
        if (groups.isEmpty()) {
            return;
        }
        // An Apache broker takes the file away before it puts the new one in its place.
        Awaitility.await()
                .atMost(Talk.PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(Files.readString(store.resolve("config/consumerOffset.json")))
                        .contains(groups.getLast()));
    }
}
