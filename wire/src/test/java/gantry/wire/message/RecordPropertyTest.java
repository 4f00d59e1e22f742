package gantry.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.frame.FieldName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/// Whatever a record carries, it is the same after a round trip; and a damaged one is never taken for a whole one.
class RecordPropertyTest {
    private static final int START = 11;

    @Provide
    Arbitrary<RecordHost> hosts() {
        Arbitrary<byte[]> v4 = Arbitraries.bytes().array(byte[].class).ofSize(4);
        Arbitrary<byte[]> v6 = Arbitraries.bytes().array(byte[].class).ofSize(16);
        return Combinators.combine(
                        Arbitraries.oneOf(v4, v6), Arbitraries.integers().between(0, 65_535))
                .as(RecordHost::of);
    }

    @Provide
    Arbitrary<Map<String, String>> properties() {
        Arbitrary<String> texts = Arbitraries.strings()
                .withChars("aB9 _#\"\u4f60\u00e9")
                .ofMinLength(1)
                .ofMaxLength(12);
        return Arbitraries.maps(texts, texts).ofMaxSize(12);
    }

    @Property
    void recordIsTheSameAfterARoundTrip(
            @ForAll @StringLength(min = 1, max = 80) String topic,
            @ForAll("hosts") RecordHost born,
            @ForAll("hosts") RecordHost store,
            @ForAll("properties") Map<String, String> properties,
            @ForAll @Size(max = 300) byte[] body,
            @ForAll int number,
            @ForAll long large,
            @ForAll boolean direct) {
        byte[] topicBytes = topic.getBytes(StandardCharsets.UTF_8);
        ByteBuffer into = direct ? ByteBuffer.allocateDirect(2_000) : ByteBuffer.allocate(2_000);
        RecordDraft draft = new RecordDraft()
                .topic(topicBytes)
                .bornHost(born)
                .storeHost(store)
                .properties(MessageProperties.encode(properties))
                .body(body)
                .queueId(number)
                .userFlag(~number)
                .flags(number)
                .redeliveries(number + 1)
                .bornMillis(large)
                .preparedLogOffset(~large);
        int size = RecordWriter.write(into.position(START), draft);
        if (topicBytes.length > MessageLayout.TOPIC_MAX_BYTES) {
            assertThat(size).isEqualTo(RecordWriter.TOPIC_TOO_LONG);
            return;
        }
        RecordWriter.number(into, START, large + 1, large + 2, large + 3);
        RecordView view = new RecordView();

        assertThat(view.wrap(into, START, START + size, true)).isEqualTo(Check.OK);
        assertThat(view.size()).isEqualTo(size);
        assertThat(view.version()).isEqualTo(topicBytes.length > 127 ? 2 : 1);
        assertThat(view.topic()).isEqualTo(new String(topicBytes, StandardCharsets.UTF_8));
        assertThat(view.bornHost()).isEqualTo(born);
        assertThat(view.storeHost()).isEqualTo(store);
        assertThat(view.properties().toMap()).isEqualTo(properties);
        assertThat(view.body()).isEqualTo(body);
        assertThat(view.queueId()).isEqualTo(number);
        assertThat(view.userFlag()).isEqualTo(~number);
        int hostBits = MessageFlags.BORN_HOST_V6 | MessageFlags.STORE_HOST_V6;
        assertThat(view.flags() & ~hostBits).isEqualTo(number & ~hostBits);
        assertThat(view.redeliveries()).isEqualTo(number + 1);
        assertThat(view.bornMillis()).isEqualTo(large);
        assertThat(view.preparedLogOffset()).isEqualTo(~large);
        assertThat(view.queueOffset()).isEqualTo(large + 1);
        assertThat(view.logOffset()).isEqualTo(large + 2);
        assertThat(view.storeMillis()).isEqualTo(large + 3);
    }

    @Property
    void propertiesAreFoundAsInAMap(@ForAll("properties") Map<String, String> properties) {
        byte[] stored = MessageProperties.encode(properties);
        MessageProperties found = new MessageProperties();
        found.wrap(stored, 0, stored.length);

        assertThat(found.count()).isEqualTo(properties.size());
        for (String name : new String[] {"a", "B", "9", "_", "aB"}) {
            assertThat(found.text(FieldName.of(name))).isEqualTo(properties.get(name));
        }
        byte[] cut = Arrays.copyOf(stored, Math.max(0, stored.length - 1));
        assertThat(MessageProperties.toMap(new String(cut, StandardCharsets.UTF_8)))
                .isEqualTo(properties);
    }

    @Property
    void offsetMessageIdIsTheSameAfterARoundTrip(@ForAll("hosts") RecordHost host, @ForAll long logOffset) {
        OffsetMessageId id = new OffsetMessageId(host, logOffset);
        assertThat(id.text()).hasSize(host.isV6() ? 56 : 32);
        assertThat(OffsetMessageId.parse(id.text())).isEqualTo(id);
    }

    @Property
    void otherTextIsNoOffsetMessageId(@ForAll @StringLength(max = 60) String text) {
        OffsetMessageId id = OffsetMessageId.parse(text);
        assertThat(id == null || id.text().equalsIgnoreCase(text)).isTrue();
    }
}
