package gantry.broker.facts;

import gantry.store.Disk;
import gantry.store.Export;
import gantry.store.FileId;
import gantry.wire.body.DataVersion;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tables of a running RocketMQ broker, as the files that it would have left behind.
///
/// For:   a copy of that broker's log, which is to be taken over as its store directory would be (`Recovery`).
/// Owner: none (immutable once made).
/// Never: folds anything; says that a group has read what the log here does not have.
/// Holds: FOREIGN-1 no offset in a file lies behind the end of its queue here.
public final class ForeignState {
    /// RocketMQ's topic of delayed messages: level n waits in queue n - 1.
    private static final String DELAY_TOPIC = "SCHEDULE_TOPIC_XXXX";

    /// How far the queues of the log here reach.
    public interface Ends {
        long end(String topic, int queueId);
    }

    private final Map<StateFile, JsonObject> contents = new EnumMap<>(StateFile.class);
    private final Map<StateFile, List<Fact>> facts = new EnumMap<>(StateFile.class);

    /// @param answers the bodies of requests 21, 201, 43 and 45, by the file in which their content would stand
    /// @throws JsonFault when one of them cannot be read, or says what cannot be
    public ForeignState(Map<StateFile, byte[]> answers) throws JsonFault {
        for (StateFile file : StateFile.values()) {
            byte[] body = answers.get(file);
            if (body == null) {
                throw JsonFault.of("there is no table for " + file.file().name());
            }
            JsonObject content = Json.read(body).asObject(file.file().name());
            if (content.find(Seal.MEMBER) != null) {
                throw JsonFault.of(file.file().name() + " would be one that Gantry wrote");
            }
            contents.put(file, content);
            facts.put(file, file.facts(content));
        }
        check();
    }

    private void check() throws JsonFault {
        // Every RocketMQ broker has some of its own: no topic at all is an answer of somebody who has not begun.
        if (of(StateFile.TOPICS).isEmpty()) {
            throw JsonFault.of("the table of topics is empty");
        }
        for (Fact fact : of(StateFile.OFFSETS)) {
            if (fact instanceof Fact.Offsets offsets) {
                for (Map.Entry<Integer, Long> entry : offsets.offsets().entrySet()) {
                    if (entry.getKey() < 0 || entry.getValue() < 0) {
                        throw JsonFault.of("group " + offsets.group() + " is at " + entry.getValue() + " of queue "
                                + entry.getKey() + " of topic " + offsets.topic());
                    }
                }
            }
        }
    }

    private List<Fact> of(StateFile file) {
        return facts.getOrDefault(file, List.of());
    }

    /// Why the topics cannot be taken over; null when they can.
    public @Nullable String notCarried() {
        for (Fact fact : of(StateFile.TOPICS)) {
            if (fact instanceof Fact.TopicSet set) {
                String why = Carried.whyNot(set.config());
                if (why != null) {
                    return "topic " + set.config().topic() + " " + why;
                }
            }
        }
        return null;
    }

    /// Its topics, each with the number of its queues.
    public SortedMap<String, Integer> queueCounts() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Fact fact : of(StateFile.TOPICS)) {
            if (fact instanceof Fact.TopicSet set) {
                counts.put(
                        set.config().topic(),
                        Math.max(set.config().readQueues(), set.config().writeQueues()));
            }
        }
        return counts;
    }

    /// Whether all files are there; what is in them is not looked at.
    public static boolean isOnDisk(Disk disk) {
        for (StateFile file : StateFile.values()) {
            if (!disk.read(file.file(), 0, ByteBuffer.allocate(1)).isOk()) {
                return false;
            }
        }
        return true;
    }

    /// Writes all files; waits for the disk.
    ///
    /// @return what went wrong, or null
    public @Nullable String write(Disk disk, Ends ends, Duration limit) throws JsonFault {
        SequencedMap<FileId, byte[]> files = new LinkedHashMap<>();
        for (StateFile file : StateFile.values()) {
            files.put(file.file(), text(file, ends).getBytes(StandardCharsets.UTF_8));
        }
        return Export.replaceAll(disk, files, limit) instanceof Disk.Done.Failed failed ? failed.sentence() : null;
    }

    private String text(StateFile file, Ends ends) throws JsonFault {
        JsonObject content = contents.getOrDefault(file, JsonObject.EMPTY);
        if (file == StateFile.TOPICS || file == StateFile.GROUPS) {
            return new JsonWriter(Dialect.PEER).value(content).toString();
        }
        State state = new State(
                DataVersion.NONE, DataVersion.NONE, Map.of(), Map.of(), offsets(ends), new TreeMap<>(delay(ends)));
        JsonWriter empty = new JsonWriter(Dialect.PEER).beginObject();
        file.write(empty, state, Rest.NOTHING);
        Rest rest = Rest.of(
                file,
                content,
                Json.read(empty.endObject().toString()).asObject(file.file().name()));
        JsonWriter out = new JsonWriter(Dialect.PEER).beginObject();
        file.write(out, state, rest);
        return out.endObject().toString();
    }

    private Map<String, SortedMap<Integer, Long>> offsets(Ends ends) {
        Map<String, SortedMap<Integer, Long>> all = new HashMap<>();
        for (Fact fact : of(StateFile.OFFSETS)) {
            if (fact instanceof Fact.Offsets(String group, String topic, Map<Integer, Long> queues)) {
                SortedMap<Integer, Long> bounded = new TreeMap<>();
                queues.forEach((queue, offset) -> bounded.put(queue, Math.min(offset, ends.end(topic, queue))));
                all.put(topic + "@" + group, bounded);
            }
        }
        return new TreeMap<>(all);
    }

    private Map<Integer, Long> delay(Ends ends) {
        Map<Integer, Long> all = new TreeMap<>();
        for (Fact fact : of(StateFile.DELAY)) {
            if (fact instanceof Fact.DelayProgress(int level, long offset)) {
                all.put(level, Math.min(offset, ends.end(DELAY_TOPIC, level - 1)));
            }
        }
        return all;
    }
}
