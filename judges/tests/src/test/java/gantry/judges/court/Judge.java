package gantry.judges.court;

import gantry.judges.program.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A process with an official client in it, which does what it is told.
///
/// For:   starting roles; each is a `Talk`.
/// Owner: whoever started it closes it.
/// Never: judgement.
public final class Judge implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(1);

    private final AtomicInteger roles = new AtomicInteger();
    private final String name;
    private final Child child;
    private final Transcript transcript;

    private Judge(String name, ClientVersion version, String nameserver, Path folder, List<String> options)
            throws IOException {
        this.name = name;
        Path home = Files.createDirectories(folder.resolve(name));
        List<String> command = new ArrayList<>(List.of(
                Places.java().toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // Its logs go below, not into the user's home.
                "-Duser.home=" + home));
        command.addAll(options);
        command.addAll(List.of(
                "-cp", String.join(":", version.classPath()), "gantry.judges.program.JudgeProgram", nameserver));
        this.child = new Child(name, command, home, Line::parse);
        this.transcript = child.transcript();
    }

    /// @param options of its Java
    public static Judge start(String name, ClientVersion version, Peer peer, Path folder, String... options)
            throws IOException {
        return start(new Judge(name, version, peer.nameserver(), folder, List.of(options)));
    }

    public static Judge start(String name, ClientVersion version, GantryPair pair, Path folder) throws IOException {
        return start(new Judge(name, version, pair.nameserver(), folder, List.of()));
    }

    private static Judge start(Judge judge) throws IOException {
        Boolean ready = judge.transcript.await(
                lines -> lines.stream().anyMatch(line -> line.verb().equals("ready")) ? Boolean.TRUE : null, START);
        if (ready == null) {
            judge.close();
            throw new IOException("the program of " + judge + " did not start" + judge.child.errorTail());
        }
        return judge;
    }

    /// Starts a role, with a name of its own.
    ///
    /// @param command a verb and its fields, as `JudgeProgram` says
    public Talk tell(String command) {
        String verb = command.substring(0, (command + " ").indexOf(' '));
        Talk talk = new Talk(verb + roles.incrementAndGet(), this, transcript);
        say(talk.role() + " " + command);
        return talk;
    }

    void say(String text) {
        child.say(text);
    }

    String whatWentWrong() {
        return child.errorTail();
    }

    /// SIGKILL: its connections break.
    public void kill() {
        child.kill();
    }

    @Override
    public void close() {
        child.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
