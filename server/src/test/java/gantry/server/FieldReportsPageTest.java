package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/design/012 names tests that exist, and each says in its doc line which reports it replays.
class FieldReportsPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/design/012-field-reports-of-replication.md");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void everyTestOnThePageExistsAndCarriesTheNumberOfItsRow() throws IOException {
        Map<String, Path> sources = sources();
        List<String> wrong = new ArrayList<>();
        int named = 0;
        for (String line : Files.readAllLines(PAGE)) {
            if (!line.startsWith("| R0")) {
                continue;
            }
            String row = line.substring(2, 6);
            Matcher test = NAMED.matcher(line);
            while (test.find()) {
                named++;
                Path source = sources.get(test.group(1));
                if (source == null || !carries(Files.readString(source), test.group(2), row)) {
                    wrong.add(row + ": " + test.group());
                }
            }
        }
        assertThat(named).isGreaterThan(30);
        assertThat(wrong)
                .as("tests that are not there, or without the row's number in their doc line")
                .isEmpty();
    }

    /// Whether the number stands between the method's name and the end of what comes before its doc.
    private static boolean carries(String source, String method, String row) {
        int at = source.indexOf(" void " + method + "(");
        int begin = at < 0 ? -1 : source.lastIndexOf("\n\n", at);
        return begin >= 0 && source.substring(begin, at).contains(row);
    }

    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> sources = new HashMap<>();
        List<Path> folders = new ArrayList<>();
        for (Path parent : List.of(ROOT, ROOT.resolve("judges"))) {
            try (Stream<Path> modules = Files.list(parent)) {
                modules.map(module -> module.resolve("src/test/java"))
                        .filter(Files::isDirectory)
                        .forEach(folders::add);
            }
        }
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith("Test.java"))
                        .forEach(file ->
                                sources.put(file.getFileName().toString().replace(".java", ""), file));
            }
        }
        return sources;
    }
}
