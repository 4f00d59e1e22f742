package gantry.store;

import java.util.List;

/// What a look at a stopped store found.
///
/// For:   showing it to an operator, and to scripts.
/// Owner: none (immutable).
///
/// @param lines one per file of the log, per queue and per other file, in that order
/// @param findings the first of them; each names its file
/// @param badCount how many places are wrong, those not listed included
/// @param noteCount how many are as a stop without notice leaves them, those not listed included
/// @param done what a repair did
public record VerifyReport(List<Line> lines, List<Finding> findings, long badCount, long noteCount, List<String> done) {
    /// @param what "log", "queue", "checkpoint", "config", …
    /// @param path absolute
    /// @param from the first log offset or queue offset, -1 where there is none
    /// @param to exclusive
    /// @param count messages or entries
    /// @param state "ok", or in a few words what is not
    public record Line(String what, String path, long bytes, long from, long to, long count, String state) {}

    public enum Severity {
        /// Something is lost, or would be served wrongly.
        BAD,
        /// Explained by how the store stopped; the next start deals with it.
        NOTE
    }

    /// @param path absolute
    /// @param byteAt where in the file; -1 when it is about the file as a whole
    /// @param what a sentence without a full stop
    public record Finding(Severity severity, String path, long byteAt, String what) {}

    public VerifyReport {
        lines = List.copyOf(lines);
        findings = List.copyOf(findings);
        done = List.copyOf(done);
    }

    public boolean isClean() {
        return badCount == 0;
    }

    VerifyReport with(List<String> deeds) {
        return new VerifyReport(lines, findings, badCount, noteCount, deeds);
    }
}
