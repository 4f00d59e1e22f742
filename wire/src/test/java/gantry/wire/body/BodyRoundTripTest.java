package gantry.wire.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gantry.wire.frame.Versions;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/// Whatever body is written is read as it was; whatever damaged body arrives is a value or a fault.
final class BodyRoundTripTest {
    private static final int SEEDS = 1_000;
    private static final int DAMAGED = 300_000;

    @Test
    void everyBodyIsReadAsItWasWritten() throws JsonFault {
        for (int seed = 0; seed < SEEDS; seed++) {
            for (Sample sample : new RandomBodies(seed).all()) {
                for (Dialect dialect : Dialect.values()) {
                    Body read = sample.reading().read(Json.read(sample.ours().toBytes(dialect)));
                    assertThat(read).as(sample + " of seed " + seed).isEqualTo(sample.ours());
                }
            }
        }
    }

    @Test
    void aDamagedBodyIsAValueOrAFault() {
        SplittableRandom random = new SplittableRandom(7);
        int faults = 0;
        List<Sample> samples = List.of();
        for (int i = 0; i < DAMAGED; i++) {
            if (i % 1_000 == 0) {
                samples = new RandomBodies(i).all();
            }
            Sample sample = samples.get(random.nextInt(samples.size()));
            byte[] bytes = sample.ours().toBytes();
            for (int wounds = random.nextInt(1, 4); wounds > 0; wounds--) {
                bytes[random.nextInt(bytes.length)] = bytes[random.nextInt(bytes.length)];
            }
            try {
                sample.reading().read(Json.read(bytes));
            } catch (JsonFault e) {
                faults++;
            }
        }
        assertThat(faults).isBetween(DAMAGED / 10, DAMAGED);
    }

    @Test
    void aDamagedCompressedRegistrationIsAValueOrAFault() throws JsonFault {
        SplittableRandom random = new SplittableRandom(8);
        Registration registration = compressible(new RandomBodies(3).table());
        byte[] whole = CompressedRegistration.write(registration, Versions.OURS);
        assertThat(read(whole)).isEqualTo(registration);
        int faults = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = whole.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            try {
                read(bytes);
            } catch (JsonFault e) {
                faults++;
            }
        }
        assertThat(faults).isGreaterThan(25_000);
    }

    /// Names and types without spaces, which the form cannot hold.
    private static Registration compressible(TopicTable table) {
        Map<String, TopicConfig> topics = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            topics.put("T" + i, TopicConfig.of("T" + i, i, 6));
        }
        return new Registration(new TopicTable(table.version(), topics), List.of("f:1"));
    }

    @Test
    void aCompressedRegistrationMustNotInflateWithoutEnd() {
        byte[] bomb = deflated(new byte[CompressedRegistration.MAX_INFLATED_BYTES + 1]);
        assertThat(bomb.length).isLessThan(100_000);

        assertThat(sentence(bomb)).isEqualTo("a compressed registration is larger than 33554432 bytes");
    }

    @Test
    void whatIsWrongWithACompressedRegistrationIsSaid() {
        byte[] version = DataVersion.NONE.toBytes();
        byte[] plain = ByteBuffer.allocate(version.length + 8)
                .putInt(version.length)
                .put(version)
                .putInt(5)
                .array();

        assertThat(sentence("{}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("a compressed registration is no zlib stream");
        assertThat(sentence(new byte[0])).isEqualTo("a compressed registration ends too early");
        assertThat(sentence(deflated(plain))).isEqualTo("a compressed registration announces 5 where 0 bytes are left");
        assertThat(sentence(deflated(new byte[] {-1, -1, -1, -1})))
                .isEqualTo("a compressed registration announces -1 where 0 bytes are left");
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain);
        deflater.finish();
        byte[] bytes = new byte[plain.length + 100];
        int length = deflater.deflate(bytes);
        deflater.end();
        return java.util.Arrays.copyOf(bytes, length);
    }

    private static Registration read(byte[] bytes) throws JsonFault {
        return CompressedRegistration.read(ByteBuffer.wrap(bytes), 0, bytes.length, Versions.OURS);
    }

    private static String sentence(byte[] bytes) {
        return catchThrowableOfType(JsonFault.class, () -> read(bytes)).sentence();
    }
}
