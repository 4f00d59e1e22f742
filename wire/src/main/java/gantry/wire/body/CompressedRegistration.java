package gantry.wire.body;

import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;

/// The zlib form of a registration, sent by brokers that have `compressedRegister` on.
///
/// For:   reading and writing it; the header says `compressed=true`, and its checksum is of the compressed bytes.
/// Owner: none (stateless).
/// Never: inflates to more than `MAX_INFLATED_BYTES`, whatever the few bytes that came promise.
///
/// ```
///   zlib stream of
///   ├ int length │ data version, JSON
///   ├ int number of topics
///   │   └ int length │ "topic readQueues writeQueues permission filterType[ attributes as JSON, since 5.0]"
///   ├ int length │ filter servers, JSON array
///   └ int number of mappings                                                        since 5.0 only
///       └ int length │ queue mapping, JSON                                           for each
/// ```
public final class CompressedRegistration {
    /// Far above a registration of 90 000 topics.
    public static final int MAX_INFLATED_BYTES = 32 * 1024 * 1024;

    /// The first version whose form has attributes and ends with the mappings.
    public static final int VERSION_WITH_MAPPINGS = 413;

    private static final int CHUNK_BYTES = 64 * 1024;

    private CompressedRegistration() {}

    /// @param version of the sender, from the frame's header
    public static Registration read(ByteBuffer frame, int offset, int length, int version) throws JsonFault {
        ByteBuffer in = inflate(frame, offset, length);
        DataVersion dataVersion = DataVersion.fromJson(Json.read(block(in)));
        int topicCount = count(in);
        Map<String, TopicConfig> topics = new LinkedHashMap<>();
        for (int i = 0; i < topicCount; i++) {
            TopicConfig topic = topic(new String(block(in), StandardCharsets.UTF_8));
            topics.put(topic.topic(), topic);
        }
        List<String> filterServers = filterServers(block(in));
        Map<String, QueueMapping> mappings = new LinkedHashMap<>();
        if (version >= VERSION_WITH_MAPPINGS && in.hasRemaining()) {
            int mappingCount = count(in);
            for (int i = 0; i < mappingCount; i++) {
                QueueMapping mapping = QueueMapping.fromJson(Json.read(block(in)));
                mappings.put(mapping.topic(), mapping);
            }
        }
        return new Registration(new TopicTable(dataVersion, topics, DataVersion.NONE, mappings), filterServers);
    }

    /// @param version of the reader
    public static byte[] write(Registration registration, int version) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
            TopicTable table = registration.table();
            block(out, table.version().toBytes());
            out.writeInt(table.topics().size());
            for (TopicConfig topic : table.topics().values()) {
                block(out, text(topic, version).getBytes(StandardCharsets.UTF_8));
            }
            JsonWriter servers = new JsonWriter(Dialect.PEER).beginArray();
            registration.filterServers().forEach(servers::text);
            block(out, servers.endArray().toString().getBytes(StandardCharsets.UTF_8));
            if (version >= VERSION_WITH_MAPPINGS) {
                out.writeInt(table.mappings().size());
                for (QueueMapping mapping : table.mappings().values()) {
                    block(out, mapping.toBytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    private static List<String> filterServers(byte[] json) throws JsonFault {
        return json.length == 0 ? List.of() : Json.read(json).asTexts("the filter servers");
    }

    private static TopicConfig topic(String text) throws JsonFault {
        String[] words = text.split(" ", 6);
        if (words.length < 5) {
            throw JsonFault.of(
                    "a topic of a compressed registration has five words or six, not " + JsonFault.quote(text));
        }
        return new TopicConfig(
                words[0],
                number(words[1], text),
                number(words[2], text),
                number(words[3], text),
                words[4],
                0,
                false,
                words.length < 6 ? Map.of() : attributes(words[5]));
    }

    private static Map<String, String> attributes(String json) throws JsonFault {
        if (json.isBlank()) {
            return Map.of();
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        var object = Json.read(json).asObject("a topic's attributes");
        for (int i = 0; i < object.size(); i++) {
            attributes.put(
                    object.name(i, "a topic's attributes"), object.value(i).asText("an attribute"));
        }
        return attributes;
    }

    private static int number(String word, String text) throws JsonFault {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw JsonFault.of(JsonFault.quote(word) + " is no number in the topic " + JsonFault.quote(text));
        }
    }

    /// A 4.9 peer reads exactly five words, and fails on a sixth.
    private static String text(TopicConfig topic, int version) {
        String five = topic.topic()
                + ' '
                + topic.readQueues()
                + ' '
                + topic.writeQueues()
                + ' '
                + topic.permission()
                + ' '
                + topic.filterType();
        if (version < VERSION_WITH_MAPPINGS) {
            return five;
        }
        JsonWriter attributes = new JsonWriter(Dialect.PEER).beginObject();
        topic.attributes().forEach(attributes::field);
        return five + ' ' + attributes.endObject();
    }

    private static void block(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] block(ByteBuffer in) throws JsonFault {
        byte[] bytes = new byte[count(in)];
        in.get(bytes);
        return bytes;
    }

    /// A length or number of items; each item takes a byte at least, so what is left bounds both.
    private static int count(ByteBuffer in) throws JsonFault {
        if (in.remaining() < Integer.BYTES) {
            throw JsonFault.of("a compressed registration ends too early");
        }
        int count = in.getInt();
        if (count < 0 || count > in.remaining()) {
            throw JsonFault.of(
                    "a compressed registration announces " + count + " where " + in.remaining() + " bytes are left");
        }
        return count;
    }

    private static ByteBuffer inflate(ByteBuffer frame, int offset, int length) throws JsonFault {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(frame.duplicate().limit(offset + length).position(offset));
            List<byte[]> chunks = new ArrayList<>();
            int total = 0;
            while (!inflater.finished()) {
                byte[] chunk = new byte[CHUNK_BYTES];
                int got = inflater.inflate(chunk);
                total += got;
                if (total > MAX_INFLATED_BYTES) {
                    throw JsonFault.of("a compressed registration is larger than " + MAX_INFLATED_BYTES + " bytes");
                }
                chunks.add(chunk);
                if (got < CHUNK_BYTES && !inflater.finished()) {
                    throw JsonFault.of("a compressed registration ends too early");
                }
            }
            return joined(chunks, total);
        } catch (DataFormatException e) {
            throw JsonFault.of("a compressed registration is no zlib stream");
        } finally {
            inflater.end();
        }
    }

    private static ByteBuffer joined(List<byte[]> chunks, int total) {
        ByteBuffer whole = ByteBuffer.allocate(total);
        for (byte[] chunk : chunks) {
            whole.put(chunk, 0, Math.min(chunk.length, whole.remaining()));
        }
        return whole.flip();
    }
}
