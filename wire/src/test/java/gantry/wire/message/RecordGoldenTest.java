package gantry.wire.message;

import static gantry.wire.peer.PeerLibrary.call;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.wire.peer.PeerLibrary;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that stored messages are byte for byte those of the official libraries, by comparing with their encoders and
/// by letting their decoders read ours.
class RecordGoldenTest {
    private static final byte[] BODY = "a body \u0000 with bytes".getBytes(StandardCharsets.UTF_8);
    private static final String V4 = "10.1.2.3";
    private static final String V6 = "2001:db8::9:a";

    static Stream<Arguments> peersAndHosts() {
        return PeerLibrary.all()
                .flatMap(peer -> Stream.of(V4, V6)
                        .flatMap(born -> Stream.of(V4, V6).map(store -> Arguments.of(peer, born, store))));
    }

    private static Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("TAGS", "TagA");
        properties.put("KEYS", "k1 k2");
        properties.put("w\u00f6rter", "\u4f60\u597d \ud83d\ude80");
        return properties;
    }

    private static RecordDraft draft(String topic, String born, String store) {
        return draft(new RecordDraft(), topic, born, store);
    }

    private static RecordDraft draft(RecordDraft empty, String topic, String born, String store) {
        return empty.topic(topic.getBytes(StandardCharsets.UTF_8))
                .queueId(5)
                .userFlag(-3)
                .flags(MessageFlags.MULTI_TAGS | MessageFlags.TRANSACTION_COMMIT)
                .bornMillis(1_700_000_000_123L)
                .bornHost(host(born, 40_000))
                .storeHost(host(store, 10_911))
                .redeliveries(2)
                .preparedLogOffset(77L << 32)
                .body(BODY);
    }

    private static RecordHost host(String address, int port) {
        return Objects.requireNonNull(RecordHost.parse(new Endpoint(address, port)));
    }

    private static byte[] record(RecordDraft draft) {
        ByteBuffer into = ByteBuffer.allocateDirect(100_000).position(13);
        int size = RecordWriter.write(into, draft);
        assertThat(size).isPositive().isEqualTo((int) RecordWriter.sizeOf(draft));
        assertThat(into.position()).isEqualTo(13 + size);
        RecordWriter.number(into, 13, 9, 1L << 31, 1_700_000_000_456L);
        byte[] bytes = new byte[size];
        into.get(13, bytes);
        return bytes;
    }

    private static Object peersMessage(PeerLibrary peer, String born, String store) throws UnknownHostException {
        Object message = peer.make("MessageExt");
        call(message, "setTopic", "Topic-1");
        call(message, "setQueueId", 5);
        call(message, "setFlag", -3);
        call(message, "setSysFlag", MessageFlags.MULTI_TAGS | MessageFlags.TRANSACTION_COMMIT);
        call(message, "setBornTimestamp", 1_700_000_000_123L);
        call(message, "setBornHost", new InetSocketAddress(InetAddress.getByName(born), 40_000));
        call(message, "setStoreTimestamp", 1_700_000_000_456L);
        call(message, "setStoreHost", new InetSocketAddress(InetAddress.getByName(store), 10_911));
        if (born.equals(V6)) {
            call(message, "setBornHostV6Flag");
        }
        if (store.equals(V6)) {
            call(message, "setStoreHostAddressV6Flag");
        }
        call(message, "setReconsumeTimes", 2);
        call(message, "setPreparedTransactionOffset", 77L << 32);
        call(message, "setQueueOffset", 9L);
        call(message, "setCommitLogOffset", 1L << 31);
        call(message, "setBody", (Object) BODY);
        call(message, "setBodyCRC", peer.callStatic("UtilAll", "crc32", (Object) BODY));
        peer.callStatic("MessageAccessor", "setProperties", message, properties());
        return message;
    }

    @ParameterizedTest
    @MethodSource("peersAndHosts")
    void recordIsByteForByteWhatThePeerEncodes(PeerLibrary peer, String born, String store) throws Exception {
        Object message = peersMessage(peer, born, store);
        String properties =
                Objects.toString(peer.callStatic("MessageDecoder", "messageProperties2String", properties()));

        byte[] theirs = (byte[]) peer.makeBy("MessageDecoder", "encode", message, false);
        byte[] ours = record(draft("Topic-1", born, store).properties(properties.getBytes(StandardCharsets.UTF_8)));

        assertThat(ours).isEqualTo(theirs);
    }

    @ParameterizedTest
    @MethodSource("peersAndHosts")
    void viewReadsWhatThePeerEncodes(PeerLibrary peer, String born, String store) throws Exception {
        byte[] record = (byte[]) peer.makeBy("MessageDecoder", "encode", peersMessage(peer, born, store), false);
        RecordView view = new RecordView();

        assertThat(view.wrap(ByteBuffer.wrap(record), 0, record.length, true)).isEqualTo(Check.OK);
        assertThat(view.size()).isEqualTo(record.length);
        assertThat(view.version()).isEqualTo(1);
        assertThat(view.topic()).isEqualTo("Topic-1");
        assertThat(view.queueId()).isEqualTo(5);
        assertThat(view.userFlag()).isEqualTo(-3);
        assertThat(view.queueOffset()).isEqualTo(9);
        assertThat(view.logOffset()).isEqualTo(1L << 31);
        assertThat(MessageFlags.transaction(view.flags())).isEqualTo(MessageFlags.TRANSACTION_COMMIT);
        assertThat(view.bornMillis()).isEqualTo(1_700_000_000_123L);
        assertThat(view.bornHost()).isEqualTo(host(born, 40_000));
        assertThat(view.storeMillis()).isEqualTo(1_700_000_000_456L);
        assertThat(view.storeHost()).isEqualTo(host(store, 10_911));
        assertThat(view.redeliveries()).isEqualTo(2);
        assertThat(view.preparedLogOffset()).isEqualTo(77L << 32);
        assertThat(view.body()).isEqualTo(BODY);
        assertThat(view.properties().toMap()).isEqualTo(properties());
        assertThat(view.tagsCode()).isEqualTo("TagA".hashCode());
    }

    @ParameterizedTest
    @MethodSource("peersAndHosts")
    void peerReadsOurRecord(PeerLibrary peer, String born, String store) throws Exception {
        byte[] record = record(draft("Topic-1", born, store)
                .properties(MessageProperties.encode(properties()))
                .addedProperties("CLUSTER\u0001c\u0002".getBytes(StandardCharsets.UTF_8)));

        Object theirs = peer.makeBy("MessageDecoder", "decode", ByteBuffer.wrap(record), true, true);

        assertThat(call(theirs, "getTopic")).isEqualTo("Topic-1");
        assertThat(call(theirs, "getStoreSize")).isEqualTo(record.length);
        assertThat(call(theirs, "getQueueId")).isEqualTo(5);
        assertThat(call(theirs, "getQueueOffset")).isEqualTo(9L);
        assertThat(call(theirs, "getCommitLogOffset")).isEqualTo(1L << 31);
        assertThat(call(theirs, "getBornHost")).isEqualTo(new InetSocketAddress(InetAddress.getByName(born), 40_000));
        assertThat(call(theirs, "getStoreHost")).isEqualTo(new InetSocketAddress(InetAddress.getByName(store), 10_911));
        assertThat(call(theirs, "getBody")).isEqualTo(BODY);
        Map<String, String> expected = properties();
        expected.put("CLUSTER", "c");
        assertThat(call(theirs, "getProperties")).isEqualTo(expected);
        assertThat(call(theirs, "getMsgId")).isEqualTo(new OffsetMessageId(host(store, 10_911), 1L << 31).text());
    }

    /// Version 2 is written for long topics only, and only brokers since 5.0 know it.
    @Test
    void longTopicMakesAVersion2RecordThatTheNewPeerReads() {
        String topic = "%RETRY%" + "x".repeat(200);
        byte[] record = record(draft(topic, V4, V4));

        Object theirs = PeerLibrary.V5.makeBy("MessageDecoder", "decode", ByteBuffer.wrap(record), true, true);

        assertThat(call(theirs, "getTopic")).isEqualTo(topic);
        assertThat(call(theirs, "getBody")).isEqualTo(BODY);
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void batchItemsAreThePeersMessages(PeerLibrary peer) {
        List<Object> messages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Object message = peer.make("Message", "T", "tag" + i, "key" + i, 100 + i, new byte[i], true);
            messages.add(message);
        }
        byte[] body = (byte[]) peer.makeBy("MessageDecoder", "encodeMessages", messages);
        ByteBuffer around = ByteBuffer.allocate(body.length + 9).put(4, body);
        BatchItems items = new BatchItems();

        assertThat(items.wrap(around, 4, body.length)).as(items.fault()).isEqualTo(10);
        MessageProperties properties = new MessageProperties();
        for (int i = 0; i < 10; i++) {
            assertThat(items.next()).isTrue();
            assertThat(items.userFlag()).isEqualTo(100 + i);
            assertThat(items.bodyLength()).isEqualTo(i);
            properties.wrap(around, items.propertiesOffset(), items.propertiesLength());
            assertThat(properties.text(PropertyNames.TAGS)).isEqualTo("tag" + i);
            assertThat(properties.text(PropertyNames.KEYS)).isEqualTo("key" + i);
        }
        assertThat(items.next()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void propertiesGoBothWays(PeerLibrary peer) {
        String theirs = Objects.toString(peer.callStatic("MessageDecoder", "messageProperties2String", properties()));
        assertThat(MessageProperties.toMap(theirs)).isEqualTo(properties());

        String ours = new String(MessageProperties.encode(properties()), StandardCharsets.UTF_8);
        assertThat(peer.callStatic("MessageDecoder", "string2messageProperties", ours))
                .isEqualTo(properties());
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void oddPropertiesAreReadAsThePeerReadsThem(PeerLibrary peer) {
        for (String odd : List.of(
                "",
                "\u0002",
                "\u0001",
                "a",
                "a\u0001",
                "\u0001b",
                "a\u0001\u0002",
                "a\u0001b",
                "a\u0001b\u0001c\u0002",
                "\u0002\u0002a\u0001b\u0002\u0002c\u0001d",
                "x\u0002a\u0001b",
                "a\u0001b\u0002a\u0001c\u0002",
                "\u0001\u0001\u0001")) {
            assertThat(MessageProperties.toMap(odd))
                    .as(odd.replace('\u0001', '^').replace('\u0002', '$'))
                    .isEqualTo(peer.callStatic("MessageDecoder", "string2messageProperties", odd));
        }
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void offsetMessageIdIsThePeers(PeerLibrary peer) throws Exception {
        for (String address : List.of(V4, V6)) {
            Object socket = new InetSocketAddress(InetAddress.getByName(address), 10_911);
            String theirs = Objects.toString(peer.callStatic("MessageDecoder", "createMessageId", socket, 1L << 45));
            OffsetMessageId ours = new OffsetMessageId(host(address, 10_911), 1L << 45);

            assertThat(ours.text()).isEqualTo(theirs);
            assertThat(OffsetMessageId.parse(theirs)).isEqualTo(ours);
            Object parsed = peer.makeBy("MessageDecoder", "decodeMessageId", ours.text());
            assertThat(call(parsed, "getOffset")).isEqualTo(1L << 45);
            assertThat(call(parsed, "getAddress")).isEqualTo(socket);
        }
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void uniqueKeyTellsThePeerWhereAndWhenItWasMade(PeerLibrary peer) {
        long now = 1_700_000_000_123L;
        UniqueKey keys = new UniqueKey(host(V4, 0), 0x12345, 0xCAFE, ZoneId.systemDefault());
        String first = keys.next(now);

        assertThat(first).hasSize(32).isEqualTo("0A010203" + "2345" + "0000CAFE" + first.substring(20, 28) + "0000");
        assertThat(keys.next(now)).isNotEqualTo(first).endsWith("0001");
        assertThat(peer.callStatic("MessageClientIDSetter", "getIPStrFromID", first))
                .isEqualTo(V4);
        assertThat(peer.callStatic("MessageClientIDSetter", "getPidFromID", first))
                .isEqualTo(0x2345);
        // Keys carry the time in their month only, so the peer can date those alone that are past and younger than
        // that.
        long recent = System.currentTimeMillis() - 1_000;
        Object date = peer.makeBy("MessageClientIDSetter", "getNearlyTimeFromID", keys.next(recent));
        assertThat(call(date, "getTime")).isEqualTo(recent);
    }

    @Test
    void tagsCodeIsThePeers() {
        for (String tag : List.of("", "A", "TagA", "gr\u00fc\u00dfe", "\u4f60\u597d \ud83d\ude80", "x".repeat(300))) {
            byte[] utf8 = tag.getBytes(StandardCharsets.UTF_8);
            Object theirs = PeerLibrary.V5.callStatic("MessageExtBrokerInner", "tagsString2tagsCode", tag);
            assertThat(TagsCode.of(utf8, 0, utf8.length))
                    .isEqualTo(TagsCode.of(tag))
                    .isEqualTo(theirs);
        }
    }

    @Test
    void crcOverTheWholeRecordIsCheckedWhereThePeerPutsIt() {
        byte[] record = record(draft(new RecordDraft(true), "T", V4, V4)
                .properties("a\u0001b\u0002".getBytes(StandardCharsets.UTF_8)));
        byte[] ours = record.clone();
        RecordWriter.sum(ByteBuffer.wrap(ours), 0, new CRC32());
        CRC32 crc = new CRC32();
        crc.update(record, 0, record.length - RecordCrc.PROPERTY_BYTES);
        ByteBuffer end = ByteBuffer.wrap(record, record.length - RecordCrc.PROPERTY_BYTES, RecordCrc.PROPERTY_BYTES);
        PeerLibrary.V5.callStatic("MessageDecoder", "createCrc32", end, (int) crc.getValue() & MessageLayout.CRC_MASK);
        RecordView view = new RecordView();

        assertThat(ours).isEqualTo(record);
        assertThat(view.wrap(ByteBuffer.wrap(record), 0, record.length, true)).isEqualTo(Check.OK);
        byte[] damaged = Arrays.copyOf(record, record.length);
        damaged[MessageLayout.QUEUE_OFFSET] ^= 1;
        assertThat(view.wrap(ByteBuffer.wrap(damaged), 0, record.length, true)).isEqualTo(Check.BAD_RECORD_CRC);
        assertThat(view.wrap(ByteBuffer.wrap(damaged), 0, record.length, false)).isEqualTo(Check.OK);
    }
}
