package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Court;
import gantry.judges.court.Judge;
import gantry.judges.court.Stored;
import gantry.judges.court.Talk;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// An official client that is told to speak the binary header instead of JSON is understood in all it does.
@ParameterizedClass
@EnumSource
@ExtendWith(Court.Resolver.class)
final class BinaryHeaderTest {
    private final ClientVersion version;
    private final Court court;

    BinaryHeaderTest(ClientVersion version, Court court) {
        this.version = version;
        this.court = court;
    }

    @Test
    void binaryHeadersCarrySendsPullsAndQuestions() throws IOException {
        String topic = court.unique("binary");
        String group = court.unique("binary-group");
        try (Judge judge = court.another(version, "-Drocketmq.serialize.type=ROCKETMQ")) {
            judge.tell("topic topic=" + topic + " queues=2").await("done");
            Talk single = judge.tell("send count=20 topic=" + topic + " prefix=single");
            Talk batch = judge.tell("send mode=batch batch=10 count=20 topic=" + topic + " prefix=batch");
            single.await("done");
            batch.await("done");
            Stored stored = Stored.of(judge, topic);
            assertThat(stored.count()).isEqualTo(40);
            stored.holdsAll(single.all("sent"));
            stored.holdsAll(batch.all("sent"));

            Talk consumer = judge.tell("push mode=orderly topic=" + topic + " group=" + group);
            consumer.awaitCount("got", 40);
            consumer.stop();
        }
    }
}
