package gantry.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Sends messages one by one (code 310) or in batches (code 320), to the topic's queues in turn.
///
/// For:   the load of a producer.
/// Owner: the thread of the load loop.
/// Never: two lines; each has its own, because the templates are patched in place.
final class SendScript implements Script {
    private final Template[] templates;
    private final int keysPerRequest;
    private int turn;
    private long key;

    /// @param line numbers the unique keys of this script away from those of the others, and says where its turns begin
    SendScript(Codec codec, String topic, int queues, int bodyBytes, int messagesPerRequest, int line) {
        boolean batch = messagesPerRequest > 1;
        byte[] text = filler(bodyBytes);
        byte[] body = batch ? batchOf(messagesPerRequest, text) : text;
        this.templates = new Template[queues];
        for (int queue = 0; queue < queues; queue++) {
            templates[queue] = new Template(
                    codec,
                    batch ? Answers.SEND_BATCH : Answers.SEND_V2,
                    fields(topic, queue, batch),
                    body,
                    messagesPerRequest);
        }
        this.keysPerRequest = batch ? messagesPerRequest + 1 : 1;
        this.turn = line;
        this.key = ((long) line << 28) & 0xFFFF_FFFFL;
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
        return templates[0].size();
    }

    @Override
    public int messagesPerRequest() {
        return templates[0].messages();
    }

    @Override
    public void ask(ByteBuffer out, int correlationId, long nowMillis) {
        Template template = templates[turn++ % templates.length];
        template.write(out, correlationId, nowMillis, key);
        key += keysPerRequest;
    }

    @Override
    public int confirm(ByteBuffer in, AnswerHeader answer) {
        return templates[0].messages();
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
