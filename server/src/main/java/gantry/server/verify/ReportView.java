package gantry.server.verify;

import gantry.store.VerifyReport;
import gantry.store.VerifyReport.Finding;
import gantry.store.VerifyReport.Line;
import gantry.store.VerifyReport.Severity;
import gantry.wire.json.Dialect;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/// Shows what a check found.
///
/// For:   columns for people, one object for scripts.
/// Owner: none (stateless).
/// Never: hides a finding that the report lists.
public final class ReportView {
    /// Queues without a finding beyond this many are only counted, unless all are asked for.
    private static final int MOST_QUIET_QUEUES = 40;

    private static final String[] HEADINGS = {"file", "bytes", "from", "to", "records", "state"};

    private ReportView() {}

    public static String text(VerifyReport report, boolean all) {
        StringBuilder text = new StringBuilder();
        List<String[]> rows = new ArrayList<>();
        rows.add(HEADINGS);
        int quiet = 0;
        for (Line line : report.lines()) {
            boolean isQuiet = line.what().equals("queue") && (line.state().equals("ok") || line.count() == 0);
            if (isQuiet && !all && ++quiet > MOST_QUIET_QUEUES) {
                continue;
            }
            rows.add(row(line));
        }
        table(text, rows);
        if (quiet > MOST_QUIET_QUEUES && !all) {
            text.append("… and %d more queues with nothing to tell (--all shows them)\n"
                    .formatted(quiet - MOST_QUIET_QUEUES));
        }
        report.done().forEach(deed -> text.append("\nrepaired: ").append(deed));
        text.append(report.done().isEmpty() ? "" : "\n");
        findings(text, report, Severity.BAD, "DAMAGE");
        findings(text, report, Severity.NOTE, "note");
        long listed = report.findings().size();
        long count = report.badCount() + report.noteCount();
        if (count > listed) {
            text.append("\n… and %d more\n".formatted(count - listed));
        }
        return text.append('\n').append(verdict(report)).append('\n').toString();
    }

    /// The last line: what it all means.
    public static String verdict(VerifyReport report) {
        long messages = report.lines().stream()
                .filter(line -> line.what().equals("log"))
                .mapToLong(Line::count)
                .sum();
        if (report.isClean()) {
            return "clean: " + messages + " messages, nothing is damaged"
                    + (report.noteCount() == 0 ? "." : " (" + report.noteCount() + " notes).");
        }
        return "NOT CLEAN: " + report.badCount() + " places are damaged; " + messages + " messages are whole."
                + " docs/recovery.md says what each finding means and what to do.";
    }

    public static String json(VerifyReport report) {
        JsonWriter json = new JsonWriter(Dialect.STANDARD)
                .beginObject()
                .field("clean", report.isClean())
                .field("damaged", report.badCount())
                .field("notes", report.noteCount());
        json.name("files").beginArray();
        for (Line line : report.lines()) {
            json.beginObject()
                    .field("what", line.what())
                    .field("file", line.path())
                    .field("bytes", line.bytes())
                    .field("from", line.from())
                    .field("to", line.to())
                    .field("records", line.count())
                    .field("state", line.state())
                    .endObject();
        }
        json.endArray().name("findings").beginArray();
        for (Finding finding : report.findings()) {
            json.beginObject()
                    .field("severity", finding.severity() == Severity.BAD ? "damage" : "note")
                    .field("file", finding.path())
                    .field("byte", finding.byteAt())
                    .field("what", finding.what())
                    .endObject();
        }
        return json.endArray().field("repaired", report.done()).endObject() + "\n";
    }

    private static String[] row(Line line) {
        return new String[] {
            line.path(),
            String.valueOf(line.bytes()),
            line.from() < 0 ? "-" : String.valueOf(line.from()),
            line.to() < 0 ? "-" : String.valueOf(line.to()),
            line.what().equals("log") || line.what().equals("queue") ? String.valueOf(line.count()) : "-",
            line.state()
        };
    }

    private static void table(StringBuilder text, List<String[]> rows) {
        int[] widths = new int[HEADINGS.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static void findings(StringBuilder text, VerifyReport report, Severity severity, String word) {
        for (Finding finding : report.findings()) {
            if (finding.severity() == severity) {
                text.append('\n').append(word).append(": ").append(finding.path());
                text.append(finding.byteAt() < 0 ? " " : ", byte " + finding.byteAt() + ": ");
                text.append(finding.what()).append(".\n");
            }
        }
    }
}
