package gantry.wire.header;

import static gantry.wire.peer.PeerLibrary.call;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.frame.Codec;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.OffsetMessageId;
import gantry.wire.message.RecordHost;
import gantry.wire.peer.PeerFrames;
import gantry.wire.peer.PeerLibrary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that the headers of sends and pulls are read and written as the official clients do, by their own header
/// classes, on both of their ways of encoding.
class HeaderGoldenTest {
    private static final String PROPERTIES =
            "KEYS\u0001a b\u0002UNIQ_KEY\u0001C0A80001\u0002name\u0001gr\u00fc\u00dfe\u0002";
    private static final RecordHost HOST = RecordHost.of(new byte[] {10, 0, 0, 1}, 10_911);

    static Stream<Arguments> peersAndCodecs() {
        return PeerLibrary.all().flatMap(peer -> Stream.of(Codec.values()).map(codec -> Arguments.of(peer, codec)));
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void sendHeaderReadsBothFormsOfASend(PeerLibrary peer, Codec codec) {
        Object longNames = sendHeader(peer);
        Object letters = peer.makeBy("SendMessageRequestHeaderV2", "createSendMessageRequestHeaderV2", longNames);

        for (byte[] frame : encodings(peer, codec, RequestCodes.SEND_MESSAGE, longNames)) {
            assertIsTheSend(frame, false);
        }
        for (byte[] frame : encodings(peer, codec, RequestCodes.SEND_MESSAGE_V2, letters)) {
            assertIsTheSend(frame, false);
        }
        for (byte[] frame : encodings(peer, codec, RequestCodes.SEND_BATCH_MESSAGE, letters)) {
            assertIsTheSend(frame, true);
        }
        call(letters, "setM", true);
        for (byte[] frame : encodings(peer, codec, RequestCodes.SEND_MESSAGE_V2, letters)) {
            assertIsTheSend(frame, true);
        }
    }

    private static Object sendHeader(PeerLibrary peer) {
        Object header = peer.make("SendMessageRequestHeader");
        call(header, "setProducerGroup", "PG");
        call(header, "setTopic", "%RETRY%CG");
        call(header, "setDefaultTopic", "TBW102");
        call(header, "setDefaultTopicQueueNums", 4);
        call(header, "setQueueId", -1);
        call(header, "setSysFlag", 0x301);
        call(header, "setBornTimestamp", 1_700_000_000_123L);
        call(header, "setFlag", Integer.MIN_VALUE);
        call(header, "setProperties", PROPERTIES);
        call(header, "setReconsumeTimes", 3);
        call(header, "setUnitMode", true);
        call(header, "setMaxReconsumeTimes", 16);
        return header;
    }

    private static void assertIsTheSend(byte[] frame, boolean batch) {
        HeaderReader reader = new HeaderReader();
        SendHeader send = new SendHeader();
        assertThat(reader.read(ByteBuffer.wrap(frame), 0, frame.length))
                .as(reader.fault())
                .isTrue();
        assertThat(send.read(reader)).as(send.fault()).isTrue();

        assertThat(send.producerGroup()).isEqualTo("PG");
        assertThat(send.topic()).isEqualTo("%RETRY%CG");
        assertThat(send.topicEquals("%RETRY%CG".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(send.defaultTopic()).isEqualTo("TBW102");
        assertThat(send.defaultTopicQueues()).isEqualTo(4);
        assertThat(send.queueId()).isEqualTo(-1);
        assertThat(send.flags()).isEqualTo(0x301);
        assertThat(send.bornMillis()).isEqualTo(1_700_000_000_123L);
        assertThat(send.userFlag()).isEqualTo(Integer.MIN_VALUE);
        assertThat(new String(send.bytes(), send.propertiesFrom(), send.propertiesLength(), StandardCharsets.UTF_8))
                .isEqualTo(PROPERTIES);
        assertThat(send.redeliveries()).isEqualTo(3);
        assertThat(send.unitMode()).isTrue();
        assertThat(send.maxRedeliveries()).isEqualTo(16);
        assertThat(send.isBatch()).isEqualTo(batch);
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void peerReadsTheAnswerToASend(PeerLibrary peer, Codec codec) {
        byte[] key = "C0A8000112345678".getBytes(StandardCharsets.US_ASCII);
        FrameWriter out = new FrameWriter();
        SendAnswer answer = new SendAnswer(HOST, "DefaultRegion", true);
        for (int round = 0; round < 2; round++) {
            out.reset();
            answer.add(1_073_741_824L).transactionId(key, 0, key.length);
            answer.write(out, codec, ResponseCodes.FLUSH_DISK_TIMEOUT, 99, "slow \"disk\"", 7, 1L << 40);

            Object command = PeerFrames.decode(peer, Arrays.copyOf(out.bytes(), out.size()));
            Object header = PeerFrames.header(peer, command, "SendMessageResponseHeader");
            assertThat(call(command, "getCode")).isEqualTo(ResponseCodes.FLUSH_DISK_TIMEOUT);
            assertThat(call(command, "getOpaque")).isEqualTo(99);
            assertThat(call(command, "isResponseType")).isEqualTo(true);
            assertThat(call(command, "getRemark")).isEqualTo("slow \"disk\"");
            assertThat(call(header, "getMsgId")).isEqualTo("0A00000100002A9F0000000040000000");
            assertThat(call(header, "getQueueId")).isEqualTo(7);
            assertThat(call(header, "getQueueOffset")).isEqualTo(1L << 40);
            assertThat(call(header, "getTransactionId")).isEqualTo("C0A8000112345678");
            assertThat((Map<?, ?>) call(command, "getExtFields"))
                    .hasSize(6)
                    .extracting("MSG_REGION", "TRACE_ON")
                    .containsExactly("DefaultRegion", "true");
        }
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void answerToABatchNamesEveryMessage(PeerLibrary peer, Codec codec) {
        SendAnswer answer = new SendAnswer(HOST, "R", false);
        for (int i = 0; i < 100; i++) {
            answer.add(1000L * i);
        }
        FrameWriter out = new FrameWriter();
        answer.write(out, codec, ResponseCodes.SUCCESS, 1, null, 0, 5);

        Object command = PeerFrames.decode(peer, Arrays.copyOf(out.bytes(), out.size()));
        Object header = PeerFrames.header(peer, command, "SendMessageResponseHeader");
        String[] ids = Objects.toString(call(header, "getMsgId")).split(",", -1);
        assertThat(ids).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(ids[i]).isEqualTo(new OffsetMessageId(HOST, 1000L * i).text());
        }
        assertThat(call(command, "getRemark")).isNull();
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void pullHeaderReadsAPull(PeerLibrary peer, Codec codec) {
        Object header = peer.make("PullMessageRequestHeader");
        call(header, "setConsumerGroup", "CG");
        call(header, "setTopic", "T");
        call(header, "setQueueId", 3);
        call(header, "setQueueOffset", 1L << 33);
        call(header, "setMaxMsgNums", 32);
        call(header, "setSysFlag", PullFlags.SUSPEND | PullFlags.SUBSCRIPTION);
        call(header, "setCommitOffset", 12L);
        call(header, "setSuspendTimeoutMillis", 15_000L);
        call(header, "setSubscription", "a > 5 AND b = 'x\"y'");
        call(header, "setSubVersion", 1_700_000_000_000L);
        call(header, "setExpressionType", "SQL92");

        for (byte[] frame : encodings(peer, codec, RequestCodes.PULL_MESSAGE, header)) {
            HeaderReader reader = new HeaderReader();
            PullHeader pull = new PullHeader();
            assertThat(reader.read(ByteBuffer.wrap(frame), 0, frame.length)).isTrue();
            assertThat(pull.read(reader)).as(pull.fault()).isTrue();
            assertThat(pull.group()).isEqualTo("CG");
            assertThat(pull.groupEquals("CG".getBytes(StandardCharsets.UTF_8))).isTrue();
            assertThat(pull.topic()).isEqualTo("T");
            assertThat(pull.queueId()).isEqualTo(3);
            assertThat(pull.queueOffset()).isEqualTo(1L << 33);
            assertThat(pull.maxMessages()).isEqualTo(32);
            assertThat(pull.flags()).isEqualTo(PullFlags.SUSPEND | PullFlags.SUBSCRIPTION);
            assertThat(pull.consumedOffset()).isEqualTo(12);
            assertThat(pull.suspendMillis()).isEqualTo(15_000);
            assertThat(pull.subscription()).isEqualTo("a > 5 AND b = 'x\"y'");
            assertThat(pull.subscriptionVersion()).isEqualTo(1_700_000_000_000L);
            assertThat(pull.expressionType()).isEqualTo("SQL92");
            assertThat(pull.maxBytes()).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void peerReadsTheAnswerToAPull(PeerLibrary peer, Codec codec) {
        byte[] body = {4, 5, 6};
        FrameWriter out = new FrameWriter();
        PullAnswer.begin(out, codec, ResponseCodes.SUCCESS, 8, "FOUND", 0, 11, -1, Long.MAX_VALUE);
        out.end(body);

        Object command = PeerFrames.decode(peer, Arrays.copyOf(out.bytes(), out.size()));
        Object header = PeerFrames.header(peer, command, "PullMessageResponseHeader");
        assertThat(call(command, "getRemark")).isEqualTo("FOUND");
        assertThat(call(command, "getBody")).isEqualTo(body);
        assertThat(call(header, "getSuggestWhichBrokerId")).isEqualTo(0L);
        assertThat(call(header, "getNextBeginOffset")).isEqualTo(11L);
        assertThat(call(header, "getMinOffset")).isEqualTo(-1L);
        assertThat(call(header, "getMaxOffset")).isEqualTo(Long.MAX_VALUE);
    }

    /// The same request, as the peer encodes it for one buffer and as it writes it to its channel.
    private static Stream<byte[]> both(PeerLibrary peer, Codec codec, int code, Object header) {
        return Stream.of(
                PeerFrames.encode(PeerFrames.request(peer, codec, code, header)),
                PeerFrames.encodeFast(peer, PeerFrames.request(peer, codec, code, header)));
    }

    private static Iterable<byte[]> encodings(PeerLibrary peer, Codec codec, int code, Object header) {
        return both(peer, codec, code, header).toList();
    }
}
