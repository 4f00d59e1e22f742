package gantry.wire.frame;

import static gantry.wire.peer.PeerLibrary.call;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.peer.PeerFrames;
import gantry.wire.peer.PeerLibrary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that frames written by either side are read alike by the other, in both serialisations, by letting the
/// official library do one half.
class FrameGoldenTest {
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("topic", "T-1");
        FIELDS.put("quotes", "a \"quoted\" \\ back/slash");
        FIELDS.put("properties", "KEYS\u0001k1 k2\u0002TAGS\u0001A\u0002\t\r\n\b\f\u001f\u007f");
        FIELDS.put("words", "gr\u00fc\u00dfe \u4f60\u597d \ud83d\ude80");
        FIELDS.put("number", "-9223372036854775807");
        FIELDS.put("flag", "true");
    }

    private static final String REMARK = "it \"failed\" \u4f60 \u0001";

    static Stream<Arguments> peersAndCodecs() {
        return PeerLibrary.all().flatMap(peer -> Stream.of(Codec.values()).map(codec -> Arguments.of(peer, codec)));
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void readerReadsWhatThePeerWrote(PeerLibrary peer, Codec codec) {
        byte[] body = "body \u0000 of bytes".getBytes(StandardCharsets.UTF_8);
        Object command = PeerFrames.request(peer, codec, RequestCodes.QUERY_MESSAGE, null);
        PeerFrames.setFields(command, FIELDS);
        call(command, "setRemark", REMARK);
        call(command, "setOpaque", -77);
        call(command, "setVersion", 409);
        call(command, "setFlag", FrameFlags.ANSWER | FrameFlags.ONEWAY);
        call(command, "setLanguage", peer.constant("LanguageCode", "GO"));
        call(command, "setBody", (Object) body);
        byte[] frame = PeerFrames.encode(command);

        // Not at the start of the buffer, and not at its end.
        ByteBuffer around = ByteBuffer.allocateDirect(frame.length + 20);
        around.put(7, frame);
        HeaderReader reader = new HeaderReader();

        assertThat(reader.read(around, 7, frame.length)).as(reader.fault()).isTrue();
        assertThat(reader.codec()).isEqualTo(codec);
        assertThat(reader.code()).isEqualTo(RequestCodes.QUERY_MESSAGE);
        assertThat(reader.correlationId()).isEqualTo(-77);
        assertThat(reader.version()).isEqualTo(409);
        assertThat(reader.isAnswer()).isTrue();
        assertThat(reader.isOneway()).isTrue();
        assertThat(reader.language()).isEqualTo(Language.GO);
        assertThat(reader.remark()).isEqualTo(REMARK);
        assertThat(reader.fields()).isEqualTo(FIELDS);
        assertThat(reader.bodyLength()).isEqualTo(body.length);
        byte[] found = new byte[body.length];
        around.get(reader.bodyOffset(), found);
        assertThat(found).isEqualTo(body);
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void peerReadsWhatTheWriterWrote(PeerLibrary peer, Codec codec) {
        byte[] body = {1, 2, 3};
        Command ours = Command.request(RequestCodes.PULL_MESSAGE)
                .withCodec(codec)
                .withCorrelationId(123_456_789)
                .withLanguage(Language.CPP)
                .withVersion(Versions.V5_3_1)
                .withFlags(FrameFlags.ANSWER)
                .withRemark(REMARK)
                .withFields(FIELDS)
                .withBody(body);

        Object theirs = PeerFrames.decode(peer, ours.encode());

        assertThat(call(theirs, "getCode")).isEqualTo(RequestCodes.PULL_MESSAGE);
        assertThat(call(theirs, "getOpaque")).isEqualTo(123_456_789);
        assertThat(Objects.toString(call(theirs, "getLanguage"))).isEqualTo("CPP");
        assertThat(call(theirs, "getVersion")).isEqualTo(Versions.V5_3_1);
        assertThat(call(theirs, "isResponseType")).isEqualTo(true);
        assertThat(call(theirs, "isOnewayRPC")).isEqualTo(false);
        assertThat(call(theirs, "getRemark")).isEqualTo(REMARK);
        assertThat(call(theirs, "getExtFields")).isEqualTo(FIELDS);
        assertThat(call(theirs, "getBody")).isEqualTo(body);
        assertThat(Objects.toString(call(theirs, "getSerializeTypeCurrentRPC"))).isEqualTo(codec.name());
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void frameWithoutFieldsRemarkAndBodyGoesBothWays(PeerLibrary peer, Codec codec) {
        Object theirs = PeerFrames.decode(
                peer, Command.request(RequestCodes.HEART_BEAT).withCodec(codec).encode());
        assertThat(call(theirs, "getCode")).isEqualTo(RequestCodes.HEART_BEAT);
        assertThat(call(theirs, "getRemark")).isNull();
        assertThat(call(theirs, "getBody")).isNull();

        byte[] frame = PeerFrames.encode(PeerFrames.request(peer, codec, RequestCodes.HEART_BEAT, null));
        Command ours = Objects.requireNonNull(Command.decode(ByteBuffer.wrap(frame), 0, frame.length));
        assertThat(ours.code()).isEqualTo(RequestCodes.HEART_BEAT);
        assertThat(ours.remark()).isNull();
        assertThat(ours.fields()).isEmpty();
        assertThat(ours.body()).isEmpty();
        assertThat(ours.language()).isEqualTo(Language.JAVA);
    }

    @ParameterizedTest
    @MethodSource("peersAndCodecs")
    void fieldWithoutValueIsAbsentOnBothSides(PeerLibrary peer, Codec codec) {
        Object command = PeerFrames.request(peer, codec, RequestCodes.HEART_BEAT, null);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("there", "x");
        fields.put("null", null);
        PeerFrames.setFields(command, fields);
        byte[] frame = PeerFrames.encode(command);
        HeaderReader reader = new HeaderReader();

        assertThat(reader.read(ByteBuffer.wrap(frame), 0, frame.length)).isTrue();
        assertThat(reader.fields()).containsExactly(Map.entry("there", "x"));
        assertThat(reader.fieldCount()).isEqualTo(1);
    }

    /// The binary header has sixteen bits for the code, and the codes of POP need more.
    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void codeBeyondSixteenBitsTravelsAsJson(PeerLibrary peer) {
        byte[] frame = Command.request(RequestCodes.POP_MESSAGE)
                .withCodec(Codec.ROCKETMQ)
                .encode();

        assertThat(call(PeerFrames.decode(peer, frame), "getCode")).isEqualTo(RequestCodes.POP_MESSAGE);
    }
}
