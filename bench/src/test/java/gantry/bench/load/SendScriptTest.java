package gantry.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Frames that are patched instead of encoded anew differ where a real client's differ, and nowhere else.
class SendScriptTest {
    private static final Pattern KEY = Pattern.compile("7F0000011A2B251A69D70CAE[0-9A-F]{8}");

    @ParameterizedTest
    @EnumSource(Codec.class)
    void everyFrameHasItsOwnIdTimeAndKeys(Codec codec) {
        SendScript first = new SendScript(SendScript.templates(codec, new Topics("T", 1, 4), 10, 1), 4, 0);
        SendScript second = new SendScript(SendScript.templates(codec, new Topics("T", 1, 4), 10, 1), 4, 1);
        List<String> frames = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            frames.add(ask(first, 1_000_000_000 + i, 1_800_000_000_000L + i));
            frames.add(ask(second, 1_000_000_000 + i, 1_800_000_000_000L + i));
        }

        assertThat(frames.stream().flatMap(frame -> keys(frame).stream()))
                .doesNotHaveDuplicates()
                .hasSize(16);
        for (int i = 0; i < 8; i++) {
            assertThat(frames.get(2 * i)).contains(Long.toString(1_800_000_000_000L + i));
            assertThat(idOf(codec, frames.get(2 * i))).isEqualTo(1_000_000_000 + i);
        }
    }

    @ParameterizedTest
    @EnumSource(Codec.class)
    void batchGivesEveryItemAKeyAndItsOwnLength(Codec codec) {
        SendScript script = new SendScript(SendScript.templates(codec, new Topics("T", 1, 4), 100, 32), 4, 0);
        String frame = ask(script, 1_000_000_000, 1_800_000_000_000L);
        List<String> keys = keys(frame);

        assertThat(script.messagesPerRequest()).isEqualTo(32);
        assertThat(keys).hasSize(33); // one for the batch itself
        assertThat(new HashSet<>(keys)).hasSize(33);

        ByteBuffer bytes = ByteBuffer.wrap(frame.getBytes(StandardCharsets.ISO_8859_1));
        int at = 8 + (bytes.getInt(4) & 0xFFFFFF);
        int items = 0;
        while (at < bytes.capacity()) {
            assertThat(bytes.getInt(at + 16)).isEqualTo(100);
            at += bytes.getInt(at);
            items++;
        }
        assertThat(at).isEqualTo(bytes.capacity());
        assertThat(items).isEqualTo(32);
    }

    @ParameterizedTest
    @EnumSource(Codec.class)
    void turnsGoOverAllTopicsAndTheirQueues(Codec codec) {
        SendScript script = new SendScript(SendScript.templates(codec, new Topics("T", 3, 2), 10, 1), 2, 0);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            Matcher place = Pattern.compile("T_(\\d)").matcher(ask(script, 1_000_000_000 + i, 1_800_000_000_000L));
            assertThat(place.find()).isTrue();
            seen.add(place.group(1));
        }
        assertThat(seen).containsExactlyInAnyOrder("0", "1", "2");
    }

    @ParameterizedTest
    @EnumSource(Codec.class)
    void everyCreationNamesAnotherTopic(Codec codec) {
        SendScript script = new SendScript(SendScript.creations(codec, "new", 10), 4, 0);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Matcher name =
                    Pattern.compile("new_[0-9A-F]{32}").matcher(ask(script, 1_000_000_000 + i, 1_800_000_000_000L));
            assertThat(name.find()).isTrue();
            seen.add(name.group());
        }
        assertThat(seen).hasSize(20);
    }

    private static String ask(SendScript script, int id, long millis) {
        ByteBuffer out = ByteBuffer.allocate(script.requestBytes());
        script.ask(out, id, millis);
        return new String(out.array(), 0, out.position(), StandardCharsets.ISO_8859_1);
    }

    private static List<String> keys(String frame) {
        List<String> keys = new ArrayList<>();
        Matcher matcher = KEY.matcher(frame);
        while (matcher.find()) {
            keys.add(matcher.group());
        }
        return keys;
    }

    private static int idOf(Codec codec, String frame) {
        if (codec == Codec.ROCKETMQ) {
            return ByteBuffer.wrap(frame.getBytes(StandardCharsets.ISO_8859_1)).getInt(Frames.BINARY_ID_AT);
        }
        Matcher matcher = Pattern.compile("\"opaque\":(\\d+)").matcher(frame);
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
