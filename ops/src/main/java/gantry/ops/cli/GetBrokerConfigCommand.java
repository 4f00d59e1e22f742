package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.JsonFault;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `getBrokerConfig`: the settings that are in force.
///
/// For:   what a broker really does, whatever its file says.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "getBrokerConfig",
        mixinStandardHelpOptions = true,
        description = "Shows the settings of a broker, or of every master of a cluster.")
final class GetBrokerConfigCommand extends BrokersCommand {
    @Mixin
    private final Masters masters = new Masters();

    @Option(
            names = {"-k", "--key"},
            description = "this setting alone")
    private @Nullable String key;

    @Override
    List<Endpoint> brokers(Routes routes) throws CallFailed {
        return masters.find(routes);
    }

    @Override
    Command request() {
        return Command.request(RequestCodes.GET_BROKER_CONFIG);
    }

    @Override
    Table table() {
        return new Table("broker", "key", "value");
    }

    @Override
    void rows(Table table, Endpoint broker, Command answer) throws JsonFault {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(new String(answer.body(), StandardCharsets.UTF_8)));
        } catch (IOException | IllegalArgumentException e) {
            throw JsonFault.of("it is no list of key=value lines: " + e.getMessage());
        }
        TreeMap<String, String> sorted = new TreeMap<>();
        lines.forEach((name, value) -> sorted.put(name.toString(), value.toString()));
        sorted.forEach((name, value) -> {
            if (key == null || key.equals(name)) {
                table.row(broker, name, value);
            }
        });
    }
}
