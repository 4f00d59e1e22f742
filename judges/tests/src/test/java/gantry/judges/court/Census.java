package gantry.judges.court;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.program.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Everything that an official client can see of a server's topics and groups at one moment.
///
/// For:   comparing what two servers make of one store directory.
/// Owner: none (immutable).
/// Never: addresses; they are the servers' own.
///
/// @param messages by topic: each message with its place, times, flags, properties, and whether its body is whole
/// @param ranges by topic: each queue's first and next offset
/// @param committed by `topic@group`: each queue's committed offset
public record Census(
        Map<String, List<String>> messages,
        Map<String, List<String>> ranges,
        Map<String, Map<Integer, Long>> committed) {
    private static final List<String> COMPARED = List.of(
            "key",
            "queue",
            "offset",
            "tag",
            "index",
            "uniqueKey",
            "storeMillis",
            "bornMillis",
            "flags",
            "redeliveries",
            "properties",
            "body");

    /// @param groups each a `topic@group`
    public static Census of(Judge judge, List<String> topics, List<String> groups) {
        Map<String, Talk> readers = new LinkedHashMap<>();
        Map<String, Talk> ranges = new LinkedHashMap<>();
        // All at once: a client takes its time to start.
        for (String topic : topics) {
            readers.put(topic, judge.tell("pull topic=" + topic));
            ranges.put(topic, judge.tell("offsets topic=" + topic));
        }
        Map<String, List<String>> messages = new TreeMap<>();
        readers.forEach((topic, reader) -> messages.put(topic, told(reader)));
        Map<String, List<String>> ends = new TreeMap<>();
        ranges.forEach((topic, asked) -> {
            asked.await("done");
            ends.put(
                    topic,
                    asked.all("range").stream()
                            .map(line -> fields(line, List.of("queue", "min", "max")))
                            .sorted()
                            .toList());
        });
        Map<String, Map<Integer, Long>> committed = new TreeMap<>();
        for (String pair : groups) {
            int at = pair.indexOf('@');
            committed.put(pair, Progress.of(judge, pair.substring(0, at), pair.substring(at + 1)));
        }
        return new Census(messages, ends, committed);
    }

    private static List<String> told(Talk reader) {
        reader.await("done");
        assertThat(reader.all("odd")).isEmpty();
        List<String> told = new ArrayList<>();
        for (Line line : reader.all("got")) {
            assertThat(line.text("body")).as(line.toString()).isEqualTo("whole");
            told.add(fields(line, COMPARED));
        }
        return told.stream().sorted().toList();
    }

    private static String fields(Line line, List<String> names) {
        StringBuilder text = new StringBuilder();
        names.forEach(
                name -> text.append(name).append('=').append(line.text(name)).append(' '));
        return text.toString();
    }

    /// How many messages there are in all.
    public int count() {
        return messages.values().stream().mapToInt(List::size).sum();
    }

    /// Holds when `later` sees the same.
    public void isAlso(Census later) {
        messages.forEach((topic, before) -> assertThat(later.messages.get(topic))
                .as("messages of %s", topic)
                .isEqualTo(before));
        assertThat(later.ranges).as("first and next offset of each queue").isEqualTo(ranges);
        assertThat(later.committed).as("committed offsets").isEqualTo(committed);
    }
}
