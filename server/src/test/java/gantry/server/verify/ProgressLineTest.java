package gantry.server.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/// Shows what a person who waits sees: one line that is written over on a terminal, a line in ten seconds elsewhere.
class ProgressLineTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MEBIBYTE = 1 << 20;

    private final StringWriter shown = new StringWriter();
    private long nanos;

    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };

    private ProgressLine line(boolean terminal) {
        return new ProgressLine(new PrintWriter(shown), clock, terminal);
    }

    @Test
    void tellsBytesRateAndTimeLeft() {
        assertThat(ProgressLine.line(256 * MEBIBYTE, 1024 * MEBIBYTE, 2))
                .isEqualTo("checked 256 of 1024 MiB (25 %), 128 MiB/s, 0:06 left");
    }

    @Test
    void terminalGetsOneLineThatIsTakenAwayAtTheEnd() {
        ProgressLine line = line(true);
        for (int i = 1; i <= 5; i++) {
            nanos += SECOND;
            line.reached(i * MEBIBYTE, 10 * MEBIBYTE);
        }
        line.end();
        assertThat(shown.toString())
                .doesNotContain("\n")
                .contains("checked 5 of 10 MiB")
                .endsWith("\r\u001b[K");
    }

    @Test
    void otherOutputGetsAPlainLineInTenSeconds() {
        ProgressLine line = line(false);
        for (int i = 1; i <= 25; i++) {
            nanos += SECOND;
            line.reached(i * MEBIBYTE, 100 * MEBIBYTE);
        }
        line.end();
        assertThat(shown.toString().lines())
                .hasSize(2)
                .allMatch(text -> text.startsWith("checked ") && !text.contains("\r"));
    }
}
