package gantry.broker.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.wire.body.Permission;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
            new Fact.OffsetsGone("G", "T"),
            new Fact.Adopted(),
            new Fact.StatePoint(),
            new Fact.StateTold(1L << 40, new StateDigest("a1", "b2", "c3", "d4")),
        };
    }

    @ParameterizedTest
    @MethodSource("facts")
    void aFactThatIsReadIsTheOneThatWasWritten(Fact fact) throws JsonFault {
        assertThat(Fact.fromJson(fact.toJson().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(fact);
    }

    /// The version before these facts stops folding at a word that it does not know.
    @Test
    void factsThatOnlyCompareAreWordsThatEveryVersionKnowsAndThatChangeNothing() throws JsonFault {
        for (Fact fact :
                List.of(new Fact.StatePoint(), new Fact.StateTold(7, new StateDigest("a1", "b2", "c3", "d4")))) {
            assertThat(fact.kind()).isEqualTo("offsetsGone");
            JsonObject object =
                    Json.read(fact.toJson().getBytes(StandardCharsets.UTF_8)).asObject("a fact");
            assertThat(object.requireText("fact")).isEqualTo("offsetsGone");
            assertThat(object.requireText("group")).isEmpty();
            assertThat(object.requireText("topic")).isEmpty();
        }
    }

    @Test
    void anUnknownFactIsNamed() {
        assertThatThrownBy(() -> Fact.fromJson("{\"fact\":\"colour\"}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(JsonFault.class)
                .hasMessageContaining("colour");
    }
}
