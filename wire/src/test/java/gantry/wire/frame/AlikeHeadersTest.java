package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.header.PullHeader;
import gantry.wire.header.SendHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Shows that a header which is like the one before is read as if nothing had come before it.
class AlikeHeadersTest {
    private static final long SEED = 20_261_130;
    private static final int ROUNDS = 100_000;
    private static final int FRESH_EVERY = 20;

    private static final String SEND = """
            {"code":310,"extFields":{"a":"group","b":"topic","c":"TBW102","d":"4","e":"%d","f":"0","g":"%d","h":"0",\
            "i":"UNIQ_KEY\\u00017F00%s\\u0002WAIT\\u0001true\\u0002","j":"0","k":"false","m":"false","n":"bench"},\
            "flag":0,"language":"JAVA","opaque":%d,"serializeTypeCurrentRPC":"JSON","version":477}""";

    /// Also what no official peer writes, but stands in the parser's way.
    private static final List<String> TEMPLATES =
            List.of(SEND.formatted(3, 1_700_000_000_000L, "AB12", 1234), """
            {"code":11,"extFields":{"queueId":"3","topic":"t","queueOffset":"17","maxMsgNums":"32","sysFlag":"2",\
            "commitOffset":"0","suspendTimeoutMillis":"100","subscription":"*","subVersion":"5","consumerGroup":"g"},\
            "flag":0,"language":"JAVA","opaque":77,"version":477}""", """
            {"opaque":1,"code":10,"opaque":2,"extFields":{"a":"1"},"flag":0,"version":1}""", """
            {"opaque":"15","code":10,"opaque":-12,"remark":"r\\n\\u00e9x","extFields":{"a":"1","a":2,"b":null}}""", """
            { "code" : 10 , "extFields" : { "b\\u0041" : "x\\"y\\\\z" , "c" : [ "q", {"d":"e"} ] } , "opaque" : 5 ,\
             "language" : "JA\\u0056A" , "other":"text" , "version" : "9" }""", """
            {"extFields":{"a":"\\ud83d\\ude00end","b":"\\ud83dx"},"extFields":{"c":"d"},"opaque":2147483647,"code":1}""");

    private final Random random = new Random(SEED);
    private final HeaderReader reader = new HeaderReader();
    private final SendHeader send = new SendHeader();
    private final PullHeader pull = new PullHeader();

    private static ByteBuffer frame(byte[] header) {
        return ByteBuffer.allocateDirect(8 + header.length)
                .putInt(4 + header.length)
                .putInt((Codec.JSON.mark() << 24) | header.length)
                .put(header)
                .flip();
    }

    /// Everything that a reader says, as text.
    private static String all(HeaderReader reader, SendHeader send, PullHeader pull, byte[] header) {
        ByteBuffer frame = frame(header);
        if (!reader.read(frame, 0, frame.limit())) {
            return "fault: " + reader.fault();
        }
        String text = reader.code() + " " + reader.flags() + " " + reader.correlationId() + " " + reader.version() + " "
                + reader.language() + " " + reader.remark() + " " + reader.fields() + " " + reader.fieldCount() + " "
                + reader.bodyOffset();
        text += send.read(reader)
                ? " send " + send.topic() + " " + send.queueId() + " " + send.bornMillis() + " "
                        + send.propertiesLength() + " " + send.isBatch()
                : " no send: " + send.fault();
        ByteBuffer again = frame(header);
        reader.read(again, 0, again.limit());
        return text
                + (pull.read(reader)
                        ? " pull " + pull.group() + " " + pull.queueId() + " " + pull.queueOffset()
                        : " no pull: " + pull.fault());
    }

    /// Half of the time digits alone, as headers of one peer differ.
    private void damage(byte[] header) {
        int kinds = random.nextBoolean() ? 6 : 1;
        for (int change = random.nextInt(6); change >= 0; change--) {
            int at = random.nextInt(header.length);
            header[at] = switch (random.nextInt(kinds)) {
                case 1 -> (byte) random.nextInt(256);
                case 2 -> (byte) "\"\\{}:,[]-+ u".charAt(random.nextInt(12));
                case 3 -> header[random.nextInt(header.length)];
                default -> header[at] >= '0' && header[at] <= '9' ? (byte) ('0' + random.nextInt(10)) : header[at];
            };
        }
    }

    @Test
    void aHeaderReadsTheSameWhateverCameBeforeIt() {
        int alike = 0;
        int whole = 0;
        byte[] header = {};
        byte[] lastWhole = header;
        for (int round = 0; round < ROUNDS; round++) {
            if (round % FRESH_EVERY == 0) {
                header = TEMPLATES.get(random.nextInt(TEMPLATES.size())).getBytes(StandardCharsets.UTF_8);
                lastWhole = header;
            } else {
                header = lastWhole.clone();
                damage(header);
            }
            int shape = reader.table().shape();
            String told = all(reader, send, pull, header);
            alike += reader.table().shape() == shape ? 1 : 0;
            String alone = all(new HeaderReader(), new SendHeader(), new PullHeader(), header);
            if (!alone.startsWith("fault")) {
                whole++;
                lastWhole = header;
            }
            if (!told.equals(alone)) {
                assertThat(told)
                        .as("round " + round + ": " + new String(header, StandardCharsets.UTF_8))
                        .isEqualTo(alone);
            }
        }
        // Both kinds came often: otherwise this shows little.
        assertThat(alike).isGreaterThan(ROUNDS / 10);
        assertThat(whole).isBetween(ROUNDS / 20, ROUNDS - ROUNDS / 10);
    }

    @Test
    void requestsOfOneProducerAreParsedOnce() {
        all(
                reader,
                send,
                pull,
                SEND.formatted(0, 1_700_000_000_000L, "0000", 1000).getBytes(StandardCharsets.UTF_8));
        int shape = reader.table().shape();
        for (int i = 1; i < 1000; i++) {
            byte[] header = SEND.formatted(i % 4, 1_700_000_000_000L + i, "%04X".formatted(i), 1000 + i)
                    .getBytes(StandardCharsets.UTF_8);
            all(reader, send, pull, header);
            assertThat(reader.table().shape()).isEqualTo(shape);
            assertThat(reader.correlationId()).isEqualTo(1000 + i);
            assertThat(send.queueId()).isEqualTo(i % 4);
            assertThat(reader.text(FieldNames.PROPERTIES)).isNull();
            assertThat(reader.fields())
                    .containsEntry("i", "UNIQ_KEY\u00017F00%04X\u0002WAIT\u0001true\u0002".formatted(i));
        }
    }
}
