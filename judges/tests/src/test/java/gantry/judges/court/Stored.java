package gantry.judges.court;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.program.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a topic holds, as a pull consumer has read it from its first to its last message.
///
/// For:   comparing it with what was acknowledged.
/// Owner: none (immutable).
/// Holds: P3 offsets of a queue are dense from 0, and no message is stored twice.
public final class Stored {
    private final Map<Integer, List<Line>> queues = new TreeMap<>();
    private final Map<String, Line> byKey = new HashMap<>();

    private Stored(List<Line> got) {
        for (Line line : got) {
            queues.computeIfAbsent(line.integer("queue"), _ -> new ArrayList<>())
                    .add(line);
            Line twin = byKey.put(line.text("key"), line);
            assertThat(twin)
                    .as("stored before as %s, and again as %s", twin, line)
                    .isNull();
            assertThat(line.text("body")).as(line.toString()).isEqualTo("whole");
        }
        queues.forEach((queue, lines) -> {
            for (int i = 0; i < lines.size(); i++) {
                assertThat(lines.get(i).longInteger("offset"))
                        .as("offset of message %d of queue %d", i, queue)
                        .isEqualTo(i);
            }
        });
    }

    /// Reads all of a topic now.
    public static Stored of(Judge judge, String topic) {
        Talk reader = judge.tell("pull topic=" + topic);
        reader.await("done");
        assertThat(reader.all("odd")).isEmpty();
        return new Stored(reader.all("got"));
    }

    public int count() {
        return byKey.size();
    }

    /// The messages of one queue in their order.
    public List<Line> queue(int id) {
        return queues.getOrDefault(id, List.of());
    }

    public Map<Integer, List<Line>> queues() {
        return queues;
    }

    public Line message(String key) {
        Line line = byKey.get(key);
        if (line == null) {
            throw new AssertionError("the message " + key + " is not among the " + count() + " that are stored");
        }
        return line;
    }

    /// P1: everything that was acknowledged is there, at the place that the answer named.
    public void holdsAll(List<Line> acknowledged) {
        for (Line sent : acknowledged) {
            Line stored = message(sent.text("key"));
            assertThat(stored.text("queue") + "@" + stored.text("offset"))
                    .as("place of %s", sent.text("key"))
                    .isEqualTo(sent.text("queue") + "@" + sent.text("offset"));
            assertThat(stored.text("uniqueKey")).isEqualTo(sent.text("uniqueKey"));
        }
    }

    /// Within each queue the messages of one sender stand in the order in which it sent them.
    public void isInOrderOfIndex() {
        queues.forEach((queue, lines) -> assertThat(lines.stream().map(line -> line.integer("index")))
                .as("indexes in queue %d", queue)
                .isSorted());
    }
}
