package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.json.JsonFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Asks some brokers the same, all at once.
///
/// For:   the commands whose rows are what each broker says; one that is away does not hide the others.
/// Owner: the main thread.
abstract class BrokersCommand extends Tool {
    /// @return at least one
    abstract List<Endpoint> brokers(Routes routes) throws CallFailed;

    abstract Command request();

    abstract Table table();

    /// Adds what one broker said.
    abstract void rows(Table table, Endpoint broker, Command answer) throws JsonFault;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = table();
        List<String> failed = new ArrayList<>();
        Map<Endpoint, Survey.Said> all = Survey.ask(client, brokers(routes), request(), PATIENCE);
        all.forEach((broker, said) -> {
            switch (said) {
                case Survey.Said.Answer answer -> {
                    try {
                        rows(table, broker, answer.command());
                    } catch (JsonFault e) {
                        failed.add("the answer of " + broker + " cannot be read: " + e.sentence());
                    }
                }
                case Survey.Said.Refusal refusal -> failed.add(broker + ": " + refusal.sentence());
                case Survey.Said.Nothing nothing ->
                    failed.add(broker + ": " + nothing.sentence()
                            + "; is that broker started, does it hang, and is the address right?");
            }
        });
        show(table);
        if (!failed.isEmpty()) {
            throw CallFailed.because(String.join("\n", failed));
        }
        return DONE;
    }
}
