package gantry.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Whatever tree is written is read again as it was; 20 000 trees, each from its seed.
final class JsonRoundTripTest {
    private static final int TREES = 20_000;

    @Test
    void whatIsWrittenForPeersIsReadAsItWas() throws JsonFault {
        for (int seed = 0; seed < TREES; seed++) {
            Json tree = new RandomJson(seed).tree(4);

            Json read = Json.read(new JsonWriter(Dialect.PEER).value(tree).toString());

            assertThat(read).as("seed " + seed).isEqualTo(tree);
        }
    }

    @Test
    void standardTextIsAsciiAndSaysTheSame() throws JsonFault {
        for (int seed = 0; seed < TREES; seed++) {
            String text = new JsonWriter(Dialect.STANDARD)
                    .value(new RandomJson(seed).tree(4))
                    .toString();

            assertThat(text.chars().allMatch(c -> c >= 0x20 && c < 0x7F))
                    .as("seed " + seed)
                    .isTrue();
            assertThat(new JsonWriter(Dialect.STANDARD).value(Json.read(text)))
                    .as("seed " + seed)
                    .hasToString(text);
        }
    }
}
