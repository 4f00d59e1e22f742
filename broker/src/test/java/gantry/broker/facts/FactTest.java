package gantry.broker.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.wire.body.Permission;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Facts survive the way through the log.
class FactTest {
    static Fact[] facts() {
        return new Fact[] {
            new Fact.TopicSet(TopicConfig.of("T", 4, Permission.READ_WRITE)),
            new Fact.TopicGone("T\"quoted"),
            new Fact.GroupSet(SubscriptionGroup.named("G")),
            new Fact.GroupGone("%RETRY%G"),
            new Fact.Offsets("G", "T", new TreeMap<>(Map.of(0, 5L, 7, Long.MAX_VALUE))),
            new Fact.DelayProgress(18, 1L << 40),
            new Fact.Adopted(),
        };
    }

    @ParameterizedTest
    @MethodSource("facts")
    void aFactThatIsReadIsTheOneThatWasWritten(Fact fact) throws JsonFault {
        assertThat(Fact.fromJson(fact.toJson().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(fact);
    }

    @Test
    void anUnknownFactIsNamed() {
        assertThatThrownBy(() -> Fact.fromJson("{\"fact\":\"colour\"}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(JsonFault.class)
                .hasMessageContaining("colour");
    }
}
