package gantry.wire.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the reader takes, each oddity of the peers by itself, and the sentence for what it does not take.
final class JsonReaderTest {
    @Test
    void objectsKeepTheirMembersInOrder() throws JsonFault {
        JsonObject object = object("{\"b\":1,\"a\":\"x\",\"c\":[true,false,null]}");

        assertThat(object).hasToString("{\"b\":1,\"a\":\"x\",\"c\":[true,false,null]}");
        assertThat(object.size()).isEqualTo(3);
        assertThat(object.name(1, "it")).isEqualTo("a");
        assertThat(object.array("c")).containsExactly(Json.Bool.TRUE, Json.Bool.FALSE, Json.Null.NULL);
    }

    @Test
    void keysMayBeBareNumbers() throws JsonFault {
        JsonObject object = object("{0:\"a:1\",-7:\"b\"}");

        assertThat(object.key(0)).isEqualTo(new Json.Whole(0));
        assertThat(object.key(1)).isEqualTo(new Json.Whole(-7));
        assertThat(object.name(1, "it")).isEqualTo("-7");
    }

    @Test
    void keysMayBeObjects() throws JsonFault {
        JsonObject object = object("{{\"topic\":\"T\",\"queueId\":2}:5,{\"topic\":\"U\"}:6}");

        assertThat(object.key(0).asObject("key").text("topic")).isEqualTo("T");
        assertThat(object.value(1).asWhole("it")).isEqualTo(6);
    }

    @Test
    void keysMayBeBareWordsOrInSingleQuotes() throws JsonFault {
        JsonObject object = object("{topic:'it\\'s',\t'perm' : 6 ,\n_x$1:true}");

        assertThat(object.text("topic")).isEqualTo("it's");
        assertThat(object.whole("perm", 0)).isEqualTo(6);
        assertThat(object.flag("_x$1", false)).isTrue();
    }

    @Test
    void textIsUtf8WithEscapes() throws JsonFault {
        assertThat(Json.read("\"\\u4f60好\\n\\t\\\"\\\\\\/\\b\\f\\r\\x41\\ud83d\\ude00\""))
                .isEqualTo(new Json.Text("你好\n\t\"\\/\b\f\rA😀"));
        assertThat(object("{\"a\\u0062\":1}").find("ab")).isEqualTo(new Json.Whole(1));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+5, 5",
        "007, 7",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808"
    })
    void wholeNumbersHave64Bits(String text, long value) throws JsonFault {
        assertThat(Json.read(text)).isEqualTo(new Json.Whole(value));
    }

    @ParameterizedTest
    @CsvSource({
        "1.5, 1.5",
        "-2e3, -2000",
        "1E-2, 0.01",
        ".5, 0.5",
        "9223372036854775808, 9.223372036854775807E18",
        "99999999999999999999, 1e20"
    })
    void otherNumbersAreDecimal(String text, double value) throws JsonFault {
        assertThat(Json.read(text)).isEqualTo(new Json.Decimal(value));
    }

    @Test
    void theLastOfTwoMembersWithOneNameCounts() throws JsonFault {
        assertThat(object("{\"a\":1,\"a\":2}").whole("a", 0)).isEqualTo(2);
    }

    @Test
    void nullCountsAsAbsent() throws JsonFault {
        JsonObject object = object("{\"a\":null}");

        assertThat(object.text("a", "x")).isEqualTo("x");
        assertThat(object.whole("a", 7L)).isEqualTo(7);
        assertThat(object.array("a")).isEmpty();
    }

    @Test
    void numbersAndTruthMayBeInQuotes() throws JsonFault {
        JsonObject object = object("{\"n\":\"12\",\"t\":\"true\",\"f\":0,\"d\":3.0,\"s\":42}");

        assertThat(object.whole("n", 0)).isEqualTo(12);
        assertThat(object.flag("t", false)).isTrue();
        assertThat(object.flag("f", true)).isFalse();
        assertThat(object.whole("d", 0)).isEqualTo(3);
        assertThat(object.text("s")).isEqualTo("42");
    }

    @Test
    void aFieldOfTheWrongKindIsNamed() throws JsonFault {
        JsonObject object = object("{\"perm\":\"six\",\"order\":[],\"list\":{},\"big\":4294967296}");

        assertThat(sentence(() -> object.whole("perm", 0L))).isEqualTo("perm should be a whole number, not \"six\"");
        assertThat(sentence(() -> object.flag("order", false)))
                .isEqualTo("order should be true or false, not an array");
        assertThat(sentence(() -> object.array("list"))).isEqualTo("list should be an array, not an object");
        assertThat(sentence(() -> object.whole("big", 0)))
                .isEqualTo("big should be a number of 32 bits, not 4294967296");
        assertThat(sentence(() -> object.requireText("topic"))).isEqualTo("the field topic is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``              | the text ends where a value should be, at byte 0",
                "{               | the text ends where a key should be, at byte 1",
                "{\"a\"          | the text ends where a colon should be, at byte 4",
                "{\"a\":         | the text ends where a value should be, at byte 5",
                "{\"a\":1        | the text ends where a comma or the end of the object should be, at byte 6",
                "{\"a\":1 \"b\"  | a comma or the end of the object should be here, at byte 7",
                "{*:1}           | a key cannot start with '*', at byte 1",
                "[1,             | the text ends where a value should be, at byte 3",
                "[1 2]           | a comma or the end of the array should be here, at byte 3",
                "\"abc           | the text ends inside quotes, at byte 4",
                "\"\\            | the text ends inside an escape, at byte 2",
                "\"\\q\"         | no escape is written with 'q', at byte 3",
                "\"\\u12\"       | an escape needs 4 hexadecimal digits, at byte 5",
                "tru             | \"tru\" is not a value, at byte 3",
                "1-2             | \"1-2\" is not a number, at byte 3",
                "-               | \"-\" is not a number, at byte 1",
                "{} x            | there is something behind the value, at byte 3",
                "&               | a value cannot start with '&', at byte 0"
            })
    void badTextIsAFaultWithPositionAndSentence(String text, String sentence) {
        assertThat(sentence(() -> Json.read(text))).isEqualTo(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a:", "{{"})
    void nestingIsBounded(String opening) {
        assertThat(sentence(() -> Json.read(opening.repeat(1_000_000)))).startsWith("values are nested deeper than 64");
    }

    @Test
    void nestingAsDeepAsAllowedIsRead() throws JsonFault {
        String text = "[".repeat(JsonReader.MAX_DEPTH) + "]".repeat(JsonReader.MAX_DEPTH);

        assertThat(new JsonWriter(Dialect.PEER).value(Json.read(text))).hasToString(text);
    }

    @Test
    void theNumberOfValuesIsBounded() throws JsonFault {
        String most = "[" + "0,".repeat(JsonReader.MAX_VALUES - 2) + "0]";

        assertThat(Json.read(most).asArray("it")).hasSize(JsonReader.MAX_VALUES - 1);
        assertThat(sentence(() -> Json.read("[0," + most.substring(1)))).startsWith("there are more than 2000000");
    }

    @Test
    void theLengthOfANumberIsBounded() {
        assertThat(sentence(() -> Json.read("9".repeat(65))))
                .isEqualTo("a number has more than 64 characters, at byte 65");
    }

    @Test
    void aBodyInsideAFrameIsReadInPlace() throws JsonFault {
        byte[] bytes = "xx{\"a\":1}yy".getBytes(StandardCharsets.UTF_8);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();

        assertThat(Json.read(ByteBuffer.wrap(bytes), 2, 7)).hasToString("{\"a\":1}");
        assertThat(Json.read(ByteBuffer.wrap(bytes, 1, 9).slice(), 1, 7)).hasToString("{\"a\":1}");
        assertThat(Json.read(direct, 2, 7)).hasToString("{\"a\":1}");
        assertThat(direct.position()).isZero();
        assertThat(sentence(() -> Json.read(ByteBuffer.wrap(bytes), 2, 6)))
                .isEqualTo("the text ends where a comma or the end of the object should be, at byte 6");
    }

    private static JsonObject object(String text) throws JsonFault {
        return Json.read(text).asObject("it");
    }

    private interface Reading {
        Object run() throws JsonFault;
    }

    private static String sentence(Reading reading) {
        return catchThrowableOfType(JsonFault.class, reading::run).sentence();
    }
}
