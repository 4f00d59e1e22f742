package gantry.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The loop confirms exactly what it was to confirm, and lets no wrong answer pass.
class LoadLoopTest {
    @Test
    void everyMessageIsConfirmedOnce() throws IOException, LoadFailed {
        try (AnsweringServer server = new AnsweringServer((request, id) -> AnsweringServer.ok(id))) {
            Outcome outcome = sends(server.endpoint(), 4, 16, 1, 5_000).run();

            assertThat(outcome.messages()).isEqualTo(5_000);
            assertThat(outcome.latency().getTotalCount()).isEqualTo(5_000);
            assertThat(outcome.refused()).isZero();
        }
    }

    @Test
    void batchCountsItsMessages() throws IOException, LoadFailed {
        try (AnsweringServer server = new AnsweringServer((request, id) -> AnsweringServer.ok(id))) {
            Outcome outcome = sends(server.endpoint(), 2, 4, 32, 320).run();

            assertThat(outcome.messages()).isEqualTo(320);
            assertThat(outcome.latency().getTotalCount()).isEqualTo(10);
        }
    }

    @Test
    void busyServerIsAskedAgain() throws IOException, LoadFailed {
        try (AnsweringServer server = new AnsweringServer(
                (request, id) -> request % 10 == 3 ? AnsweringServer.coded(2, id) : AnsweringServer.ok(id))) {
            Outcome outcome = sends(server.endpoint(), 1, 8, 1, 900).run();

            assertThat(outcome.messages()).isEqualTo(900);
            assertThat(outcome.refused()).isEqualTo(100);
        }
    }

    @Test
    void answerToNothingVoidsTheRun() throws IOException {
        try (AnsweringServer server =
                new AnsweringServer((request, id) -> AnsweringServer.ok(request == 50 ? id + 1 : id))) {
            assertThatThrownBy(() -> sends(server.endpoint(), 1, 1, 1, 900).run())
                    .isInstanceOf(LoadFailed.class)
                    .hasMessageContaining("nobody waits for");
        }
    }

    @Test
    void failureCodeVoidsTheRun() throws IOException {
        try (AnsweringServer server = new AnsweringServer(
                (request, id) -> request == 50 ? AnsweringServer.coded(1, id) : AnsweringServer.ok(id))) {
            assertThatThrownBy(() -> sends(server.endpoint(), 2, 4, 1, 900).run())
                    .isInstanceOf(LoadFailed.class)
                    .hasMessageContaining("code 1");
        }
    }

    @Test
    void closedConnectionVoidsTheRun() throws IOException {
        try (AnsweringServer server =
                new AnsweringServer((request, id) -> request == 50 ? null : AnsweringServer.ok(id))) {
            assertThatThrownBy(() -> sends(server.endpoint(), 1, 4, 1, 900).run())
                    .isInstanceOfAny(LoadFailed.class, IOException.class);
        }
    }

    @Test
    void nothingIsAskedOnceTheTimeIsUp() throws IOException, LoadFailed {
        try (AnsweringServer server = new AnsweringServer((request, id) -> AnsweringServer.ok(id))) {
            List<Script> scripts =
                    List.of(new SendScript(SendScript.templates(Codec.JSON, new Topics("T", 1, 4), 10, 1), 4, 0));
            Outcome outcome = new LoadLoop(
                            server.endpoint(), scripts, 4, Long.MAX_VALUE, TimeUnit.MILLISECONDS.toNanos(50))
                    .run();

            assertThat(outcome.messages()).isPositive();
            assertThat(outcome.nanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static LoadLoop sends(Endpoint server, int lines, int depth, int perRequest, long goal) {
        List<Script> scripts = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            scripts.add(
                    new SendScript(SendScript.templates(Codec.JSON, new Topics("T", 1, 4), 10, perRequest), 4, line));
        }
        return new LoadLoop(server, scripts, depth, goal, TimeUnit.MINUTES.toNanos(1));
    }
}
