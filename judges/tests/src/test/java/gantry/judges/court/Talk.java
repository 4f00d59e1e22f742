package gantry.judges.court;

import gantry.judges.program.Line;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What one role of a judge has said, and the way to stop it.
///
/// For:   waiting for lines, with a failure that says what came instead.
/// Owner: the test.
/// Never: a line of another role.
public final class Talk {
    /// Long enough for a busy machine; nobody waits so long when all is well.
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int TAIL_LINES = 15;

    private final String role;
    private final Judge judge;
    private final Transcript transcript;

    Talk(String role, Judge judge, Transcript transcript) {
        this.role = role;
        this.judge = judge;
        this.transcript = transcript;
    }

    String role() {
        return role;
    }

    /// All lines with this verb until now.
    public List<Line> all(String verb) {
        return all(transcript.lines(), verb);
    }

    private List<Line> all(List<Line> lines, String verb) {
        return lines.stream()
                .filter(line -> line.role().equals(role) && line.verb().equals(verb))
                .toList();
    }

    /// Waits for the first line with this verb.
    public Line await(String verb) {
        return awaitCount(verb, 1).getFirst();
    }

    /// Waits until at least `count` lines have this verb.
    ///
    /// @return all of them
    public List<Line> awaitCount(String verb, int count) {
        return awaitCount(verb, count, PATIENCE);
    }

    public List<Line> awaitCount(String verb, int count, Duration atMost) {
        return awaitAll(verb, lines -> lines.size() >= count, count + " times \"" + verb + "\"", atMost);
    }

    /// Waits until `enough` holds for the lines with this verb.
    public List<Line> awaitAll(String verb, Predicate<List<Line>> enough, String wanted, Duration atMost) {
        List<Line> found = transcript.await(
                lines -> {
                    List<Line> ours = all(lines, verb);
                    return enough.test(ours) || broken(lines) != null ? ours : null;
                },
                atMost);
        if (found == null || !enough.test(found)) {
            throw new AssertionError(judge + ": " + role + " did not say " + wanted + " within " + atMost.toSeconds()
                    + " s" + (found == null ? "" : ", because it broke") + ", but last" + tail()
                    + judge.whatWentWrong());
        }
        return found;
    }

    private @Nullable Line broken(List<Line> lines) {
        List<Line> broken = all(lines, "broken");
        return broken.isEmpty() ? null : broken.getFirst();
    }

    private String tail() {
        List<Line> ours = transcript.lines().stream()
                .filter(line -> line.role().equals(role))
                .toList();
        return ours.subList(Math.max(0, ours.size() - TAIL_LINES), ours.size()).stream()
                .map(Line::toString)
                .reduce("", (text, line) -> text + "\n  " + line);
    }

    /// Stops the role in an orderly way and waits until it has.
    public void stop() {
        judge.say(role + " stop");
        await("stopped");
    }

    @Override
    public String toString() {
        return judge + ": " + role;
    }
}
