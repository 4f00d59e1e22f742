package gantry.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gantry.wire.frame.Codec;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.header.PullHeader;
import gantry.wire.header.SendHeader;
import gantry.wire.message.BatchItems;
import gantry.wire.message.Check;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Shows that no bytes make a reader throw, read beyond its limit, or allocate what a length merely claims: a few
/// million damaged frames, records and batches, each in a buffer that ends where they end.
class FuzzTest {
    private static final long SEED = 20_261_129;
    private static final int FRAMES = 1_200_000;
    private static final int RECORDS = 800_000;
    private static final int BATCHES = 500_000;

    /// Little beside what the forged lengths claim.
    private static final long MAX_ALLOCATED_BYTES = 1024 * 1024;

    /// In the first rounds classes are loaded.
    private static final int FIRST_USES = 100;

    /// Twice the longest bytes that are really there.
    private static final long MAX_ALLOCATED_BYTES_ON_AVERAGE = 2 * Mutations.MAX_BYTES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Every use that can be made of bytes; returns something, so that none is optimised away.
    private interface Reading {
        int read(ByteBuffer buffer, int at, int length);
    }

    private static void fuzz(Mutations mutations, int times, Reading reading) {
        ByteBuffer direct = ByteBuffer.allocateDirect(Mutations.MAX_BYTES);
        int seen = 0;
        long total = 0;
        for (int i = 0; i < times; i++) {
            int length = mutations.next();
            if (mutations.chance()) {
                mutations.mendFrameLength();
                if (mutations.chance()) {
                    mutations.mendHeaderLength();
                }
            }
            // At the very end of the buffer, so that a read beyond the bytes fails.
            int at = Mutations.MAX_BYTES - length;
            direct.put(at, mutations.bytes(), 0, length);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                seen += reading.read(direct, at, length);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("round " + i + " of seed " + SEED + ": " + hex(mutations, length), e);
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            total += allocated;
            if (i > FIRST_USES && allocated > MAX_ALLOCATED_BYTES) {
                throw new AssertionError(
                        "round " + i + " of seed " + SEED + " allocated " + allocated + ": " + hex(mutations, length));
            }
        }
        assertThat(total / times).isLessThan(MAX_ALLOCATED_BYTES_ON_AVERAGE);
        // Some survived their damage, and most did not: otherwise this test shows little.
        assertThat(seen).isBetween(times / 50, times - times / 10);
    }

    private static void require(boolean holds, String claim) {
        if (!holds) {
            throw new AssertionError(claim);
        }
    }

    private static String hex(Mutations mutations, int length) {
        return HexFormat.of().formatHex(mutations.bytes(), 0, length);
    }

    @Test
    void noFrameMakesAReaderThrow() {
        HeaderReader reader = new HeaderReader();
        SendHeader send = new SendHeader();
        PullHeader pull = new PullHeader();
        BatchItems items = new BatchItems();
        int[] round = new int[1];
        fuzz(new Mutations(SEED, frames()), FRAMES, (buffer, at, length) -> {
            boolean whole = reader.read(buffer, at, length);
            require(whole == (reader.fault() == null), "a fault has a sentence");
            int sum = use(reader);
            sum += send.read(reader)
                    ? send.topic().length() + send.propertiesLength()
                    : Objects.toString(send.fault()).length();
            sum += pull.read(reader)
                    ? pull.group().length() + pull.expressionType().length()
                    : 1;
            sum += useBatch(items, buffer, reader.bodyOffset(), reader.bodyLength());
            if (round[0]++ % 16 == 0) {
                Command command = Command.decode(buffer, at, length);
                require(whole == (command != null), "a command is read as its header is");
                sum += command == null ? 0 : command.encode().length;
            }
            return whole && sum != Integer.MIN_VALUE ? 1 : 0;
        });
    }

    private static int use(HeaderReader reader) {
        int sum = reader.code() + reader.flags() + reader.correlationId() + reader.version() + reader.fieldCount();
        sum += reader.language().name().length() + reader.bodyOffset() + reader.bodyLength();
        sum += Objects.toString(reader.remark(), "").length();
        sum += reader.fields().size();
        sum += Objects.toString(reader.text(FieldNames.TOPIC), "").length() + reader.intOr(FieldNames.QUEUE_ID, 1);
        return sum
                + (int) reader.longOr(FieldNames.QUEUE_OFFSET, 1)
                + (reader.booleanOr(FieldNames.BATCH, true) ? 1 : 0);
    }

    private static int useBatch(BatchItems items, ByteBuffer buffer, int at, int length) {
        int count = items.wrap(buffer, at, length);
        int sum = 0;
        for (int i = 0; i < count; i++) {
            require(items.next(), "there are as many items as counted");
            sum += items.userFlag() + items.bodyOffset() + items.bodyLength();
            sum += items.propertiesOffset() + items.propertiesLength();
        }
        require(!items.next(), "there are no more items than counted");
        return sum;
    }

    @Test
    void noRecordMakesTheViewThrow() {
        RecordView view = new RecordView();
        fuzz(new Mutations(SEED, records()), RECORDS, (buffer, at, length) -> {
            Check check = view.wrap(buffer, at, at + length, true);
            if (check != Check.OK) {
                return 0;
            }
            require(view.size() <= length, "a record ends where its bytes end");
            int sum = view.topic().length()
                    + view.topicHash()
                    + view.body().length
                    + view.propertiesText().length();
            sum += (int) (view.tagsCode() + view.logOffset() + view.queueOffset() + view.storeMillis());
            sum += view.bornHost().hashCode()
                    + view.storeHost().hashCode()
                    + view.properties().toMap().size();
            return sum == Integer.MIN_VALUE ? 0 : 1;
        });
    }

    @Test
    void noBatchMakesTheItemsThrow() {
        BatchItems items = new BatchItems();
        MessageProperties properties = new MessageProperties();
        fuzz(new Mutations(SEED, batches()), BATCHES, (buffer, at, length) -> {
            int count = items.wrap(buffer, at, length);
            while (items.next()) {
                properties.wrap(buffer, items.propertiesOffset(), items.propertiesLength());
            }
            properties.wrap(buffer, length, at);
            return count > 0 && properties.count() >= 0 ? 1 : 0;
        });
    }

    /// The lengths that stand in the first bytes, claimed as large as they can be, with nothing behind them.
    @Test
    void claimedLengthsAreNotAllocatedFor() {
        HeaderReader reader = new HeaderReader();
        ByteBuffer frame = ByteBuffer.allocate(64);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int claimed : new int[] {60, 16 * 1024 * 1024 - 4, Integer.MAX_VALUE, -1}) {
            for (int mark = 0; mark < 2; mark++) {
                frame.putInt(0, claimed).putInt(4, (mark << 24) | 0xFFFFFF);
                assertThat(reader.read(frame, 0, 64)).isFalse();
                frame.putInt(0, 60).putInt(4, (1 << 24) | 56).putInt(21, Integer.MAX_VALUE);
                assertThat(reader.read(frame, 0, 64)).isFalse();
            }
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(256 * 1024);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (Codec codec : Codec.values()) {
            Command send = Command.request(RequestCodes.SEND_MESSAGE_V2)
                    .withCodec(codec)
                    .withCorrelationId(9);
            String[] values = {"PG", "T", "TBW102", "4", "1", "0", "1700000000000", "0"};
            for (int i = 0; i < values.length; i++) {
                send = send.with("abcdefgh".substring(i, i + 1), values[i]);
            }
            send = send.with("i", "UNIQ_KEY\u0001C0A8\u0002TAGS\u0001gr\u00fc\u00dfe\u0002")
                    .with("k", "false");
            frames.add(send.encode());
            frames.add(send.withBody(new byte[50]).encode());
            frames.add(send.with("m", "true").withBody(batches().get(0)).encode());
            Command pull = Command.request(RequestCodes.PULL_MESSAGE).withCodec(codec);
            for (String name :
                    List.of("queueId", "queueOffset", "maxMsgNums", "sysFlag", "commitOffset", "subVersion")) {
                pull = pull.with(name, "12");
            }
            pull = pull.with("suspendTimeoutMillis", "15000")
                    .with("subscription", "a||b")
                    .with("topic", "T");
            frames.add(pull.with("consumerGroup", "CG").encode());
            frames.add(Command.request(RequestCodes.HEART_BEAT).withCodec(codec).encode());
            frames.add(Command.request(0)
                    .withCodec(codec)
                    .withFlags(FrameFlags.ANSWER)
                    .withRemark("quoted \"remark\" \u4f60\ud83d\ude80")
                    .with("msgId", "0A00000100002A9F0000000040000000")
                    .encode());
        }
        byte[] odd = utf8(
                "........{\"code\" : 1, \"x\":{\"a\":[1,{\"b\":\"}\"}]},\"extFields\":{\"a\":null,\"b\":1.5,\"c\":[]},"
                        + "\"remark\":\"\\ud83d\\ude80\\u00e9\\n\"}");
        ByteBuffer.wrap(odd).putInt(odd.length - 4).putInt(odd.length - 8);
        frames.add(odd);
        return frames;
    }

    private static List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        RecordHost v6 = RecordHost.of(new byte[16], 1);
        for (String topic : List.of("T", "%RETRY%" + "x".repeat(200))) {
            for (RecordHost host : List.of(RecordHost.UNKNOWN, v6)) {
                for (byte[] body : List.of(new byte[0], utf8("a body"))) {
                    ByteBuffer into = ByteBuffer.allocate(1000);
                    RecordWriter.write(
                            into,
                            new RecordDraft()
                                    .topic(utf8(topic))
                                    .bornHost(host)
                                    .body(body)
                                    .properties(
                                            utf8(
                                                    "TAGS\u0001A\u0002KEYS\u0001k\u0002\u0002x\u0001\u0002__CRC32#\u00010\u0002")));
                    records.add(Arrays.copyOf(into.array(), into.position()));
                }
            }
        }
        return records;
    }

    private static List<byte[]> batches() {
        ByteBuffer body = ByteBuffer.allocate(500);
        for (int i = 0; i < 4; i++) {
            body.putInt(22 + i + 4).putInt(0).putInt(0).putInt(i).putInt(i).put(new byte[i]);
            body.putShort((short) 4).put(utf8("a\u0001b\u0002"));
        }
        return List.of(Arrays.copyOf(body.array(), body.position()), Arrays.copyOf(body.array(), 26));
    }
}
