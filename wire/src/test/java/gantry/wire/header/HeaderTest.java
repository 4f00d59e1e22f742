package gantry.wire.header;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.frame.Codec;
import gantry.wire.frame.Command;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that a send or pull with a missing or wrong field is refused with a sentence that names it.
class HeaderTest {
    private static final Map<String, String> LETTERS = new LinkedHashMap<>();
    private static final Map<String, String> PULL = new LinkedHashMap<>();

    /// The letters of the mandatory fields of a send, with the names that an operator knows.
    private static final Map<String, String> MANDATORY = Map.of(
            "a", "producerGroup",
            "b", "topic",
            "c", "defaultTopic",
            "d", "defaultTopicQueueNums",
            "e", "queueId",
            "f", "sysFlag",
            "g", "bornTimestamp",
            "h", "flag");

    static {
        String letters = "abcdefgh";
        for (int i = 0; i < letters.length(); i++) {
            LETTERS.put(letters.substring(i, i + 1), Integer.toString(i));
        }
        for (String name : new String[] {
            "consumerGroup",
            "topic",
            "queueId",
            "queueOffset",
            "maxMsgNums",
            "sysFlag",
            "commitOffset",
            "suspendTimeoutMillis",
            "subVersion"
        }) {
            PULL.put(name, "7");
        }
    }

    private final HeaderReader reader = new HeaderReader();
    private final SendHeader send = new SendHeader();
    private final PullHeader pull = new PullHeader();

    private boolean readSend(Codec codec, Map<String, String> fields) {
        return read(codec, RequestCodes.SEND_MESSAGE_V2, fields) && send.read(reader);
    }

    private boolean readPull(Codec codec, Map<String, String> fields) {
        return read(codec, RequestCodes.PULL_MESSAGE, fields) && pull.read(reader);
    }

    private boolean read(Codec codec, int code, Map<String, String> fields) {
        byte[] frame = Command.request(code).withCodec(codec).withFields(fields).encode();
        return reader.read(ByteBuffer.wrap(frame), 0, frame.length);
    }

    @ParameterizedTest
    @EnumSource
    void sendWithoutAMandatoryFieldIsRefusedByItsLongName(Codec codec) {
        assertThat(readSend(codec, LETTERS)).isTrue();
        MANDATORY.forEach((letter, name) -> {
            Map<String, String> fields = new HashMap<>(LETTERS);
            fields.remove(letter);
            assertThat(readSend(codec, fields)).isFalse();
            assertThat(send.fault()).isEqualTo("field " + name + " is missing");
        });
    }

    @ParameterizedTest
    @EnumSource
    void sendWithWordsForNumbersIsRefused(Codec codec) {
        for (String letter : List.of("d", "e", "f", "g", "h", "j", "l")) {
            Map<String, String> fields = new HashMap<>(LETTERS);
            fields.put(letter, "seven");
            assertThat(readSend(codec, fields)).as(letter).isFalse();
            assertThat(send.fault()).contains("\"seven\", which is not a number");
        }
    }

    @ParameterizedTest
    @EnumSource
    void optionalFieldsOfASendHaveTheirDefaults(Codec codec) {
        assertThat(readSend(codec, LETTERS)).isTrue();
        assertThat(send.propertiesLength()).isZero();
        assertThat(send.redeliveries()).isZero();
        assertThat(send.unitMode()).isFalse();
        assertThat(send.maxRedeliveries()).isEqualTo(-1);
        assertThat(send.isBatch()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void pullWithoutAMandatoryFieldIsRefused(Codec codec) {
        assertThat(readPull(codec, PULL)).isTrue();
        assertThat(pull.subscription()).isNull();
        assertThat(pull.expressionType()).isEqualTo("TAG");
        for (String name : PULL.keySet()) {
            Map<String, String> fields = new HashMap<>(PULL);
            fields.remove(name);
            assertThat(readPull(codec, fields)).isFalse();
            assertThat(pull.fault()).isEqualTo("field " + name + " is missing");
        }
    }
}
