package gantry.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Sends messages one by one (code 310) or in batches (code 320), to the topics and their queues in turn.
///
/// For:   the load of a producer.
/// Owner: the thread of the load loop.
/// Never: two lines; each has its own turn and keys.
final class SendScript implements Script {
    private final List<Template> templates;
    private final int queues;
    private long turn;
    private long key;

    /// @param templates one per topic, see `templates`
    /// @param line numbers the unique keys of this script away from those of the others, and begins its turns
    SendScript(List<Template> templates, int queues, int line) {
        this.templates = templates;
        this.queues = queues;
        this.turn = line;
        this.key = ((long) line << 20) & 0xFFFF_FFFFL;
    }

    /// What sends to these topics look like; all lines of one loop can share them.
    static List<Template> templates(Codec codec, Topics topics, int bodyBytes, int messagesPerRequest) {
        return IntStream.range(0, topics.count())
                .mapToObj(i -> template(codec, topics.topic(i), bodyBytes, messagesPerRequest))
                .toList();
    }

    /// What sends to a new topic each look like: its name counts with the unique keys.
    static List<Template> creations(Codec codec, String name, int bodyBytes) {
        return List.of(template(codec, name + "_" + Template.KEY_MARK, bodyBytes, 1));
    }

    private static Template template(Codec codec, String topic, int bodyBytes, int messagesPerRequest) {
        boolean batch = messagesPerRequest > 1;
        byte[] text = filler(bodyBytes);
        return new Template(
                codec,
                batch ? Answers.SEND_BATCH : Answers.SEND_V2,
                queue -> fields(topic, queue, batch),
                batch ? batchOf(messagesPerRequest, text) : text,
                messagesPerRequest);
    }

    /// The fields of the official client 5.5.0, in its order.
    static Map<String, String> fields(String topic, int queue, boolean batch) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("a", "PG_bench");
        fields.put("b", topic);
        fields.put("c", "TBW102");
        fields.put("d", "4");
        fields.put("e", Integer.toString(queue));
        fields.put("f", "0");
        fields.put("g", Template.BORN_MARK);
        fields.put("h", "0");
        fields.put("i", "UNIQ_KEY\u0001" + Template.KEY_MARK + "\u0002WAIT\u0001true\u0002");
        fields.put("j", "0");
        fields.put("k", "false");
        fields.put("m", Boolean.toString(batch));
        fields.put("n", "bench");
        return fields;
    }

    @Override
    public int requestBytes() {
        return templates.getLast().size();
    }

    @Override
    public int messagesPerRequest() {
        return templates.getFirst().messages();
    }

    @Override
    public void ask(ByteBuffer out, int correlationId, long nowMillis) {
        Template template = templates.get((int) (turn % templates.size()));
        template.write(out, correlationId, nowMillis, key, (int) (turn / templates.size() + turn) % queues);
        turn++;
        key += template.keys();
    }

    @Override
    public int confirm(ByteBuffer in, AnswerHeader answer) {
        return templates.getFirst().messages();
    }

    @Override
    public boolean isRetryable(int code) {
        return code == Answers.SYSTEM_BUSY || code == Answers.FLUSH_DISK_TIMEOUT;
    }

    /// Letters and digits that compress about as badly as real text.
    private static byte[] filler(int bytes) {
        byte[] text = new byte[bytes];
        int state = 12_345;
        for (int i = 0; i < bytes; i++) {
            state = state * 1_103_515_245 + 12_345;
            text[i] = (byte) ('a' + (state >>> 16) % 26);
        }
        return text;
    }

    /// Items of a batch: size, magic, checksum (both 0), user flag, body, properties.
    private static byte[] batchOf(int items, byte[] text) {
        byte[] properties =
                ("UNIQ_KEY\u0001" + Template.KEY_MARK + "\u0002WAIT\u0001true\u0002").getBytes(StandardCharsets.UTF_8);
        int itemBytes = 4 + 4 + 4 + 4 + 4 + text.length + 2 + properties.length;
        ByteBuffer body = ByteBuffer.allocate(items * itemBytes);
        for (int i = 0; i < items; i++) {
            body.putInt(itemBytes).putInt(0).putInt(0).putInt(0);
            body.putInt(text.length).put(text);
            body.putShort((short) properties.length).put(properties);
        }
        return Arrays.copyOf(body.array(), body.position());
    }
}
