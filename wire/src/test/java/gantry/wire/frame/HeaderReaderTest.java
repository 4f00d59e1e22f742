package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Network;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows what the reader makes of headers that no official peer writes: odd but well-formed, and malformed.
class HeaderReaderTest {
    private final HeaderReader reader = new HeaderReader();

    private boolean readJson(String header) {
        return read(jsonFrame(header));
    }

    private static byte[] jsonFrame(String header) {
        return frame(Codec.JSON.mark(), header.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] frame(int mark, byte[] header) {
        return ByteBuffer.allocate(8 + header.length)
                .putInt(4 + header.length)
                .putInt((mark << 24) | header.length)
                .put(header)
                .array();
    }

    private boolean read(byte[] frame) {
        return reader.read(ByteBuffer.wrap(frame), 0, frame.length);
    }

    private static ByteBuffer binary(int fieldBytes) {
        return ByteBuffer.allocate(BinaryHeader.FIXED_BYTES + fieldBytes)
                .putShort((short) 105)
                .put((byte) 0)
                .putShort((short) 513)
                .putInt(7)
                .putInt(0)
                .putInt(0)
                .putInt(fieldBytes);
    }

    @Test
    void orderBlanksAndUnknownMembersDoNotMatter() {
        assertThat(readJson("""
                        { "opaque" : 7 , "zone":{"a":[1,{"b":"}"}],"c":"\\""}, "list":[[],{}], "x":null,
                          "extFields" : { "topic" : "T" } , "language":"RUST" ,\t"version": 409, "code":105 }\r
                        """)).as(reader.fault()).isTrue();
        assertThat(reader.code()).isEqualTo(105);
        assertThat(reader.correlationId()).isEqualTo(7);
        assertThat(reader.version()).isEqualTo(409);
        assertThat(reader.language()).isEqualTo(Language.RUST);
        assertThat(reader.fields()).containsExactly(Map.entry("topic", "T"));
    }

    @Test
    void numbersAndBooleansAmongTheFieldsAreTheirText() {
        assertThat(readJson("{\"code\":1,\"extFields\":{\"i\":-12,\"d\":1.5e+3,\"yes\":true,\"no\":false}}"))
                .isTrue();
        assertThat(reader.intOr(FieldName.of("i"), 0)).isEqualTo(-12);
        assertThat(reader.text(FieldName.of("d"))).isEqualTo("1.5e+3");
        assertThat(reader.booleanOr(FieldName.of("yes"), false)).isTrue();
        assertThat(reader.booleanOr(FieldName.of("no"), true)).isFalse();
        assertThat(reader.booleanOr(FieldName.of("other"), true)).isTrue();
    }

    @Test
    void numbersInQuotesAreNumbersAndLanguagesMayBeNumbers() {
        assertThat(readJson("{\"code\":\"105\",\"opaque\":\"-1\",\"language\":9,\"flag\":null}"))
                .isTrue();
        assertThat(reader.code()).isEqualTo(105);
        assertThat(reader.correlationId()).isEqualTo(-1);
        assertThat(reader.language()).isEqualTo(Language.GO);
        assertThat(reader.flags()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"language\":\"KLINGON\"}",
                "{\"language\":99}",
                "{\"language\":-1}",
                "{\"language\":null}",
                "{}"
            })
    void languageThatNobodyKnowsIsOther(String header) {
        assertThat(readJson(header)).isTrue();
        assertThat(reader.language()).isEqualTo(Language.OTHER);
    }

    @Test
    void nestedAndNullFieldsAreAbsent() {
        assertThat(readJson("{\"extFields\":{\"a\":{\"deep\":[1,2]},\"b\":[\"]\"],\"c\":null,\"d\":\"here\"}}"))
                .isTrue();
        assertThat(reader.fields()).containsExactly(Map.entry("d", "here"));
        assertThat(reader.fieldCount()).isEqualTo(1);
        assertThat(reader.has(FieldName.of("a"))).isFalse();
    }

    @Test
    void ofSeveralFieldsWithOneNameTheLastCounts() {
        FieldName a = FieldName.of("a");
        assertThat(readJson("{\"extFields\":{\"a\":\"1\",\"b\":\"x\",\"a\":\"2\"}}"))
                .isTrue();
        assertThat(reader.text(a)).isEqualTo("2");
        assertThat(reader.fields()).containsEntry("a", "2");

        assertThat(readJson("{\"extFields\":{\"a\":\"1\",\"a\":null}}")).isTrue();
        assertThat(reader.text(a)).isNull();
        assertThat(reader.fields()).isEmpty();
        int[] indexes = new int[1];
        reader.table().locate(FieldSet.of(a), indexes);
        assertThat(indexes[0]).isEqualTo(-1);
    }

    @Test
    void escapesAreUndoneInNamesAndValues() {
        assertThat(readJson(
                        "{\"extFields\":{\"\\u0061\\\"b\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u00e9\\u4F60\\ud83d\\uDE80.\"},"
                                + "\"remark\":\"half \\ud83d and \\udE80\"}"))
                .isTrue();
        assertThat(reader.fields())
                .containsExactly(Map.entry("a\"b", "\"\\/\b\f\n\r\t\u0001\u00e9\u4f60\ud83d\ude80."));
        assertThat(reader.remark()).isEqualTo("half ? and ?");
    }

    @Test
    void copyGivesUnescapedBytesAndRefusesTooLittleRoom() {
        readJson("{\"extFields\":{\"p\":\"k\\u0001v\\u0002\"}}");
        FieldName p = FieldName.of("p");
        byte[] into = new byte[6];

        assertThat(reader.copy(p, into, 2)).isEqualTo(4);
        assertThat(into).containsExactly(0, 0, 'k', 1, 'v', 2);
        assertThat(reader.copy(p, into, 3)).isEqualTo(-1);
        assertThat(reader.copy(FieldName.of("q"), into, 0)).isEqualTo(-1);
    }

    @Test
    void firstMissingOrWrongFieldIsTheFault() {
        readJson("{\"extFields\":{\"queueId\":\"x1\",\"offset\":\"99999999999\"}}");
        assertThat(reader.requireLong(FieldNames.OFFSET)).isEqualTo(99_999_999_999L);
        assertThat(reader.fault()).isNull();
        assertThat(reader.requireInt(FieldNames.OFFSET)).isZero();
        assertThat(reader.fault()).isEqualTo("field offset is \"99999999999\", which is not a number of 32 bits");

        readJson("{\"extFields\":{\"queueId\":\"x1\"}}");
        assertThat(reader.intOr(FieldNames.MAX_NUM, 32)).isEqualTo(32);
        assertThat(reader.requireText(FieldNames.TOPIC)).isEmpty();
        assertThat(reader.intOr(FieldNames.QUEUE_ID, 5)).isEqualTo(5);
        assertThat(reader.fault()).isEqualTo("field topic is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "null",
                "{",
                "{\"",
                "{\"code\"",
                "{\"code\":",
                "{\"code\":1",
                "{\"code\":1,",
                "{\"code\":1,}",
                "{code:1}",
                "{'code':1}",
                "{\"code\" 1}",
                "{\"code\":1}x",
                "{\"code\":1}}",
                "{\"code\":1.5}",
                "{\"code\":x!}",
                "{\"code\":4294967296}",
                "{\"code\":99999999999999999999}",
                "{\"opaque\":\"\"}",
                "{\"remark\":\"abc}",
                "{\"remark\":\"abc\\\"}",
                "{\"remark\":\"abc\\",
                "{\"remark\":\"\\x\"}",
                "{\"remark\":\"\\u12g4\"}",
                "{\"remark\":\"\\u12\"}",
                "{\"extFields\":7}",
                "{\"extFields\":\"a\"}",
                "{\"extFields\":{\"a\"}}",
                "{\"extFields\":{\"a\":}}",
                "{\"extFields\":{\"a\":\"b\" \"c\":\"d\"}}",
                "{\"extFields\":{\"a\":{}",
                "{\"extFields\":{\"a\":[\"}"
            })
    void malformedJsonIsAFaultWithASentence(String header) {
        assertThat(readJson(header)).isFalse();
        assertThat(reader.fault()).isNotBlank();
    }

    /// What an earlier, longer header left behind the end must not complete a shorter one.
    @Test
    void everyTruncationOfAHeaderIsMalformed() {
        String whole = "{\"code\":310,\"extFields\":{\"a\":\"g\",\"\\u0062\":\"t\\n\",\"c\":12 },\"remark\":\"r\"}";
        for (int length = 0; length < whole.length(); length++) {
            assertThat(readJson(whole)).isTrue();
            assertThat(reader.fieldCount()).isEqualTo(3);
            assertThat(readJson(whole.substring(0, length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
    }

    @Test
    void deepNestingIsSkippedWithoutRecursion() {
        int depth = 400_000;
        assertThat(readJson("{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + ",\"code\":7}"))
                .isTrue();
        assertThat(reader.code()).isEqualTo(7);
    }

    @Test
    void fieldsBeyondTheLimitAreAFault() {
        StringBuilder many = new StringBuilder("{\"extFields\":{\"f\":\"\"");
        for (int i = 1; i < ParsedHeader.MAX_FIELDS; i++) {
            many.append(",\"f\":\"\"");
        }
        assertThat(readJson(many + "}}")).isTrue();
        assertThat(readJson(many + ",\"f\":1}}")).isFalse();
        assertThat(reader.fault()).contains("more than 1024 fields");
    }

    @Test
    void lengthsOfTheFrameThatDoNotAddUpAreFaults() {
        byte[] good = jsonFrame("{\"code\":1}");
        assertThat(read(good)).isTrue();
        for (int length : new int[] {0, 3, 7, good.length - 1, good.length + 1, Integer.MAX_VALUE, -1}) {
            assertThat(reader.read(ByteBuffer.wrap(good), 0, length)).isFalse();
            assertThat(reader.fault()).isNotBlank();
        }
        assertThat(reader.read(ByteBuffer.wrap(good), 1, good.length)).isFalse();
        assertThat(reader.read(ByteBuffer.wrap(good), -1, good.length)).isFalse();
        for (int claimed : new int[] {good.length, 0, -4, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            byte[] wrong = good.clone();
            ByteBuffer.wrap(wrong).putInt(0, claimed);
            assertThat(read(wrong)).isFalse();
        }
        for (int claimed : new int[] {good.length - 7, 0xFFFFFF}) {
            byte[] wrong = good.clone();
            ByteBuffer.wrap(wrong).putInt(4, claimed);
            assertThat(read(wrong)).isFalse();
        }
        byte[] unknownCodec = good.clone();
        unknownCodec[4] = 2;
        assertThat(read(unknownCodec)).isFalse();
    }

    @Test
    void headerAndFrameBeyondTheirLimitsAreFaults() {
        int tooLong = HeaderReader.MAX_HEADER_BYTES + 1;
        assertThat(readJson("{\"x\":\"" + "a".repeat(tooLong - 8) + "\"}")).isFalse();
        assertThat(reader.fault()).contains("more than " + HeaderReader.MAX_HEADER_BYTES);

        ByteBuffer frame = ByteBuffer.allocate(Network.MAX_FRAME_BYTES + 1);
        frame.putInt(0, frame.limit() - 4).putInt(4, 2).put(8, new byte[] {'{', '}'});
        assertThat(reader.read(frame, 0, frame.limit())).isFalse();
        frame.putInt(0, frame.limit() - 5);
        assertThat(reader.read(frame, 0, frame.limit() - 1)).isTrue();
    }

    @Test
    void binaryFieldsThatDoNotAddUpAreFaults() {
        byte[] good = binary(8)
                .putShort((short) 1)
                .put((byte) 'a')
                .putInt(1)
                .put((byte) 'x')
                .array();
        assertThat(read(frame(1, good))).as(reader.fault()).isTrue();
        assertThat(reader.fields()).containsExactly(Map.entry("a", "x"));
        assertThat(reader.code()).isEqualTo(105);

        int[][] wrongInts = {{13, 1}, {13, -1}, {13, Integer.MAX_VALUE}, {17, 9}, {17, -1}, {17, 7}, {24, 2}, {24, -1}};
        for (int[] wrong : wrongInts) {
            byte[] header = good.clone();
            ByteBuffer.wrap(header).putInt(wrong[0], wrong[1]);
            assertThat(read(frame(1, header))).as(wrong[1] + " at " + wrong[0]).isFalse();
        }
        for (int keyLength : new int[] {-1, 2, 300, Short.MAX_VALUE}) {
            byte[] header = good.clone();
            ByteBuffer.wrap(header).putShort(21, (short) keyLength);
            assertThat(read(frame(1, header))).isFalse();
        }
        for (int length = 0; length < good.length; length++) {
            assertThat(read(frame(1, Arrays.copyOf(good, length)))).isFalse();
        }
    }

    @Test
    void readerIsFreshForEveryFrame() {
        readJson("{\"code\":5,\"flag\":3,\"remark\":\"r\",\"extFields\":{\"a\":\"b\"}}");
        reader.requireInt(FieldNames.QUEUE_ID);

        assertThat(read(frame(1, binary(0).array()))).isTrue();
        assertThat(reader.fault()).isNull();
        assertThat(reader.remark()).isNull();
        assertThat(reader.fieldCount()).isZero();
        assertThat(reader.flags()).isZero();
        assertThat(readJson("{")).isFalse();
        assertThat(reader.fieldCount()).isZero();
    }
}
