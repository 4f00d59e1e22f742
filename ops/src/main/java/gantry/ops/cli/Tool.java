package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What all commands have in common: nameservers, a client, an output form, one sentence when it fails.
///
/// For:   keeping commands to what they are about.
/// Owner: the main thread.
/// Never: a stack trace for a peer that does not answer.
public abstract class Tool implements Callable<Integer> {
    /// How long one question may take, all nameservers together.
    static final Duration PATIENCE = Duration.ofSeconds(5);

    static final int DONE = 0;
    static final int FAILED = 1;

    enum Form {
        table,
        json
    }

    @Option(
            names = {"-n", "--namesrvAddr"},
            paramLabel = "HOST:PORT;…",
            defaultValue = "${env:NAMESRV_ADDR:-127.0.0.1:9876}",
            description = "the nameservers (${DEFAULT-VALUE})")
    private String nameservers = "";

    private Form form = Form.table;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "table",
            description = "table for people, json for scripts (${DEFAULT-VALUE})")
    @SuppressWarnings("UnusedMethod") // picocli calls it
    private void output(List<String> values) {
        for (String value : values) {
            if (!takesAsItsOwn(value)) {
                form = form(value);
            }
        }
    }

    private Form form(String value) {
        try {
            return Form.valueOf(value);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "-o " + value + " is not table or json", e);
        }
    }

    /// For the few commands of mqadmin whose own `-o` is something else: true when `value` is that.
    boolean takesAsItsOwn(String value) {
        return false;
    }

    /// @return the exit code
    abstract int run(RemotingClient client, Routes routes) throws CallFailed;

    @Override
    public Integer call() {
        List<Endpoint> addresses = addresses();
        try (RemotingClient client = RemotingClient.open()) {
            int code = run(client, new Routes(client, addresses));
            out().flush();
            return code;
        } catch (CallFailed e) {
            out().flush();
            spec.commandLine().getErr().println("gantry: " + e.sentence());
            spec.commandLine().getErr().flush();
            return FAILED;
        }
    }

    List<Endpoint> addresses() {
        try {
            return Arrays.stream(nameservers.split(";"))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .map(Endpoint::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "-n: " + e.getMessage(), e);
        }
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /// A remark for people; scripts get none.
    void say(String sentence) {
        if (form == Form.table) {
            out().println(sentence);
        }
    }

    void show(Table table) {
        out().print(form == Form.json ? table.toJson() : table.toText());
        out().flush();
    }
}
