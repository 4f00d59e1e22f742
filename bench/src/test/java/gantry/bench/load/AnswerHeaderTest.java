package gantry.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Answers are read in both serialisations, and names inside fields deceive nobody.
class AnswerHeaderTest {
    private final AnswerHeader header = new AnswerHeader();

    @Test
    void officialSendAnswerIsRead() {
        assertThat(
                        read(
                                "{\"code\":0,\"extFields\":{\"queueId\":\"1\",\"msgId\":\"7F00\",\"queueOffset\":\"42\"},\"flag\":1,"
                                        + "\"language\":\"JAVA\",\"opaque\":1000000007,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}"))
                .isTrue();
        assertThat(header.code()).isZero();
        assertThat(header.isAnswer()).isTrue();
        assertThat(header.correlationId()).isEqualTo(1_000_000_007);
        assertThat(header.field("queueOffset")).isEqualTo("42");
        assertThat(header.field("nothing")).isNull();
    }

    @Test
    void namesInsideFieldsAndRemarksDoNotCount() {
        assertThat(read(
                        "{\"extFields\":{\"code\":7,\"opaque\":8},\"remark\":\"a \\\"code\\\":9 {\",\"code\":-3,\"flag\":1,"
                                + "\"opaque\":5}"))
                .isTrue();
        assertThat(header.code()).isEqualTo(-3);
        assertThat(header.correlationId()).isEqualTo(5);
    }

    @Test
    void headerWithoutAnIdIsNoAnswer() {
        assertThat(read("{\"code\":0,\"flag\":1}")).isFalse();
        assertThat(read("{\"code\":0,\"flag\":1,\"remark\":\"never ends\\")).isFalse();
    }

    @Test
    void binaryAnswerIsRead() {
        byte[] frame = Frames.encode(Codec.ROCKETMQ, 0, 1, 77, Map.of("offset", "123"), new byte[] {9});

        assertThat(header.read(ByteBuffer.wrap(frame), 0, frame.length)).isTrue();
        assertThat(header.isAnswer()).isTrue();
        assertThat(header.correlationId()).isEqualTo(77);
        assertThat(header.field("offset")).isEqualTo("123");
        assertThat(header.bodyLength()).isEqualTo(1);
        assertThat(frame[header.bodyAt()]).isEqualTo((byte) 9);
    }

    @Test
    void headerLongerThanItsFrameIsRefused() {
        byte[] frame = Frames.encode(Codec.JSON, 0, 1, 77, Map.of(), new byte[0]);
        ByteBuffer.wrap(frame).putInt(4, frame.length);

        assertThat(header.read(ByteBuffer.wrap(frame), 0, frame.length)).isFalse();
    }

    private boolean read(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + text.length);
        frame.putInt(4 + text.length).putInt(text.length).put(text);
        return header.read(frame, 0, frame.capacity());
    }
}
