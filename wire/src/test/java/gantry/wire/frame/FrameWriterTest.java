package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Invariant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that frames written one after another are whole, however large their parts are, by reading them back.
class FrameWriterTest {
    private final FrameWriter writer = new FrameWriter();

    @ParameterizedTest
    @EnumSource
    void severalFramesFollowOneAnother(Codec codec) {
        for (int i = 0; i < 50; i++) {
            writer.begin(codec, i, FrameFlags.ANSWER, 1000 + i);
            writer.remark(i % 2 == 0 ? null : "remark " + i);
            if (i % 3 != 0) {
                writer.field(FieldNames.OFFSET, (long) i);
            }
            writer.end(new byte[i]);
        }

        ByteBuffer frames = ByteBuffer.wrap(writer.bytes(), 0, writer.size());
        HeaderReader reader = new HeaderReader();
        int at = 0;
        for (int i = 0; i < 50; i++) {
            int length = frames.getInt(at) + 4;
            assertThat(reader.read(frames, at, length)).as(reader.fault()).isTrue();
            assertThat(reader.code()).isEqualTo(i);
            assertThat(reader.correlationId()).isEqualTo(1000 + i);
            assertThat(reader.remark()).isEqualTo(i % 2 == 0 ? null : "remark " + i);
            assertThat(reader.longOr(FieldNames.OFFSET, -1)).isEqualTo(i % 3 == 0 ? -1 : i);
            assertThat(reader.bodyLength()).isEqualTo(i);
            at += length;
        }
        assertThat(at).isEqualTo(writer.size());
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfFieldIsReadBack(Codec codec) {
        byte[] utf8 = "\u0001\"\\ \u4f60 \ud83d\ude80".getBytes(StandardCharsets.UTF_8);
        String large = "\u0002x\u4f60".repeat(20_000);
        writer.begin(codec, 1, 0, 2);
        writer.field(FieldNames.OFFSET, Long.MIN_VALUE);
        writer.field(FieldNames.MAX_OFFSET, Long.MAX_VALUE);
        writer.field(FieldNames.MIN_OFFSET, 0);
        writer.field(FieldNames.TOPIC, large);
        writer.field(FieldNames.GROUP, (String) null);
        writer.field(FieldNames.ORDER, true);
        writer.field(FieldNames.FORCE, false);
        writer.fieldAscii(FieldNames.MSG_ID, utf8, utf8.length - 9, 0);
        writer.fieldUtf8(FieldNames.PROPERTIES, utf8, 0, utf8.length);
        writer.end(0);
        HeaderReader reader = new HeaderReader();

        assertThat(reader.read(ByteBuffer.wrap(writer.bytes()), 0, writer.size()))
                .as(reader.fault())
                .isTrue();
        Map<String, String> expected = Map.of(
                "offset", "-9223372036854775808",
                "maxOffset", "9223372036854775807",
                "minOffset", "0",
                "topic", large,
                "order", "true",
                "force", "false",
                "properties", new String(utf8, StandardCharsets.UTF_8));
        assertThat(reader.fields()).containsAllEntriesOf(expected).doesNotContainKey("group");
    }

    @ParameterizedTest
    @EnumSource
    void bodyThatTheCallerAppendsIsCounted(Codec codec) {
        writer.begin(codec, 1, 0, 2);
        writer.end(1_000_000);
        assertThat(ByteBuffer.wrap(writer.bytes()).getInt(0)).isEqualTo(writer.size() - 4 + 1_000_000);
    }

    @ParameterizedTest
    @EnumSource
    void resetForgetsAlsoWhatWasNotEnded(Codec codec) {
        writer.begin(codec, 1, 0, 2);
        writer.field(FieldNames.TOPIC, "x".repeat(1_000_000));
        writer.reset();
        assertThat(writer.size()).isZero();
        assertThat(writer.bytes().length).isLessThan(300_000);
        writer.begin(codec, 3, 0, 4);
        writer.end(0);
        assertThat(new HeaderReader().read(ByteBuffer.wrap(writer.bytes()), 0, writer.size()))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void wrongOrderIsOurFault(Codec codec) {
        assertThatThrownBy(() -> writer.end(0)).isInstanceOf(Invariant.Broken.class);
        writer.begin(codec, 1, 0, 2);
        assertThatThrownBy(() -> writer.begin(codec, 1, 0, 2)).isInstanceOf(Invariant.Broken.class);
        writer.field(FieldNames.TOPIC, "T");
        assertThatThrownBy(() -> writer.remark("late")).isInstanceOf(Invariant.Broken.class);
    }

    /// A peer may send any name; whoever relays its fields must not fail on one.
    @ParameterizedTest
    @EnumSource
    void commandCarriesFieldsOfAnyName(Codec codec) {
        Map<String, String> odd = Map.of("a b\"", "1", "\u4f60", "2", "\u0001", "3", "n".repeat(70_000), "4");
        byte[] frame = Command.request(1).withCodec(codec).withFields(odd).encode();
        Command read = Objects.requireNonNull(Command.decode(ByteBuffer.wrap(frame), 0, frame.length));
        assertThat(read.fields()).isEqualTo(odd);
    }
}
