package gantry.server;

import gantry.ops.cli.AdminCommand;
import gantry.ops.cli.HealthCommand;
import gantry.server.config.Nearest;
import gantry.server.config.StartRefused;
import gantry.server.node.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.UnmatchedArgumentException;

/// The program's entry: one word says which role this process plays.
///
/// For:   from arguments to a running role or one clear sentence.
/// Owner: the main thread.
/// Never: decisions of a role.
@Command(
        name = "gantry",
        synopsisSubcommandLabel = "ROLE",
        subcommands = {
            StandaloneCommand.class,
            NameserverCommand.class,
            BrokerCommand.class,
            VerifyCommand.class,
            AdminCommand.class,
            HealthCommand.class
        },
        description = "A message broker for clients of Apache RocketMQ 4.9 to 5.5.")
public final class Main implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        int code = commandLine().execute(args);
        // A server's main thread comes here only when it did not start: a running one ends in its shutdown hook.
        System.exit(code);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setUsageHelpWidth(120)
                .setParameterExceptionHandler((e, args) -> refuse(e.getCommandLine(), sentence(e)))
                .setExecutionExceptionHandler((e, line, result) -> {
                    if (e instanceof StartRefused refused) {
                        return refuse(line, refused.sentence());
                    }
                    throw e;
                });
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Which role? standalone, nameserver, broker, admin, health or verify.");
    }

    private static int refuse(CommandLine line, String sentence) {
        line.getErr().println("gantry: " + sentence);
        line.getErr().flush();
        return ExitCode.REFUSED.number();
    }

    /// What is wrong with the arguments, with the nearest right one.
    private static String sentence(CommandLine.ParameterException e) {
        CommandLine line = e.getCommandLine();
        String help = " (" + line.getCommandSpec().qualifiedName() + " --help shows all)";
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            List<String> known = new ArrayList<>(line.getSubcommands().keySet());
            line.getCommandSpec().options().forEach(option -> known.addAll(List.of(option.names())));
            Optional<String> near = Nearest.of(word.replaceFirst("=.*", ""), known);
            return "There is no " + (word.startsWith("-") ? "flag" : "word") + " " + word
                    + near.map(known1 -> ": did you mean " + known1 + "?").orElse("") + help;
        }
        return e.getMessage() + help;
    }
}
