package gantry.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Network;
import gantry.wire.frame.FieldName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// Shows what the writer refuses and what the view says about bytes that are no record.
class RecordTest {
    private static final byte[] TOPIC = utf8("T");

    private final RecordView view = new RecordView();

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] record() {
        ByteBuffer into = ByteBuffer.allocate(1000);
        RecordWriter.write(
                into, new RecordDraft().topic(TOPIC).body(utf8("body")).properties(utf8("TAGS\u0001A\u0002")));
        return Arrays.copyOf(into.array(), into.position());
    }

    private Check wrap(byte[] bytes) {
        return view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length, true);
    }

    private Check wrapWithInt(int at, int value) {
        byte[] bytes = record();
        ByteBuffer.wrap(bytes).putInt(at, value);
        return wrap(bytes);
    }

    @Test
    void everyTruncationIsShortAndNothingElse() {
        byte[] record = record();
        assertThat(wrap(record)).isEqualTo(Check.OK);
        for (int length = 0; length < record.length; length++) {
            assertThat(wrap(Arrays.copyOf(record, length))).isEqualTo(Check.SHORT);
            assertThat(view.wrap(ByteBuffer.wrap(record), 0, length, true)).isEqualTo(Check.SHORT);
        }
        assertThat(view.wrap(ByteBuffer.wrap(record), -1, record.length, true)).isEqualTo(Check.SHORT);
        assertThat(view.wrap(ByteBuffer.wrap(record), 0, Integer.MAX_VALUE, true))
                .isEqualTo(Check.OK);
    }

    @Test
    void endAndBlankAreTold() {
        assertThat(wrap(new byte[4])).isEqualTo(Check.END);
        assertThat(wrap(new byte[200])).isEqualTo(Check.END);
        assertThat(wrap(new byte[3])).isEqualTo(Check.SHORT);
        byte[] blank = new byte[8];
        ByteBuffer.wrap(blank).putInt(500_000_000).putInt(MessageLayout.MAGIC_BLANK);
        assertThat(wrap(blank)).isEqualTo(Check.BLANK);
        assertThat(view.size()).isEqualTo(500_000_000);
        ByteBuffer.wrap(blank).putInt(0, 7);
        assertThat(wrap(blank)).isEqualTo(Check.BAD_SIZE);
    }

    @Test
    void sizesThatNoRecordHasAreBadEvenWhenMoreBytesCouldFollow() {
        for (int size : new int[] {-1, Integer.MIN_VALUE, 1, 90, Network.MAX_FRAME_BYTES + 1, Integer.MAX_VALUE}) {
            assertThat(wrapWithInt(MessageLayout.SIZE, size)).isEqualTo(Check.BAD_SIZE);
        }
        assertThat(wrapWithInt(MessageLayout.SIZE, record().length + 1)).isEqualTo(Check.SHORT);
    }

    @Test
    void otherMagicIsBad() {
        assertThat(wrapWithInt(MessageLayout.MAGIC, MessageLayout.MAGIC_V1 + 1)).isEqualTo(Check.BAD_MAGIC);
        assertThat(wrapWithInt(MessageLayout.MAGIC, 0)).isEqualTo(Check.BAD_MAGIC);
    }

    @Test
    void lengthsThatDoNotAddUpAreABadLayout() {
        int bodyLengthAt = 84;
        for (int length : new int[] {-1, 3, 5, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(wrapWithInt(bodyLengthAt, length)).isEqualTo(Check.BAD_LAYOUT);
        }
        // The other version has a longer topic length, and hosts of the other kind are longer.
        assertThat(wrapWithInt(MessageLayout.MAGIC, MessageLayout.MAGIC_V2)).isEqualTo(Check.BAD_LAYOUT);
        assertThat(wrapWithInt(MessageLayout.FLAGS, MessageFlags.BORN_HOST_V6)).isEqualTo(Check.BAD_LAYOUT);
        for (int topicLength : new int[] {0, 2, 127, -1, -128}) {
            byte[] bytes = record();
            bytes[bodyLengthAt + 8] = (byte) topicLength;
            assertThat(wrap(bytes)).isEqualTo(Check.BAD_LAYOUT);
        }
        for (int propertiesLength : new int[] {-1, 0, 6, 8, Short.MAX_VALUE, Short.MIN_VALUE}) {
            byte[] bytes = record();
            ByteBuffer.wrap(bytes).putShort(bodyLengthAt + 10, (short) propertiesLength);
            assertThat(wrap(bytes)).isEqualTo(Check.BAD_LAYOUT);
        }
    }

    @Test
    void bodyIsVouchedForByItsCrc() {
        byte[] bytes = record();
        bytes[88] ^= 1;
        assertThat(wrap(bytes)).isEqualTo(Check.BAD_BODY_CRC);
        assertThat(view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length, false)).isEqualTo(Check.OK);
        assertThat(wrapWithInt(MessageLayout.BODY_CRC, 1)).isEqualTo(Check.BAD_BODY_CRC);
    }

    @Test
    void writerRefusesWhatNoRecordCanHoldAndWritesNothing() {
        ByteBuffer into = ByteBuffer.allocate(200_000);
        RecordDraft draft = new RecordDraft().topic(new byte[0]);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(RecordWriter.TOPIC_TOO_LONG);
        draft.topic(new byte[256]);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(RecordWriter.TOPIC_TOO_LONG);
        draft.topic(TOPIC).properties(new byte[32_768]);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(RecordWriter.PROPERTIES_TOO_LONG);
        draft.properties(new byte[32_766]).addedProperties(new byte[1]);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(RecordWriter.PROPERTIES_TOO_LONG);
        draft.clear().topic(TOPIC).body(new byte[100]);
        into.limit(190);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(RecordWriter.NO_ROOM);
        assertThat(into.position()).isZero();
        into.limit(192);
        assertThat(RecordWriter.write(into, draft)).isEqualTo(192);
    }

    @Test
    void crcOfAnotherRecordAtTheEndOfTheSendersPropertiesIsLeftOut() {
        String received = "__CRC32#\u00010123456789\u0002";
        for (String before : new String[] {"", "a\u0001b\u0002"}) {
            ByteBuffer into = ByteBuffer.allocate(1000);
            RecordDraft draft = new RecordDraft().topic(TOPIC).properties(utf8(before + received));
            int size = RecordWriter.write(into, draft);
            assertThat(size).isEqualTo(RecordWriter.sizeOf(draft));
            assertThat(view.wrap(into, 0, size, true)).isEqualTo(Check.OK);
            assertThat(view.propertiesText()).isEqualTo(before);
        }
    }

    @Test
    void summedRecordIsWholeAndEveryBitOfItCounts() {
        String[][] cases = {{"", ""}, {"a\u0001b", ""}, {"a\u0001b\u0002", ""}, {"a\u0001b", "c\u0001d"}};
        for (String[] each : cases) {
            ByteBuffer into = ByteBuffer.allocate(1000);
            into.position(7);
            RecordDraft draft = new RecordDraft(true)
                    .topic(TOPIC)
                    .body(utf8("body"))
                    .properties(utf8(each[0]))
                    .addedProperties(utf8(each[1]));
            int size = RecordWriter.write(into, draft);
            assertThat(size).isEqualTo(RecordWriter.sizeOf(draft));
            RecordWriter.number(into, 7, 5, 1000, 99);
            RecordWriter.sum(into, 7, new CRC32());
            assertThat(view.wrap(into, 7, 7 + size, true)).isEqualTo(Check.OK);
            assertThat(view.propertiesText()).contains("__CRC32#");
            for (int at = 7; at < 7 + size - RecordCrc.PROPERTY_BYTES; at++) {
                into.put(at, (byte) (into.get(at) ^ 1));
                assertThat(view.wrap(into, 7, 7 + size, true)).as("byte %d", at).isNotEqualTo(Check.OK);
                into.put(at, (byte) (into.get(at) ^ 1));
            }
        }
    }

    @Test
    void separatorStandsBetweenTheSendersPropertiesAndOurs() {
        byte[] added = utf8("CLUSTER\u0001c\u0002");
        String[][] cases = {
            {"", "CLUSTER\u0001c\u0002"},
            {"a\u0001b", "a\u0001b\u0002CLUSTER\u0001c\u0002"},
            {"a\u0001b\u0002", "a\u0001b\u0002CLUSTER\u0001c\u0002"}
        };
        for (String[] each : cases) {
            ByteBuffer into = ByteBuffer.allocate(1000);
            int size = RecordWriter.write(
                    into,
                    new RecordDraft().topic(TOPIC).properties(utf8(each[0])).addedProperties(added));
            assertThat(view.wrap(into, 0, size, true)).isEqualTo(Check.OK);
            assertThat(view.propertiesText()).isEqualTo(each[1]);
        }
    }

    @Test
    void partsAreTakenFromWhereTheyStand() {
        ByteBuffer frame = ByteBuffer.allocateDirect(50);
        frame.put(30, utf8("the body"));
        byte[] header = utf8("..topic..a\u0001b..");
        ByteBuffer into = ByteBuffer.allocateDirect(500);
        RecordDraft draft = new RecordDraft()
                .topic(header, 2, 5)
                .properties(header, 9, 3)
                .body(frame.position(3).limit(40), 34, 4);
        int size = RecordWriter.write(into, draft);

        assertThat(view.wrap(into, 0, size, true)).isEqualTo(Check.OK);
        assertThat(view.topic()).isEqualTo("topic");
        assertThat(view.topicEquals(utf8("topic"))).isTrue();
        assertThat(view.topicEquals(utf8("topi"))).isFalse();
        assertThat(view.topicHash()).isEqualTo("topic".hashCode());
        assertThat(view.body()).isEqualTo(utf8("body"));
        assertThat(view.properties().text(FieldName.of("a"))).isEqualTo("b");
        assertThat(frame.position()).isEqualTo(3);
    }

    @Test
    void viewKeepsTheTopicsOfDifferentRecordsApart() {
        ByteBuffer into = ByteBuffer.allocate(1000);
        String[] topics = {"T", "T", "TT", "T", "U"};
        int[] starts = new int[topics.length];
        for (int i = 0; i < topics.length; i++) {
            starts[i] = into.position();
            RecordWriter.write(into, new RecordDraft().topic(utf8(topics[i])));
        }
        for (int i = 0; i < topics.length; i++) {
            assertThat(view.wrap(into, starts[i], into.position(), true)).isEqualTo(Check.OK);
            assertThat(view.topic()).isEqualTo(topics[i]);
            assertThat(view.start()).isEqualTo(starts[i]);
        }
    }
}
