package gantry.broker.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows what a master may send, and that everything else is named, at the field that is wrong.
class MasterStreamTest {
    private static byte[] record(int size, int fill) {
        byte[] record = new byte[size];
        Arrays.fill(record, (byte) fill);
        ByteBuffer.wrap(record).putInt(0, size);
        return record;
    }

    private static byte[] log(int records) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        for (int i = 0; i < records; i++) {
            log.writeBytes(record(20 + 13 * i, i));
        }
        return log.toByteArray();
    }

    private static byte[] frame(long offset, int size, byte[] body) {
        return ByteBuffer.allocate(12 + body.length)
                .putLong(offset)
                .putInt(size)
                .put(body)
                .array();
    }

    private static @Nullable LegacyFault feed(MasterStream stream, byte[] bytes) {
        return stream.feed(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private static LegacyCause cause(MasterStream stream, byte[] bytes) {
        return Objects.requireNonNull(feed(stream, bytes), "nothing was wrong").cause();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 11, 12, 13, 100, 10_000})
    void bytesInPiecesOfAnySizeMakeTheSameRecords(int piece) {
        byte[] log = log(30);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        SplittableRandom chance = new SplittableRandom(piece);
        for (int at = 0; at < log.length; ) {
            int size = Math.min(chance.nextInt(0, 50), log.length - at);
            sent.writeBytes(frame(5000 + at, size, Arrays.copyOfRange(log, at, at + size)));
            at += size;
        }
        MasterStream stream = new MasterStream(5000, new byte[0]);
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        byte[] bytes = sent.toByteArray();
        for (int at = 0; at < bytes.length; at += piece) {
            int length = Math.min(piece, bytes.length - at);
            assertThat(stream.feed(ByteBuffer.wrap(bytes), at, length)).isNull();
            ByteBuffer whole = stream.whole();
            assertThat(stream.wholeFrom()).isEqualTo(5000 + taken.size());
            byte[] copy = new byte[whole.remaining()];
            whole.get(copy);
            taken.writeBytes(copy);
            stream.taken(copy.length);
        }
        assertThat(taken.toByteArray()).isEqualTo(log);
        assertThat(stream.next()).isEqualTo(5000 + log.length);
    }

    @Test
    void firstByteOfTheLogIsKnownWithoutBeingSent() {
        byte[] log = log(3);
        MasterStream stream = MasterStream.withoutFirstByte();
        assertThat(feed(stream, frame(1, log.length - 1, Arrays.copyOfRange(log, 1, log.length))))
                .isNull();
        assertThat(stream.wholeFrom()).isZero();
        assertThat(stream.whole()).isEqualTo(ByteBuffer.wrap(log));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 0, 99, 101, 8_314_596_463_982_506_543L})
    void offsetThatIsNotTheNextIsRefused(long offset) {
        assertThat(cause(new MasterStream(100, new byte[0]), frame(offset, 0, new byte[0])))
                .isEqualTo(LegacyCause.NOT_ITS_PLACE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, MasterStream.MOST_BODY_BYTES + 1, Integer.MAX_VALUE})
    void sizeOfABodyIsBounded(int size) {
        assertThat(cause(new MasterStream(100, new byte[0]), frame(100, size, new byte[0])))
                .isEqualTo(LegacyCause.BODY_SIZE);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 7, MasterStream.MOST_RECORD_BYTES + 1, Integer.MAX_VALUE})
    void sizeOfARecordIsBounded(int size) {
        byte[] body = ByteBuffer.allocate(8).putInt(size).array();
        assertThat(cause(new MasterStream(100, new byte[0]), frame(100, 8, body)))
                .isEqualTo(LegacyCause.RECORD_SIZE);
    }

    @ParameterizedTest
    @CsvSource({"0", "17", "39"})
    void byteThatDiffersFromOursIsAnotherLogAndNothingIsHandedOn(int at) {
        byte[] ours = record(40, 3);
        byte[] theirs = ours.clone();
        theirs[at] ^= 1;
        MasterStream stream = new MasterStream(100, ours);
        LegacyFault fault =
                Objects.requireNonNull(feed(stream, frame(100, 60, Arrays.copyOf(theirs, 60))), "nothing was wrong");
        assertThat(fault.cause()).isEqualTo(LegacyCause.OTHER_LOG);
        assertThat(fault.sentence()).contains("log offset " + (100 + at));
        assertThat(stream.isProven()).isFalse();
        assertThat(stream.whole().hasRemaining()).isFalse();
    }

    @Test
    void masterIsProvenOnceAllOfOursWasCompared() {
        byte[] ours = record(40, 3);
        byte[] more = record(30, 4);
        MasterStream stream = new MasterStream(100, ours);
        assertThat(stream.isProven()).isFalse();
        feed(stream, frame(100, 39, Arrays.copyOf(ours, 39)));
        assertThat(stream.isProven()).isFalse();
        feed(stream, frame(139, 1, new byte[] {ours[39]}));
        assertThat(stream.isProven()).isTrue();
        assertThat(feed(stream, frame(140, 30, more))).isNull();
        assertThat(stream.wholeFrom()).isEqualTo(140);
        assertThat(stream.whole()).isEqualTo(ByteBuffer.wrap(more));
    }

    /// Whatever comes, it is taken in order or named; nothing is thrown, and memory stays within one record and a
    /// piece.
    @Test
    void noiseIsNamedOrHarmless() {
        for (int seed = 0; seed < 20_000; seed++) {
            SplittableRandom chance = new SplittableRandom(seed);
            MasterStream stream = new MasterStream(0, new byte[chance.nextInt(20)]);
            byte[] noise = new byte[chance.nextInt(200)];
            chance.nextBytes(noise);
            if (chance.nextBoolean() && noise.length >= 12) {
                ByteBuffer.wrap(noise).putLong(0, 0).putInt(8, chance.nextInt(300));
            }
            if (feed(stream, noise) == null) {
                assertThat(stream.whole().remaining()).isLessThanOrEqualTo(noise.length);
            }
        }
    }
}
