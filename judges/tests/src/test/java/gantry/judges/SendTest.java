package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Court;
import gantry.judges.court.Judge;
import gantry.judges.court.Stored;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An official producer can send in all its ways, and what it was answered is what is stored.
@ParameterizedClass
@EnumSource
@ExtendWith(Court.Resolver.class)
final class SendTest {
    private final Court court;
    private final Judge judge;

    SendTest(ClientVersion version, Court court) throws IOException {
        this.court = court;
        this.judge = court.judge(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "async", "batch"})
    void answeredSendsAreStoredOnceWhereTheAnswerSays(String mode) {
        String topic = court.unique("send-" + mode);
        Talk sender = judge.tell("send topic=" + topic + " count=100 mode=" + mode + " size=300");
        List<Line> sent = sender.awaitCount("sent", 100);
        sender.await("done");
        assertThat(sender.all("failed")).isEmpty();
        assertThat(sent).allSatisfy(line -> assertThat(line.text("status")).isEqualTo("SEND_OK"));

        Stored stored = Stored.of(judge, topic);
        assertThat(stored.count()).isEqualTo(100);
        stored.holdsAll(sent);
        if (!mode.equals("async")) {
            stored.isInOrderOfIndex();
        }
    }

    @Test
    void onewaySendsAreStored() {
        // The first message makes the topic; a one-way send to a topic without a route would be lost in the client.
        String topic = court.unique("send-oneway");
        judge.tell("send topic=" + topic + " count=1 prefix=first").await("done");
        judge.tell("send topic=" + topic + " count=30 mode=oneway").await("done");
        Awaitility.await()
                .atMost(Talk.PATIENCE)
                .until(() -> Stored.of(judge, topic).count() == 31);
    }

    @Test
    void aBatchStandsTogetherInOneQueue() {
        String topic = court.unique("send-together");
        judge.tell("topic topic=" + topic + " queues=2").await("done");
        Talk sender = judge.tell("send topic=" + topic + " count=32 mode=batch batch=32 queue=1");
        List<Line> sent = sender.awaitCount("sent", 32);
        Stored stored = Stored.of(judge, topic);
        stored.holdsAll(sent);
        stored.isInOrderOfIndex();
        assertThat(stored.queue(1)).hasSize(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"size=1", "size=4000", "size=500000", "size=1000000 compress=never"})
    void bodiesOfAnySizeComeBackWhole(String size) {
        // Above 4 KiB the client compresses by itself.
        String topic = court.unique("send-size");
        Talk sender = judge.tell("send topic=" + topic + " count=2 " + size + " prefix=k");
        sender.await("done");
        assertThat(sender.all("failed")).isEmpty();
        assertThat(Stored.of(judge, topic).count()).isEqualTo(2);
    }

    @Test
    void aSelectorKeepsOrderWithinItsQueue() {
        String topic = court.unique("send-selector");
        judge.tell("topic topic=" + topic + " queues=3").await("done");
        Talk sender = judge.tell("send topic=" + topic + " count=60 selector=index");
        sender.await("done");
        Stored stored = Stored.of(judge, topic);
        stored.isInOrderOfIndex();
        assertThat(stored.queues())
                .hasSize(3)
                .allSatisfy((_, lines) -> assertThat(lines).hasSize(20));
    }

    @Test
    void aTopicIsCreatedWithTheAskedNumberOfQueues() {
        String topic = court.unique("made");
        Line made = judge.tell("topic topic=" + topic + " queues=7").await("done");
        assertThat(made.integer("queues")).isEqualTo(7);
        Talk sender = judge.tell("send topic=" + topic + " count=1 queue=6");
        assertThat(sender.await("sent").integer("queue")).isEqualTo(6);
    }

    @Test
    void offsetsAnswerForRangeAndTime() {
        String topic = court.unique("offsets");
        judge.tell("topic topic=" + topic + " queues=1").await("done");
        // Apart in time, so that a time names one of them.
        judge.tell("send topic=" + topic + " count=10 pause=20").await("done");
        List<Line> messages = Stored.of(judge, topic).queue(0);

        Line range = judge.tell("offsets topic=" + topic).await("range");
        assertThat(range.longInteger("min")).isZero();
        assertThat(range.longInteger("max")).isEqualTo(10);
        for (int i : List.of(1, 5, 9)) {
            long millis = messages.get(i).longInteger("storeMillis");
            assertThat(messages.get(i - 1).longInteger("storeMillis")).isLessThan(millis);
            assertThat(offsetAt(topic, millis)).isEqualTo(i);
            assertThat(offsetAt(topic, millis - 1)).isEqualTo(i);
        }
        assertThat(offsetAt(topic, 1)).isZero();
        long later = messages.getLast().longInteger("storeMillis")
                + Duration.ofHours(1).toMillis();
        assertThat(offsetAt(topic, later)).isEqualTo(10);
    }

    private long offsetAt(String topic, long millis) {
        return judge.tell("offsets topic=" + topic + " millis=" + millis)
                .await("at")
                .longInteger("offset");
    }
}
