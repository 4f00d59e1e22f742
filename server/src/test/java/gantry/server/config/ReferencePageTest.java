package gantry.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// docs/configuration.md says what the table of keys says: its tables are written from it.
///
/// After a change of a key run this test with `-Dtest.jvm=-Dgantry.rewrite=true`, and read the difference.
class ReferencePageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");
    private static final String BEGIN = "<!-- from here on written from the table of keys -->\n";

    @Test
    void pageHasEveryKeyOfTheTable() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN);
        assertThat(begin).as("the page has its mark").isPositive();
        String written = page.substring(0, begin) + BEGIN + tables();
        if (Boolean.getBoolean("gantry.rewrite")) {
            Files.writeString(PAGE, written);
        } else {
            assertThat(page).isEqualTo(written);
        }
    }

    private static String tables() {
        return keys("A broker's file", Role.BROKER) + keys("A nameserver's file", Role.NAMESERVER);
    }

    private static String keys(String title, Role role) {
        StringBuilder text = new StringBuilder("\n## " + title + "\n\n");
        text.append("| key | default | allowed | what it does | whose |\n|---|---|---|---|---|\n");
        Map<String, List<String>> without = new LinkedHashMap<>();
        List<String> only = new ArrayList<>();
        for (Key<?> key : KeyTable.of(role).keys()) {
            switch (key.effect()) {
                case Effect.Feeds feeds ->
                    text.append("| `%s` | %s | %s | %s | %s |\n"
                            .formatted(
                                    key.name(),
                                    key.byDefault(),
                                    key.reading().what(),
                                    key.meaning(),
                                    whose(feeds.component())));
                case Effect.None none ->
                    without.computeIfAbsent(none.because(), because -> new ArrayList<>())
                            .add(key.name());
                case Effect.Only one ->
                    only.add("| `" + key.name() + "` | " + one.value() + " | " + one.because() + " |");
            }
        }
        text.append("\nAccepted with one value only:\n\n| key | value | because otherwise |\n|---|---|---|\n");
        text.append(String.join("\n", only)).append("\n\nAccepted, without effect:\n");
        without.forEach((because, names) -> text.append("\n- *" + because + "*: `")
                .append(String.join("`, `", names))
                .append("`"));
        return text.append("\n").toString();
    }

    /// A reader of the page knows parts of the program, not classes.
    private static String whose(String component) {
        return switch (component) {
            case "ServerConfig" -> "process";
            case "BrokerConfig" -> "broker";
            case "StoreConfig" -> "store";
            case "ReplicaConfig" -> "replica group";
            case "LegacyConfig" -> "legacy link";
            case "NameserverConfig" -> "nameserver";
            default -> throw new AssertionError("say in words what " + component + " is, here and above the tables");
        };
    }
}
