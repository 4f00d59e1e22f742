package gantry.broker.replica;

import java.time.Duration;
import java.util.List;

/// What comparing the folded state of the members has come to, as one member sees it.
///
/// For:   health, metrics and admin requests.
/// Owner: none (immutable).
///
/// @param logOffset of the state point that was compared, or told of, last; -1: none yet
/// @param wallMillis when that was
/// @param parts     that differ there: topics, groups, offsets, delays
/// @param firstAt   log offset of the first point at which they did; -1 without one
/// @param sameAt    log offset of the last point before it at which nothing did; -1: none is known
/// @param missing   why no further comparison has taken place for too long, as a sentence without a full stop; empty
///                  while they do
public record StateComparison(
        Outcome outcome,
        long logOffset,
        long wallMillis,
        List<String> parts,
        long firstAt,
        long sameAt,
        String missing) {
    /// A comparison that is later than it should be by so much has a name. Behind a point the leader has to export its
    /// state once, every 5 s as a rule.
    public static final Duration LATE = Duration.ofMinutes(10);

    /// In the words of admin output.
    public enum Outcome {
        NONE,
        TOLD,
        SAME,
        DIFFERS
    }

    public static final StateComparison NONE = new StateComparison(Outcome.NONE, -1, 0, List.of(), -1, -1, "");

    public StateComparison {
        parts = List.copyOf(parts);
    }

    /// A leader has told its followers what its state was.
    public static StateComparison told(long logOffset, long wallMillis) {
        return new StateComparison(Outcome.TOLD, logOffset, wallMillis, List.of(), -1, -1, "");
    }

    /// Another point was compared.
    public StateComparison next(long at, long now, List<String> differing) {
        if (differing.isEmpty()) {
            return new StateComparison(Outcome.SAME, at, now, List.of(), -1, at, "");
        }
        return new StateComparison(Outcome.DIFFERS, at, now, differing, firstAt < 0 ? at : firstAt, sameAt, "");
    }

    /// The same, but the next one is late.
    public StateComparison lacking(String why) {
        return new StateComparison(outcome, logOffset, wallMillis, parts, firstAt, sameAt, why);
    }

    /// Whether none has taken place for too long.
    public boolean isLate() {
        return !missing.isEmpty();
    }

    public boolean differs() {
        return outcome == Outcome.DIFFERS;
    }

    /// Since when they differ, for sentences.
    public String since() {
        return sameAt < 0
                ? "at log offset " + firstAt + ", the first place that was compared since this slave's start"
                : "since log offset " + firstAt + ", and were the same at " + sameAt;
    }
}
