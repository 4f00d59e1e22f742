package gantry.wire.body;

import static gantry.wire.peer.PeerLibrary.call;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.frame.Versions;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import gantry.wire.peer.PeerLibrary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that the official libraries read every body that we write, field by field, and that we read what they write:
/// each body goes to the peer, becomes its object, is written by the peer, and must be read here as it was.
final class BodyGoldenTest {
    static Stream<Arguments> samplesOfBoth() {
        return PeerLibrary.all()
                .flatMap(peer -> Sample.all().stream()
                        .filter(sample -> isNew(peer) || sample.old() != null)
                        .map(sample -> Arguments.of(peer, sample)));
    }

    private static boolean isNew(PeerLibrary peer) {
        return peer == PeerLibrary.V5;
    }

    @ParameterizedTest
    @MethodSource("samplesOfBoth")
    void peersReadOurBodiesAndWeReadTheirs(PeerLibrary peer, Sample sample) throws JsonFault {
        Object theirs = decoded(peer, sample.ours().toBytes(), sample.peerType());

        byte[] written = encoded(peer, theirs);

        assertThat(sample.reading().read(Json.read(written)))
                .as(() -> sample.ours().toJson() + " came back as " + new String(written, StandardCharsets.UTF_8))
                .isEqualTo(isNew(peer) ? sample.ours() : sample.old());
    }

    /// The same keys in the same order, nothing more and nothing less.
    @ParameterizedTest
    @MethodSource("newSamples")
    void ourTextIsTheTextOfANewPeer(Sample sample) throws JsonFault {
        Object theirs = decoded(PeerLibrary.V5, sample.ours().toBytes(), sample.peerType());

        String written = new String(encoded(PeerLibrary.V5, theirs), StandardCharsets.UTF_8);

        assertThat(sample.ours().toJson()).isEqualTo(written);
    }

    static Stream<Sample> newSamples() {
        // The plain wrapper is only read: a new peer writes the wrapper with the mappings, as we do.
        return Sample.all().stream().filter(sample -> !sample.peerType().equals("TopicConfigSerializeWrapper"));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void bothPeersReadRoutesInBothDialects(Dialect dialect) throws JsonFault {
        Sample sample = Sample.all().stream()
                .filter(each -> each.peerType().equals("TopicRouteData"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = sample.ours().toBytes(dialect);

        for (PeerLibrary peer : PeerLibrary.all().toList()) {
            byte[] written = encoded(peer, decoded(peer, bytes, "TopicRouteData"));
            assertThat(TopicRoute.fromJson(Json.read(written))).isEqualTo(isNew(peer) ? sample.ours() : sample.old());
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void offsetsByQueueAreReadBothWays(PeerLibrary peer) throws JsonFault {
        MessageQueueRef queue = new MessageQueueRef("T", "b-a", 2);
        JsonWriter out = new JsonWriter(Dialect.PEER).beginObject();
        MessageQueueRef.writeTable(out, "offsetTable", new TreeMap<>(Map.of(queue, 5L)));
        String ours = out.endObject().toString();

        Object theirs = decoded(peer, ours.getBytes(StandardCharsets.UTF_8), "ResetOffsetBody");
        byte[] written = encoded(peer, theirs);

        assertThat(new String(written, StandardCharsets.UTF_8)).isEqualTo(ours);
        JsonObject table = Json.read(written).asObject("it").object("offsetTable");
        assertThat(MessageQueueRef.wholeTable(table, "offsetTable")).isEqualTo(Map.of(queue, 5L));
    }

    static Stream<PeerLibrary> peers() {
        return PeerLibrary.all();
    }

    @Test
    void aQueueAsAKeyMayBeTextWithJson() throws JsonFault {
        JsonObject table = Json.read("{\"{\\\"brokerName\\\":\\\"b\\\",\\\"queueId\\\":1,\\\"topic\\\":\\\"T\\\"}\":9}")
                .asObject("it");

        assertThat(MessageQueueRef.wholeTable(table, "it")).isEqualTo(Map.of(new MessageQueueRef("T", "b", 1), 9L));
    }

    @Test
    void aNewPeersCompressedRegistrationIsReadHereAndOursThere() throws JsonFault {
        Registration ours = (Registration) registration().ours();
        Registration expected = compressed(ours);

        Object theirs = decoded(PeerLibrary.V5, ours.toBytes(), "RegisterBrokerBody");
        byte[] written = (byte[]) Objects.requireNonNull(call(theirs, "encode", true));
        assertThat(CompressedRegistration.read(ByteBuffer.wrap(written), 0, written.length, Versions.V5_5_0))
                .isEqualTo(expected);

        byte[] bytes = CompressedRegistration.write(ours, Versions.V5_5_0);
        Object version = PeerLibrary.V5.constant("org.apache.rocketmq.common.MQVersion$Version", "V5_5_0");
        Object read = PeerLibrary.V5.makeBy("RegisterBrokerBody", "decode", bytes, true, version);
        Registration back = Registration.fromJson(Json.read(encoded(PeerLibrary.V5, read)));
        // The peer makes a version of the mappings up, from its clock.
        assertThat(compressed(back)).isEqualTo(expected);
    }

    @Test
    void anOldPeersCompressedRegistrationIsReadHereAndOursThere() throws JsonFault {
        Registration old = (Registration) Objects.requireNonNull(registration().old());
        Registration expected = compressed(old);

        Object theirs = decoded(PeerLibrary.V4, old.toBytes(), "RegisterBrokerBody");
        byte[] written = (byte[]) Objects.requireNonNull(call(theirs, "encode", true));
        assertThat(CompressedRegistration.read(ByteBuffer.wrap(written), 0, written.length, Versions.V4_9_8))
                .isEqualTo(expected);

        byte[] bytes = CompressedRegistration.write(old, Versions.V4_9_8);
        Object read = PeerLibrary.V4.makeBy("RegisterBrokerBody", "decode", bytes, true);
        assertThat(Registration.fromJson(Json.read(encoded(PeerLibrary.V4, read))))
                .isEqualTo(expected);
    }

    private static Sample registration() {
        return Sample.all().stream()
                .filter(sample -> sample.peerType().equals("RegisterBrokerBody"))
                .findFirst()
                .orElseThrow();
    }

    /// The compressed form leaves out a topic's flags and order, and the version of the mappings.
    private static Registration compressed(Registration plain) {
        TopicConfig topic = Objects.requireNonNull(plain.table().topics().get("T"));
        TopicConfig less = new TopicConfig(
                "T",
                topic.readQueues(),
                topic.writeQueues(),
                topic.permission(),
                topic.filterType(),
                0,
                false,
                topic.attributes());
        return new Registration(
                new TopicTable(
                        plain.table().version(),
                        Map.of("T", less),
                        DataVersion.NONE,
                        plain.table().mappings()),
                plain.filterServers());
    }

    private static Object decoded(PeerLibrary peer, byte[] json, String type) {
        return peer.makeBy("RemotingSerializable", "decode", json, peer.type(type));
    }

    private static byte[] encoded(PeerLibrary peer, Object theirs) {
        return (byte[]) peer.makeBy("RemotingSerializable", "encode", theirs);
    }
}
