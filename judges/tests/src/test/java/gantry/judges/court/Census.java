package gantry.judges.court;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.program.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

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

    /// A busy machine may need long for all of it.
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /// @param groups each a `topic@group`
    public static Census of(Judge judge, List<String> topics, List<String> groups) {
        Talk survey = judge.tell("survey topics=" + String.join(",", topics));
        survey.awaitCount("done", 1, PATIENCE);
        assertThat(survey.all("odd")).isEmpty();
        Map<String, List<String>> messages = new TreeMap<>();
        for (Line line : survey.all("got")) {
            assertThat(line.text("body")).as(line.toString()).isEqualTo("whole");
            messages.computeIfAbsent(line.text("topic"), _ -> new ArrayList<>()).add(fields(line, COMPARED));
        }
        Map<String, List<String>> ranges = new TreeMap<>();
        for (Line line : survey.all("range")) {
            ranges.computeIfAbsent(line.text("topic"), _ -> new ArrayList<>())
                    .add(fields(line, List.of("queue", "min", "max")));
        }
        messages.values().forEach(all -> all.sort(Comparator.naturalOrder()));
        ranges.values().forEach(all -> all.sort(Comparator.naturalOrder()));
        return new Census(messages, ranges, committed(judge, groups));
    }

    /// The committed offsets alone, of a server that gives no messages.
    ///
    /// @param groups each a `topic@group`
    public static Map<String, Map<Integer, Long>> committed(Judge judge, List<String> groups) {
        Map<String, Map<Integer, Long>> committed = new TreeMap<>();
        for (String pair : groups) {
            int at = pair.indexOf('@');
            committed.put(pair, answered(() -> Progress.of(judge, pair.substring(0, at), pair.substring(at + 1))));
        }
        return committed;
    }

    /// The official client waits 3 s for an answer.
    private static <T> T answered(Callable<T> question) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .ignoreExceptionsMatching(AssertionError.class::isInstance)
                .until(question, _ -> true);
    }

    private static String fields(Line line, List<String> names) {
        StringBuilder text = new StringBuilder();
        names.forEach(
                name -> text.append(name).append('=').append(line.text(name)).append(' '));
        return text.toString();
    }

    /// The keys of a topic's messages.
    public List<String> keys(String topic) {
        return messages.getOrDefault(topic, List.of()).stream()
                .map(line -> line.substring("key=".length(), line.indexOf(" queue=")))
                .toList();
    }

    /// The same but for one topic.
    public Census without(String topic) {
        Map<String, List<String>> fewerMessages = new TreeMap<>(messages);
        Map<String, List<String>> fewerRanges = new TreeMap<>(ranges);
        fewerMessages.remove(topic);
        fewerRanges.remove(topic);
        return new Census(fewerMessages, fewerRanges, committed);
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
