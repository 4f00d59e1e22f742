package gantry.judges.court;

import gantry.judges.program.Line;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/// How far a group has come, as the server answers it.
///
/// For:   offsets by queue: committed ones, and the queues' ends.
/// Owner: none (stateless).
/// Never: what a client believes by itself.
public final class Progress {
    private Progress() {}

    /// A group's committed offset of each queue; -1 where it has none.
    public static Map<Integer, Long> of(Judge judge, String topic, String group) {
        return ask(judge, "committed topic=" + topic + " group=" + group, "committed", "offset");
    }

    public static Map<Integer, Long> ends(Judge judge, String topic) {
        return ask(judge, "offsets topic=" + topic, "range", "max");
    }

    private static Map<Integer, Long> ask(Judge judge, String question, String verb, String field) {
        Talk asked = judge.tell(question);
        asked.await("done");
        Map<Integer, Long> offsets = new TreeMap<>();
        for (Line line : asked.all(verb)) {
            offsets.put(line.integer("queue"), line.longInteger(field));
        }
        return offsets;
    }

    /// Waits until a group has committed something.
    ///
    /// @return what the server answered
    public static Map<Integer, Long> awaitSome(Judge judge, String topic, String group) {
        return Awaitility.await()
                .atMost(Talk.PATIENCE)
                .until(
                        () -> of(judge, topic, group),
                        offsets -> offsets.values().stream().anyMatch(offset -> offset > 0));
    }
}
