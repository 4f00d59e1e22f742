package gantry.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A request of the load is, byte for byte, what the official Java client 5.5.0 sends.
class FramesTest {
    /// Taken from the line between the official client and server; only the names are the benchmark's.
    private static final String OFFICIAL_SEND =
            "{\"code\":310,\"extFields\":{\"a\":\"PG_bench\",\"b\":\"CapTopic\",\"c\":\"TBW102\",\"d\":\"4\",\"e\":\"1\","
                    + "\"f\":\"0\",\"g\":\"1700000000123\",\"h\":\"0\",\"i\":\"UNIQ_KEY\\u0001"
                    + "7F0000011A2B251A69D70CAE00000000\\u0002WAIT\\u0001true\\u0002\",\"j\":\"0\",\"k\":\"false\","
                    + "\"m\":\"false\",\"n\":\"bench\"},\"flag\":0,\"language\":\"JAVA\",\"opaque\":5,"
                    + "\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}";

    @Test
    void jsonHeaderIsTheOfficialClients() {
        byte[] body = {1, 2, 3};
        ByteBuffer frame =
                ByteBuffer.wrap(Frames.encode(Codec.JSON, 310, 0, 5, SendScript.fields("CapTopic", 1, false), body));

        assertThat(frame.getInt(0)).isEqualTo(frame.capacity() - 4);
        assertThat(frame.getInt(4)).isEqualTo(OFFICIAL_SEND.length());
        assertThat(new String(frame.array(), 8, OFFICIAL_SEND.length(), StandardCharsets.UTF_8))
                .isEqualTo(OFFICIAL_SEND);
        assertThat(frame.slice(8 + OFFICIAL_SEND.length(), 3)).isEqualTo(ByteBuffer.wrap(body));
    }

    @Test
    void binaryHeaderHoldsEachFieldBehindItsLength() {
        ByteBuffer frame = ByteBuffer.wrap(Frames.encode(Codec.ROCKETMQ, 310, 0, 5, Map.of("b", "T1"), new byte[0]));

        assertThat(frame.get(4)).isEqualTo((byte) 1);
        assertThat(frame.getInt(4) & 0xFFFFFF).isEqualTo(frame.capacity() - 8);
        assertThat(frame.getShort(8)).isEqualTo((short) 310);
        assertThat(frame.getInt(Frames.BINARY_ID_AT)).isEqualTo(5);
        assertThat(frame.getInt(25)).isEqualTo(2 + 1 + 4 + 2);
        assertThat(frame.getShort(29)).isEqualTo((short) 1);
        assertThat(frame.get(31)).isEqualTo((byte) 'b');
        assertThat(frame.getInt(32)).isEqualTo(2);
        assertThat(frame.get(36)).isEqualTo((byte) 'T');
    }
}
