package gantry.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Gantry process of its own, as a user would start it.
///
/// For:   tests of what only a whole process shows: its lines, its exit code, signals.
/// Owner: the test, which closes it.
final class Spawned implements AutoCloseable {
    /// Far more than it takes; a machine that builds eight things at once is slow.
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final Path errors;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private Spawned(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofVirtual().start(this::readLines);
    }

    static Spawned gantry(Path folder, String... args) throws IOException {
        return start(folder, List.of(), List.of(), args);
    }

    /// As above, with further options for Java, which win over those that it starts with.
    static Spawned gantryWith(List<String> javaOptions, Path folder, String... args) throws IOException {
        return start(folder, List.of(), javaOptions, args);
    }

    /// As above, in a mount namespace of its own, in which a shell has mounted something first. The process
    /// keeps the shell's id, so that /proc/PID/root leads there.
    static Spawned gantryBehind(String mounts, Path folder, String... args) throws IOException {
        return start(
                folder,
                List.of("unshare", "--mount", "--propagation", "private", "sh", "-ec", mounts + "\nexec \"$@\"", "sh"),
                List.of(),
                args);
    }

    /// Whether this machine lets us mount.
    static boolean mayMount() throws IOException, InterruptedException {
        return new ProcessBuilder("unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                == 0;
    }

    private static Spawned start(Path folder, List<String> before, List<String> javaOptions, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:MaxDirectMemorySize=128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "gantry.server.Main"));
        command.addAll(List.of(args));
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        return new Spawned(process, errors);
    }

    /// Waits for the line with "ready".
    Spawned ready() throws InterruptedException {
        lineWith(" is ready: ");
        return this;
    }

    /// The address that the ready line gives for a part.
    Endpoint address(String part) {
        for (String line : seen) {
            Matcher found = Pattern.compile(" " + part + "=(\\S+)").matcher(line);
            if (found.find()) {
                return Endpoint.parse(found.group(1));
            }
        }
        throw new AssertionError("no address of " + part + " in " + seen);
    }

    String lineWith(String part) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            @Nullable String line = lines.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                seen.add(line);
                if (line.contains(part)) {
                    return line;
                }
            } else if (!process.isAlive() && lines.isEmpty()) {
                break;
            }
        }
        throw new AssertionError("no line with \"" + part + "\" in " + seen + "; errors: " + errors());
    }

    /// SIGTERM.
    Spawned terminate() {
        process.toHandle().destroy();
        return this;
    }

    /// SIGKILL.
    Spawned kill() {
        process.toHandle().destroyForcibly();
        return this;
    }

    /// As `kill -NAME` sends it.
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("the process ends")
                .isTrue();
        return process.exitValue();
    }

    /// How many lines it has written.
    int lineCount() {
        return seen.size() + lines.size() + (int) errors().lines().count();
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void readLines() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // The process is gone; what it said is in `lines`.
            lines.add("(its output ended: " + e.getMessage() + ")");
        }
    }
}
