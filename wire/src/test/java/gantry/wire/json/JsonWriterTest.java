package gantry.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The text of both dialects.
final class JsonWriterTest {
    private static void queue(JsonWriter out) {
        out.beginObject().field("queueId", 2).field("topic", "T").endObject();
    }

    @Test
    void peersGetBareNumbersAndObjectsAsKeys() {
        assertThat(written(Dialect.PEER))
                .isEqualTo(
                        "{\"table\":{0:\"a\",-1:\"b\"},\"offsets\":{{\"queueId\":2,\"topic\":\"T\"}:5},\"é\":\"é\"}");
    }

    @Test
    void standardJsonHasQuotedKeysAndAsciiText() {
        assertThat(written(Dialect.STANDARD))
                .isEqualTo("{\"table\":{\"0\":\"a\",\"-1\":\"b\"},"
                        + "\"offsets\":{\"{\\\"queueId\\\":2,\\\"topic\\\":\\\"T\\\"}\":5},\"\\u00E9\":\"\\u00E9\"}");
    }

    private static String written(Dialect dialect) {
        return new JsonWriter(dialect)
                .beginObject()
                .name("table")
                .beginObject()
                .name(0)
                .text("a")
                .name(-1)
                .text("b")
                .endObject()
                .name("offsets")
                .beginObject()
                .name(JsonWriterTest::queue)
                .whole(5)
                .endObject()
                .field("é", "é")
                .endObject()
                .toString();
    }

    @Test
    void fieldsThatAreNullAreLeftOut() {
        JsonWriter out = new JsonWriter(Dialect.PEER)
                .beginObject()
                .field("absent", (String) null)
                .field("flag", true)
                .field("list", List.of("a", "b"))
                .field("number", Long.MAX_VALUE)
                .field("table", Map.of("k", "v"))
                .name("tps")
                .decimal(0)
                .name("none")
                .decimal(Double.NaN)
                .endObject();

        assertThat(out)
                .hasToString("{\"flag\":true,\"list\":[\"a\",\"b\"],\"number\":9223372036854775807,"
                        + "\"table\":{\"k\":\"v\"},\"tps\":0.0,\"none\":null}");
    }

    @Test
    void whatIsNotPlainIsEscaped() {
        assertThat(new JsonWriter(Dialect.PEER).text("\"\\\n\r\t\b\f\0\u001f\u007f\u2028é😀"))
                .hasToString("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001F\\u007F\\u2028é😀\"");
    }

    @Test
    void halfAPairOfSurrogatesIsNotLost() throws JsonFault {
        String text = "a\ud83d b\ude00";

        String json = new JsonWriter(Dialect.PEER).text(text).toString();

        assertThat(json).isEqualTo("\"a\\uD83D b\\uDE00\"");
        assertThat(Json.read(json)).isEqualTo(new Json.Text(text));
    }
}
