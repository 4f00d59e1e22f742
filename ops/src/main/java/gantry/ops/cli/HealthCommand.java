package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// `./gantry health`: asks every nameserver and every broker it knows, and says one sentence for each.
///
/// For:   people who want to know whether all is well, and scripts that read the exit code.
/// Owner: the main thread.
/// Never: takes an open port for a healthy part, each has to answer; longer than five seconds, however many hang.
@picocli.CommandLine.Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = {
            "Asks every nameserver, and every broker that one of them knows, whether it serves.",
            "-n takes nameservers only (port 9876 unless set otherwise); a broker is found through them.",
            "The exit code is 0 only when all do."
        })
public final class HealthCommand extends Tool {
    /// How long all nameservers together may take, and then all brokers together.
    private static final Duration EACH = Duration.ofSeconds(2);

    private boolean allWell = true;

    @Override
    int run(RemotingClient client, Routes routes) {
        Table table = new Table("part", "address", "health", "why, and what to do");
        Map<String, String> brokers = new TreeMap<>();
        Survey.ask(client, addresses(), Command.request(RequestCodes.GET_BROKER_CLUSTER_INFO), EACH)
                .forEach((address, said) -> nameserver(table, address, said, brokers));
        Map<Endpoint, String> known = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        brokers.forEach((address, name) -> known.put(Endpoint.parse(address), name));
        Survey.ask(client, known.keySet(), Command.request(RequestCodes.GET_BROKER_RUNTIME_INFO), EACH)
                .forEach((address, said) -> broker(table, known.getOrDefault(address, "?"), address, said));
        if (allWell && brokers.isEmpty()) {
            bad(
                    table,
                    "broker",
                    "-",
                    "no broker is registered: start one with ./gantry broker -n HOST:PORT, or look why it does not reach"
                            + " the nameserver");
        }
        show(table);
        return allWell ? DONE : FAILED;
    }

    private void nameserver(Table table, Endpoint address, Survey.Said said, Map<String, String> brokers) {
        switch (said) {
            case Survey.Said.Answer answer -> {
                try {
                    ClusterInfo clusters =
                            ClusterInfo.fromJson(Json.read(answer.command().body()));
                    for (BrokerAddresses broker : clusters.brokers().values()) {
                        broker.addresses().forEach((id, at) -> brokers.put(at, broker.brokerName() + "/" + id));
                    }
                    table.row(
                            "nameserver",
                            address,
                            "well",
                            "knows " + clusters.brokers().size() + " broker(s)");
                } catch (JsonFault e) {
                    bad(table, "nameserver", address, "its answer cannot be read: " + e.sentence());
                }
            }
            case Survey.Said.Nothing nothing ->
                bad(table, "nameserver", address, nothing.sentence() + ": is it started, and is the address right?");
            case Survey.Said.Refusal refusal ->
                bad(
                        table,
                        "nameserver",
                        address,
                        refusal.code() == ResponseCodes.REQUEST_CODE_NOT_SUPPORTED
                                ? "it answers, but is no nameserver; a broker, maybe: give -n a nameserver's address"
                                        + " (port 9876 unless set otherwise)"
                                : refusal.sentence());
        }
    }

    private void broker(Table table, String name, Endpoint address, Survey.Said said) {
        switch (said) {
            case Survey.Said.Answer answer -> {
                try {
                    state(
                            table,
                            name,
                            address,
                            KeyValueTable.fromJson(Json.read(answer.command().body()))
                                    .table());
                } catch (JsonFault e) {
                    bad(table, "broker " + name, address, "its answer cannot be read: " + e.sentence());
                }
            }
            case Survey.Said.Refusal refusal -> bad(table, "broker " + name, address, refusal.sentence());
            case Survey.Said.Nothing nothing ->
                bad(
                        table,
                        "broker " + name,
                        address,
                        nothing.sentence()
                                + ": the nameserver still knows it; is the process there, and does it hang?");
        }
    }

    private void state(Table table, String name, Endpoint address, Map<String, String> status) {
        String state = status.getOrDefault("gantry.state", "serving");
        if (state.equals("serving")) {
            table.row("broker " + name, address, "well", "serving for " + status.getOrDefault("runtime", "?"));
        } else {
            bad(
                    table,
                    "broker " + name,
                    address,
                    state + ": " + status.getOrDefault("gantry.stateReason", "see the broker's log"));
        }
        members(table, name, status);
    }

    /// A line for each member of its group that this broker knows of; the broker knows the next step.
    private void members(Table table, String name, Map<String, String> status) {
        boolean follows = "follower".equals(status.get("gantry.replica.role"));
        for (String member : status.getOrDefault("gantry.replica.members", "").split(",", -1)) {
            String prefix = "gantry.replica.member." + member + ".";
            String state = status.get(prefix + "state");
            if (state == null) {
                continue;
            }
            String part = "broker " + name + (follows ? ": its master" : ": follower " + member);
            String address = status.getOrDefault(prefix + "address", "-");
            String how = state + " (lag " + status.getOrDefault(prefix + "lagBytes", "unknown") + " bytes, "
                    + status.getOrDefault(prefix + "lagSeconds", "unknown") + " s; heard "
                    + status.getOrDefault(prefix + "heardSecondsAgo", "never") + " s ago)";
            if ("true".equals(status.get(prefix + "well"))) {
                table.row(part, address, "well", how);
            } else {
                bad(table, part, address, how + ": " + status.getOrDefault(prefix + "next", "see the broker's log"));
            }
        }
    }

    private void bad(Table table, String part, Object address, String why) {
        allWell = false;
        table.row(part, address, "NOT WELL", why);
    }
}
