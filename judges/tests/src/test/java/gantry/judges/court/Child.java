package gantry.judges.court;

import static java.nio.charset.StandardCharsets.UTF_8;

import gantry.judges.program.Line;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A process that a test has started.
///
/// For:   its output as a transcript, its end by signal, its standard error in a file, and a copy of
///        its output in another.
/// Owner: whoever started it closes it.
/// Never: a process that was not started here.
final class Child implements AutoCloseable {
    private static final int TAIL_LINES = 30;

    private final String name;
    private final Path errors;
    private final Path output;
    private final Transcript transcript = new Transcript();
    private final Process process;
    private final Thread reader;

    /// @param parse makes a line of a line of its output; null when it is none
    Child(String name, List<String> command, Path folder, Function<String, @Nullable Line> parse) throws IOException {
        this.name = name;
        this.errors = folder.resolve(name + ".err");
        this.output = folder.resolve(name + ".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        this.process = builder.start();
        this.reader = Thread.ofPlatform().daemon().name(name).start(() -> read(parse));
    }

    /// A server's output: its lines as they are, in `text`.
    static Child server(String name, List<String> command, Path folder) throws IOException {
        return new Child(name, command, folder, text -> Line.of("server", "said", "text", text));
    }

    private void read(Function<String, @Nullable Line> parse) {
        try (BufferedReader in = process.inputReader(UTF_8);
                BufferedWriter copy = Files.newBufferedWriter(output, UTF_8)) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                copy.write(text + "\n");
                Line line = parse.apply(text);
                if (line != null) {
                    transcript.add(line);
                }
            }
        } catch (IOException _) {
            // Killed while it wrote: what came before is there.
        }
        transcript.end();
    }

    Transcript transcript() {
        return transcript;
    }

    /// Waits for a line of a server that has `words` in it.
    ///
    /// @return the line
    String awaitWords(String words, Duration atMost) throws IOException {
        String found = transcript.await(
                lines -> lines.stream()
                        .map(line -> line.text("text"))
                        .filter(text -> text.contains(words))
                        .findFirst()
                        .orElse(null),
                atMost);
        if (found == null) {
            String seen = transcript.tail(TAIL_LINES);
            close();
            throw new IOException(
                    name + " did not say \"" + words + "\" within " + atMost + ", but last" + seen + errorTail());
        }
        return found;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void say(String text) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((text + "\n").getBytes(UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " is gone" + errorTail(), e);
        }
    }

    /// SIGKILL; returns when it is gone and all that it had printed was read.
    void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(30));
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /// SIGTERM.
    void terminate() {
        process.destroy();
    }

    /// @return null when it is still alive
    @Nullable
    Integer awaitExit(Duration atMost) {
        try {
            return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    String errorTail() {
        try {
            List<String> lines = Files.readAllLines(errors);
            return "\n" + name + " said on standard error:\n  "
                    + String.join("\n  ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "\n" + name + " has no readable standard error: " + e;
        }
    }

    @Override
    public void close() {
        if (isAlive()) {
            kill();
        }
    }
}
