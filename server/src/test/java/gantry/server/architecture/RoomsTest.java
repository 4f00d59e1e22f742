package gantry.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every file says at its door what it is for: read from the sources, because comments leave no trace in classes.
class RoomsTest {
    /// The formatter breaks longer comment lines, and does it badly.
    private static final int LONGEST_DOC_LINE = 115;

    private static final List<Path> FILES = sources();

    @Test
    void everyTypeSaysWhatItIsForAndWhoOwnsIt() {
        assertThat(FILES).hasSizeGreaterThan(20);
        assertThat(failing(file -> !isPackage(file)
                        && !(lines(file).contains("/// For:   ") && lines(file).contains("/// Owner: "))))
                .as("types without the lines For and Owner")
                .isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsForAndIsNullMarked() {
        for (Path file : FILES) {
            Path door = file.resolveSibling("package-info.java");
            assertThat(door).exists();
            assertThat(lines(door)).startsWith("///").contains("@NullMarked\npackage gantry.");
        }
    }

    @Test
    void docLinesAreShortEnoughForTheFormatter() {
        assertThat(failing(file -> lines(file)
                        .lines()
                        .anyMatch(line -> line.strip().startsWith("///") && line.length() > LONGEST_DOC_LINE + 5)))
                .isEmpty();
    }

    @Test
    void nobodyLeavesCommentedCodeOrUnnamedWork() {
        assertThat(failing(file -> lines(file).contains("TODO") || lines(file).contains("FIXME")))
                .isEmpty();
        assertThat(failing(file -> lines(file).contains("@author"))).isEmpty();
    }

    private static List<String> failing(Predicate<Path> bad) {
        return FILES.stream().filter(bad).map(Path::toString).toList();
    }

    private static boolean isPackage(Path file) {
        return file.getFileName().toString().equals("package-info.java");
    }

    private static String lines(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources() {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path main : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
