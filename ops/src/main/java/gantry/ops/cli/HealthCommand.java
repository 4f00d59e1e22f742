package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.CallFailed;
import gantry.client.RemotingClient;
import gantry.client.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// `./gantry health`: asks every nameserver and every broker it knows, and says one sentence for each.
///
/// For:   people who want to know whether all is well, and scripts that read the exit code.
/// Owner: the main thread.
/// Never: takes an open port for a healthy part; each has to answer.
@picocli.CommandLine.Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = {
            "Asks every nameserver, and every broker that one of them knows, whether it serves.",
            "The exit code is 0 only when all do."
        })
public final class HealthCommand extends Tool {
    /// How long one part may take to answer.
    private static final Duration EACH = Duration.ofSeconds(2);

    private boolean allWell = true;

    @Override
    int run(RemotingClient client, Routes routes) {
        Table table = new Table("part", "address", "health", "why, and what to do");
        Map<String, String> brokers = new TreeMap<>();
        List<Endpoint> nameservers = addresses();
        for (Endpoint nameserver : nameservers) {
            askNameserver(client, nameserver, table, brokers);
        }
        brokers.forEach((address, name) -> askBroker(client, name, address, table));
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

    private void askNameserver(RemotingClient client, Endpoint nameserver, Table table, Map<String, String> brokers) {
        try {
            Command answer = client.callOk(nameserver, Command.request(RequestCodes.GET_BROKER_CLUSTER_INFO), EACH);
            ClusterInfo clusters = ClusterInfo.fromJson(Json.read(answer.body()));
            for (BrokerAddresses broker : clusters.brokers().values()) {
                broker.addresses().forEach((id, address) -> brokers.put(address, broker.brokerName() + "/" + id));
            }
            table.row(
                    "nameserver",
                    nameserver,
                    "well",
                    "knows " + clusters.brokers().size() + " broker(s)");
        } catch (CallFailed e) {
            bad(
                    table,
                    "nameserver",
                    nameserver.toString(),
                    e.sentence() + ": is it started, and is the address right?");
        } catch (JsonFault e) {
            bad(table, "nameserver", nameserver.toString(), "its answer cannot be read: " + e.sentence());
        }
    }

    private void askBroker(RemotingClient client, String name, String address, Table table) {
        try {
            Command answer =
                    client.callOk(Endpoint.parse(address), Command.request(RequestCodes.GET_BROKER_RUNTIME_INFO), EACH);
            Map<String, String> status =
                    KeyValueTable.fromJson(Json.read(answer.body())).table();
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
        } catch (CallFailed e) {
            bad(
                    table,
                    "broker " + name,
                    address,
                    e.sentence() + ": the nameserver still knows it; is the process there, and does it hang?");
        } catch (JsonFault e) {
            bad(table, "broker " + name, address, "its answer cannot be read: " + e.sentence());
        }
    }

    private void bad(Table table, String part, String address, String why) {
        allWell = false;
        table.row(part, address, "NOT WELL", why);
    }
}
