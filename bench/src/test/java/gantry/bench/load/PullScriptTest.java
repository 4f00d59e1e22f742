package gantry.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A pull accepts whole records with the offsets that are due, and nothing else.
class PullScriptTest {
    private static final int RECORD_BYTES = 120;
    private final PullScript script = new PullScript(Codec.JSON, "G", "T", 0, 5, 1);
    private final AnswerHeader header = new AnswerHeader();

    @Test
    void recordsInOrderAreCountedUntilTheEnd() throws LoadFailed {
        assertThat(script.confirm(answer(records(0, 1, 2)), header)).isEqualTo(3);
        assertThat(script.exhausted()).isFalse();
        assertThat(script.confirm(answer(records(3, 4)), header)).isEqualTo(2);
        assertThat(script.exhausted()).isTrue();
    }

    @Test
    void missingMessageIsNoticed() {
        assertThatThrownBy(() -> script.confirm(answer(records(0, 2)), header))
                .isInstanceOf(LoadFailed.class)
                .hasMessageContaining("offset 1 was due and 2 came");
    }

    @Test
    void brokenMarkIsNoticed() {
        ByteBuffer body = records(0);
        body.putInt(4, 0x12345678);
        assertThatThrownBy(() -> script.confirm(answer(body), header)).hasMessageContaining("no record");
    }

    @Test
    void recordThatIsCutOffIsNoticed() {
        ByteBuffer body = records(0, 1);
        assertThatThrownBy(() -> script.confirm(answer(body.slice(0, RECORD_BYTES + 50)), header))
                .isInstanceOf(LoadFailed.class);
    }

    @Test
    void emptyAnswerIsNoticed() {
        assertThatThrownBy(() -> script.confirm(answer(ByteBuffer.allocate(0)), header))
                .isInstanceOf(LoadFailed.class);
    }

    private static ByteBuffer records(long... offsets) {
        ByteBuffer body = ByteBuffer.allocate(offsets.length * RECORD_BYTES);
        for (int i = 0; i < offsets.length; i++) {
            body.putInt(i * RECORD_BYTES, RECORD_BYTES);
            body.putInt(i * RECORD_BYTES + 4, 0xDAA320A7);
            body.putLong(i * RECORD_BYTES + 20, offsets[i]);
        }
        return body;
    }

    private ByteBuffer answer(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        byte[] frame = Frames.encode(Codec.JSON, 0, 1, 7, Map.of(), bytes);
        ByteBuffer in = ByteBuffer.wrap(frame);
        assertThat(header.read(in, 0, frame.length)).isTrue();
        return in;
    }
}
