package gantry.ops.cli;

import gantry.wire.json.Dialect;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows under headings.
///
/// For:   one result in two forms: columns for people, an array of objects for scripts.
/// Owner: one command.
/// Never: truncates a cell.
final class Table {
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        this.headings = List.of(headings);
    }

    Table row(@Nullable Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    String toText() {
        int[] widths = new int[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = headings.get(i).length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        line(text, headings, widths);
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths) {
        int start = text.length();
        for (int i = 0; i < widths.length; i++) {
            text.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        int end = text.length();
        while (end > start && text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
        text.append('\n');
    }

    String toJson() {
        JsonWriter json = new JsonWriter(Dialect.STANDARD).beginArray();
        for (List<String> row : rows) {
            json.beginObject();
            for (int i = 0; i < headings.size(); i++) {
                json.field(headings.get(i), row.get(i));
            }
            json.endObject();
        }
        return json.endArray().toString() + "\n";
    }
}
