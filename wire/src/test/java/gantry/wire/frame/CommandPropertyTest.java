package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/// Whatever a command carries, it is the same after a round trip, in both serialisations.
class CommandPropertyTest {
    /// One of each kind that is written in a way of its own.
    private static final List<String> ATOMS = List.of(
            "a",
            "Z9",
            " ",
            "\"",
            "\\",
            "/",
            "\u0000",
            "\u0001",
            "\u0002",
            "\b\f\n\r\t",
            "\u001f",
            "\u007f",
            "\u0080",
            "\u07ff",
            "\u0800",
            "\u4f60",
            "\uffff",
            "\ud83d\ude80",
            "\ud800\udc00",
            "\\u0041",
            "{[");

    /// Any text that UTF-8 can say.
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(ATOMS).list().ofMaxSize(12).map(atoms -> String.join("", atoms));
    }

    @Provide
    Arbitrary<Map<String, String>> fieldMaps() {
        return Arbitraries.maps(texts(), texts()).ofMaxSize(12);
    }

    @Property(tries = 500)
    void commandIsTheSameAfterARoundTrip(
            @ForAll Codec codec,
            @ForAll short code,
            @ForAll int correlationId,
            @ForAll int flags,
            @ForAll Language language,
            @ForAll("texts") String remark,
            @ForAll("fieldMaps") Map<String, String> fields,
            @ForAll @Size(max = 100) byte[] body) {
        Command sent = Command.request(code)
                .withCodec(codec)
                .withCorrelationId(correlationId)
                .withFlags(flags)
                .withLanguage(language)
                .withRemark(remark)
                .withFields(fields)
                .withBody(body);
        byte[] frame = sent.encode();

        Command read = Objects.requireNonNull(Command.decode(ByteBuffer.wrap(frame), 0, frame.length));

        assertThat(read.codec()).isEqualTo(codec);
        assertThat(read.code()).isEqualTo(code);
        assertThat(read.correlationId()).isEqualTo(correlationId);
        assertThat(read.flags()).isEqualTo(flags);
        assertThat(read.language()).isEqualTo(language);
        assertThat(read.remark()).isEqualTo(codec == Codec.JSON ? remark : nullIfEmpty(remark));
        assertThat(read.fields()).isEqualTo(codec == Codec.JSON ? fields : withoutEmptyValues(fields));
        assertThat(read.body()).isEqualTo(body);
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    /// The binary header cannot tell an empty value from none.
    private static Map<String, String> withoutEmptyValues(Map<String, String> fields) {
        Map<String, String> left = new HashMap<>(fields);
        left.values().removeIf(String::isEmpty);
        return left;
    }
}
