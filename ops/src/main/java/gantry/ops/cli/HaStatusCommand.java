package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.route.Routes;
import gantry.wire.body.HaStatus;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Mixin;

/// `haStatus`: how far each slave has copied its master's log.
///
/// For:   the first look at a replica group; `gantry health` says what to do.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "haStatus",
        mixinStandardHelpOptions = true,
        description = {
            "Shows a master and the slaves that copy it, or a slave and its master (-b):",
            "how far each has copied, when its log was compared last, what is rotten in the",
            "answering broker's log, and what became of the last comparison of topics, groups",
            "and offsets (told by a master, made by each slave: ask it with -b).",
            "gantry health says what is wrong with a member, and what to do."
        })
final class HaStatusCommand extends BrokersCommand {
    @Mixin
    private final Masters masters = new Masters();

    @Override
    List<Endpoint> brokers(Routes routes) throws CallFailed {
        return masters.find(routes);
    }

    @Override
    Command request() {
        return Command.request(RequestCodes.GET_BROKER_HA_STATUS);
    }

    @Override
    Table table() {
        return new Table(
                "broker",
                "role",
                "logEnd",
                "peer",
                "peerLogOffset",
                "behindBytes",
                "inSync",
                "heard",
                "compared",
                "rotten",
                "state");
    }

    @Override
    void rows(Table table, Endpoint broker, Command answer) throws JsonFault {
        HaStatus status = HaStatus.fromJson(Json.read(answer.body()));
        String rotten =
                status.checks().map(own -> Integer.toString(own.rotten())).orElse("-");
        String state = status.checks().map(HaStatusCommand::state).orElse("-");
        if (status.client().isPresent()) {
            HaStatus.Client self = status.client().get();
            table.row(
                    broker,
                    "slave",
                    self.end(),
                    self.masterAddr().isEmpty() ? "its master is not known" : self.masterAddr(),
                    self.masterEnd(),
                    Math.max(0, self.masterEnd() - self.end()),
                    "-",
                    self.heardMillis() > 0 ? Instant.ofEpochMilli(self.heardMillis()) : "never",
                    "-",
                    rotten,
                    state);
        } else if (status.slaves().isEmpty()) {
            table.row(
                    broker,
                    "master",
                    status.masterEnd(),
                    "no slave is connected",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    rotten,
                    state);
        }
        for (HaStatus.Slave slave : status.slaves()) {
            table.row(
                    broker,
                    "master",
                    status.masterEnd(),
                    slave.addr(),
                    slave.acknowledged(),
                    slave.behind(),
                    slave.inSync(),
                    "-",
                    slave.walk().map(HaStatusCommand::compared).orElse("-"),
                    rotten,
                    state);
        }
    }

    /// When the last comparison of the whole log ended, and how far the one under way is.
    static String compared(HaStatus.Walk walk) {
        StringBuilder words = new StringBuilder(
                walk.endedMillis() > 0
                        ? Instant.ofEpochMilli(walk.endedMillis()).toString()
                        : "never");
        if (walk.at() >= 0) {
            words.append(", now at ").append(walk.at()).append(" of ").append(walk.goesTo());
        }
        if (walk.rotten() > 0) {
            words.append(", ").append(walk.rotten()).append(" found rotten there");
        }
        if (walk.differing() > 0) {
            words.append(", ").append(walk.differing()).append(" differ");
        }
        return words.toString();
    }

    static String state(HaStatus.Checks own) {
        return own.missing().isEmpty() ? outcome(own) : outcome(own) + "; not compared: " + own.missing();
    }

    private static String outcome(HaStatus.Checks own) {
        if (own.stateAt() < 0) {
            return "not compared yet";
        }
        return (own.parts().isEmpty() ? own.state() : String.join(", ", own.parts()) + " differ") + " at "
                + own.stateAt();
    }
}
