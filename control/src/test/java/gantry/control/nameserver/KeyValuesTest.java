package gantry.control.nameserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Clock;
import gantry.control.fake.FakePeer;
import gantry.control.fake.HandClock;
import gantry.control.fake.ToldNotices;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A value is answered, and read, when the shelf has it.
final class KeyValuesTest {
    private final NameserverKit kit = new NameserverKit(NameserverConfig.DEFAULT);
    private final FakePeer tool = kit.peer();

    @Test
    void valuesArePutReadListedAndDeleted() {
        assertThat(tool.ask(put("k", "v")).code()).isEqualTo(ResponseCodes.SUCCESS);
        tool.ask(put("k2", "v2"));

        assertThat(tool.ask(get("k")).field(FieldNames.VALUE)).isEqualTo("v");
        assertThat(tool.ask(list()).body()).asString().isEqualTo("{\"table\":{\"k\":\"v\",\"k2\":\"v2\"}}");
        assertThat(kit.shelf.kept()).isEqualTo("{\"configTable\":{\"NS\":{\"k\":\"v\",\"k2\":\"v2\"}}}");
        tool.ask(request(RequestCodes.DELETE_KV_CONFIG).with(FieldNames.KEY, "k"));
        Command gone = tool.ask(get("k"));
        assertThat(gone.code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
        assertThat(gone.remark()).isEqualTo("there is no value for k in the namespace NS");
    }

    @Test
    void anEmptyNamespaceIsNotFound() {
        assertThat(tool.ask(list()).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
    }

    @Test
    void aValueIsAnsweredAndReadOnlyWhenItIsKept() {
        kit.shelf.atOnce = false;
        tool.say(put("k", "v"));

        assertThat(tool.link().waiting()).isZero();
        assertThat(kit.peer().ask(get("k")).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
        kit.shelf.finish(null);
        assertThat(tool.answer().code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(kit.peer().ask(get("k")).field(FieldNames.VALUE)).isEqualTo("v");
    }

    @Test
    void changesThatComeDuringASaveGoTogetherIntoTheNext() {
        kit.shelf.atOnce = false;
        tool.say(put("a", "1"), put("b", "2"), put("c", "3"));

        assertThat(kit.shelf.underWay()).isEqualTo(1);
        kit.shelf.finish(null);
        assertThat(tool.link().waiting()).isEqualTo(1);
        assertThat(kit.shelf.underWay()).isEqualTo(1);
        kit.shelf.finish(null);
        assertThat(tool.link().waiting()).isEqualTo(3);
        assertThat(kit.shelf.underWay()).isZero();
        assertThat(kit.shelf.kept()).isEqualTo("{\"configTable\":{\"NS\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}}}");
    }

    @Test
    void whatTheShelfDoesNotKeepIsNotThere() {
        tool.ask(put("a", "1"));
        kit.shelf.atOnce = false;
        tool.say(put("a", "2"), put("b", "3"));

        kit.shelf.finish("the disk is full");

        for (int i = 0; i < 2; i++) {
            Command answer = Objects.requireNonNull(tool.heard());
            assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
            assertThat(answer.remark()).isEqualTo("the disk is full");
        }
        assertThat(kit.shelf.underWay()).isZero();
        assertThat(tool.ask(get("a")).field(FieldNames.VALUE)).isEqualTo("1");
        assertThat(tool.ask(get("b")).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
        kit.shelf.atOnce = true;
        tool.ask(put("c", "4"));
        assertThat(kit.shelf.kept()).isEqualTo("{\"configTable\":{\"NS\":{\"a\":\"1\",\"c\":\"4\"}}}");
    }

    @Test
    void theWholeIsBounded() {
        String large = "x".repeat(500_000);
        int taken = 0;
        while (tool.ask(put("k" + taken, large)).code() == ResponseCodes.SUCCESS) {
            taken++;
        }

        assertThat(taken).isEqualTo(KeyValues.MAX_CHARS / 500_000);
        assertThat(tool.ask(put("small", "v")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void whatWasKeptIsThereAfterAStart() {
        HandShelf shelf = new HandShelf();
        shelf.save("{\"configTable\":{\"NS\":{\"k\":\"v\"}}}", problem -> {});

        assertThat(new FakePeer(node(shelf), 1).ask(get("k")).field(FieldNames.VALUE))
                .isEqualTo("v");
    }

    @Test
    void aStartWithABrokenTextIsRefusedAndNothingIsOverwritten() {
        HandShelf shelf = new HandShelf();
        shelf.save("{\"configTable\":{\"NS\"", problem -> {});

        assertThatThrownBy(() -> node(shelf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the key-value configuration that was kept cannot be read: the text ends");
        assertThat(shelf.kept()).isEqualTo("{\"configTable\":{\"NS\"");
    }

    private static NameserverNode node(KeyValueShelf shelf) {
        Clock clock = new HandClock();
        return new NameserverNode(
                NameserverConfig.DEFAULT,
                clock,
                Runnable::run,
                new ToldNotices(),
                (sequencer, cause) -> {
                    throw new AssertionError(sequencer, cause);
                },
                shelf);
    }

    private static Command put(String key, String value) {
        return request(RequestCodes.PUT_KV_CONFIG).with(FieldNames.KEY, key).with(FieldNames.VALUE, value);
    }

    private static Command get(String key) {
        return request(RequestCodes.GET_KV_CONFIG).with(FieldNames.KEY, key);
    }

    private static Command list() {
        return request(RequestCodes.GET_KVLIST_BY_NAMESPACE);
    }

    private static Command request(int code) {
        return Command.request(code).with(FieldNames.NAMESPACE, "NS");
    }
}
