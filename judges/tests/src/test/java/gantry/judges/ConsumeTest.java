package gantry.judges;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Court;
import gantry.judges.court.Judge;
import gantry.judges.court.Progress;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An official consumer, of each kind, gets every message, in the order and at the time that its kind promises.
@ParameterizedClass
@EnumSource
@ExtendWith(Court.Resolver.class)
final class ConsumeTest {
    /// Shorter than a pull is parked: who waits for its end is too late.
    private static final Duration WAKE = Duration.ofSeconds(8);

    private final Judge judge;
    private final String topic;
    private final String group;

    ConsumeTest(ClientVersion version, Court court) throws IOException {
        this.judge = court.judge(version);
        this.topic = court.unique("consume");
        this.group = court.unique("group");
    }

    @Test
    void concurrentListenerGetsEveryMessageOnce() {
        send("count=200");
        Talk consumer = judge.tell("push topic=" + topic + " group=" + group);
        List<Line> got = consumer.awaitCount("got", 200);
        consumer.stop();
        assertThat(keys(got)).containsExactlyInAnyOrderElementsOf(allKeys(200));
        assertThat(consumer.all("got")).hasSize(200).allSatisfy(line -> {
            assertThat(line.text("body")).isEqualTo("whole");
            assertThat(line.integer("redeliveries")).isZero();
        });
    }

    @Test
    void orderlyListenerGetsEachQueueInItsOrder() {
        send("count=200");
        Talk consumer = judge.tell("push mode=orderly topic=" + topic + " group=" + group);
        List<Line> got = consumer.awaitCount("got", 200);
        consumer.stop();
        assertThat(keys(got)).containsExactlyInAnyOrderElementsOf(allKeys(200));
        isInOrderOfOffset(got);
    }

    @Test
    void orderlyListenerThatRefusesHoldsItsQueueBack() {
        // Each message is refused once; still none may overtake it.
        send("count=12");
        Talk consumer = judge.tell("push mode=orderly failures=1 topic=" + topic + " group=" + group);
        List<Line> got = consumer.awaitCount("got", 12);
        consumer.stop();
        assertThat(consumer.all("refused")).hasSize(12);
        isInOrderOfOffset(got);
    }

    @ParameterizedTest
    @ValueSource(strings = {"push", "lite"})
    void tagFilterLetsOnlyItsTagsThrough(String kind) {
        send("count=90 tag=A,B,C");
        Talk consumer = judge.tell(kind + " topic=" + topic + " group=" + group + " expression=A%7C%7CC");
        List<Line> got = consumer.awaitCount("got", 60);
        // Of tag D nobody has heard yet; when its message is through, no B can follow.
        send("count=4 from=90 tag=C");
        consumer.awaitCount("got", 64);
        consumer.stop();
        assertThat(consumer.all("got")).hasSize(64);
        assertThat(got).extracting(line -> line.text("tag")).containsOnly("A", "C");
    }

    @Test
    void pullConsumerFiltersByTag() {
        send("count=30 tag=A,B,C");
        Talk reader = judge.tell("pull topic=" + topic + " expression=B");
        reader.await("done");
        assertThat(reader.all("got"))
                .hasSize(10)
                .allSatisfy(line -> assertThat(line.text("tag")).isEqualTo("B"));
    }

    @Test
    void refusedMessagesComeBackLaterWithTheirCount() {
        send("count=5");
        Talk consumer = judge.tell("push failures=1 topic=" + topic + " group=" + group);
        // The first delay is 10 s with the usual levels.
        List<Line> got = consumer.awaitCount("got", 5, Duration.ofSeconds(90));
        consumer.stop();
        assertThat(keys(got)).containsExactlyInAnyOrderElementsOf(allKeys(5));
        assertThat(got).allSatisfy(line -> {
            assertThat(line.integer("redeliveries")).isEqualTo(1);
            assertThat(line.text("topic")).isEqualTo(topic);
            assertThat(line.text("body")).isEqualTo("whole");
        });
        assertThat(consumer.all("refused")).hasSize(5);
    }

    @Test
    void parkedPullWakesForANewMessage() {
        send("count=8");
        Talk consumer = judge.tell("push topic=" + topic + " group=" + group);
        consumer.awaitCount("got", 8);
        // All queues are read to their ends: what waits now is parked at the server.
        send("count=8 from=8");
        consumer.awaitCount("got", 16, WAKE);
        consumer.stop();
    }

    @Test
    void consumerGoesOnWhereItsGroupStopped() {
        send("count=60");
        Talk first = judge.tell("push topic=" + topic + " group=" + group);
        first.awaitCount("got", 60);
        first.stop();
        send("count=40 from=60");
        Talk second = judge.tell("push topic=" + topic + " group=" + group);
        List<Line> got = second.awaitCount("got", 40);
        second.stop();
        assertThat(keys(got)).containsExactlyInAnyOrderElementsOf(allKeys(100).subList(60, 100));
    }

    @Test
    void litePullConsumerGetsWhatItSubscribed() {
        send("count=120");
        Talk consumer = judge.tell("lite topic=" + topic + " group=" + group);
        List<Line> got = consumer.awaitCount("got", 120);
        consumer.stop();
        consumer.await("closed");
        assertThat(keys(got)).containsExactlyInAnyOrderElementsOf(allKeys(120));
        isInOrderOfOffset(got);

        // It commits when it stops; another of its group has nothing to repeat.
        send("count=4 from=120");
        Talk second = judge.tell("lite topic=" + topic + " group=" + group);
        assertThat(keys(second.awaitCount("got", 4)))
                .containsExactlyInAnyOrderElementsOf(allKeys(124).subList(120, 124));
        second.stop();
    }

    @Test
    void litePullConsumerSeeksInAssignedQueues() {
        judge.tell("topic topic=" + topic + " queues=2").await("done");
        send("count=40 selector=index");
        Talk backToFive = judge.tell("lite mode=assign after=40 seek=5 topic=" + topic + " group=" + group);
        List<Line> got = backToFive.awaitCount("got", 70);
        backToFive.stop();
        assertThat(keys(got.subList(0, 40))).containsExactlyInAnyOrderElementsOf(allKeys(40));
        assertThat(keys(got.subList(40, got.size())))
                .containsExactlyInAnyOrderElementsOf(allKeys(40).subList(10, 40));
    }

    @Test
    void committedOffsetsOfAPullConsumerAreAnswered() {
        send("count=40");
        judge.tell("pull commit=true topic=" + topic + " group=" + group).await("done");
        assertThat(Progress.of(judge, topic, group)).isEqualTo(Progress.ends(judge, topic));
    }

    private void send(String how) {
        Talk sender = judge.tell("send topic=" + topic + " " + how);
        sender.await("done");
        assertThat(sender.all("failed")).isEmpty();
    }

    private List<String> allKeys(int count) {
        return IntStream.range(0, count).mapToObj(i -> topic + "-" + i).toList();
    }

    private static List<String> keys(List<Line> lines) {
        return lines.stream().map(line -> line.text("key")).toList();
    }

    private static void isInOrderOfOffset(List<Line> got) {
        got.stream()
                .collect(groupingBy(line -> line.integer("queue")))
                .forEach((queue, lines) -> assertThat(lines.stream().map(line -> line.longInteger("offset")))
                        .as("offsets of queue %d in the order of delivery", queue)
                        .isSorted());
    }
}
