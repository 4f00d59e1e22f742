package gantry.judges.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Drives an official client as the lines on standard input say.
///
/// For:   `ROLE COMMAND name=value …` starts a role, `ROLE stop` stops it, `exit` or the end of input ends the program.
/// Owner: the process; each role runs on a thread of its own.
/// Never: judgement; what is right is said by the tests.
///
/// | command | what it does | says |
/// |---|---|---|
/// | send | sync, async, one-way, in batches; for ever when count=0 | started, sent, failed, done |
/// | half | sends half messages and leaves them undecided | started, sent, asked, done |
/// | push | push consumer, concurrently or orderly | started, assigned, got |
/// | lite | lite pull consumer, subscribed or with assigned queues | started, assigned, got |
/// | pull | reads all queues once with the pull consumer | got, done |
/// | survey | reads all queues of many topics | range, got, done |
/// | offsets | each queue's range, or the offset at a time | range, at, done |
/// | committed | a group's offsets | committed, done |
/// | find | messages by key, unique key or offset id | indexed, got, done |
/// | topic | creates a topic | done |
/// | drop | deletes a topic | done |
/// | connect | clients that come and go | done |
public final class JudgeProgram {
    private final String nameserver;
    private final PrintStream out;
    private final Map<String, Role> roles = new ConcurrentHashMap<>();

    private JudgeProgram(String nameserver, PrintStream out) {
        this.nameserver = nameserver;
        this.out = out;
    }

    /// @param args the nameserver's address
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        // What the client prints by itself must not come between the lines.
        System.setOut(System.err);
        JudgeProgram program = new JudgeProgram(args[0], out);
        out.println("program ready");
        program.obey(new BufferedReader(new InputStreamReader(System.in, UTF_8)));
        // The official clients leave threads behind that keep a process alive.
        System.exit(0);
    }

    private void obey(BufferedReader in) throws IOException {
        for (String text = in.readLine(); text != null && !text.equals("exit"); text = in.readLine()) {
            Line line = Line.parse(text);
            if (line == null) {
                out.println("program broken text=" + text.replace(' ', '+'));
            } else if (line.verb().equals("stop")) {
                Thread.ofPlatform().start(() -> stop(line.role()));
            } else {
                Thread.ofPlatform().name(line.role()).start(() -> run(line));
            }
        }
    }

    private void run(Line line) {
        Report report = new Report(line.role(), out);
        try {
            Role role = role(line, report);
            roles.put(line.role(), role);
            role.run();
        } catch (Exception | LinkageError e) {
            report.broken(e);
        }
    }

    private Role role(Line line, Report report) {
        Clients clients = new Clients(nameserver, line.role());
        return switch (line.verb()) {
            case "send" -> new Sender(line, clients, report);
            case "half" -> new HalfSender(line, clients, report);
            case "push" -> new PushConsumer(line, clients, report);
            case "lite" -> new LiteConsumer(line, clients, report);
            case "pull" -> new PullReader(line, clients, report);
            case "survey" -> new Surveyor(line, clients, report);
            case "offsets", "committed" -> new OffsetQuestions(line, clients, report);
            case "find" -> new Finder(line, clients, report);
            case "topic" -> new TopicMaker(line, clients, report);
            case "drop" -> new TopicDropper(line, report);
            case "connect" -> new Connector(line, clients, report);
            default -> throw new IllegalArgumentException("no command " + line.verb());
        };
    }

    private void stop(String name) {
        Report report = new Report(name, out);
        Role role = roles.remove(name);
        try {
            if (role != null) {
                role.stop();
            }
            report.tell("stopped");
        } catch (Exception e) {
            report.broken(e);
        }
    }
}
