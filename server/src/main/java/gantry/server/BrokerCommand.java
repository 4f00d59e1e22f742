package gantry.server;

import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.Role;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.server.node.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `gantry broker`.
///
/// For:   the flags of the role.
/// Owner: the main thread.
@Command(name = "broker", mixinStandardHelpOptions = true, description = "A broker of its own.")
final class BrokerCommand implements Callable<Integer> {
    @Option(names = "-c", paramLabel = "FILE", description = "a properties file; docs/configuration.md has the keys")
    private @Nullable Path file;

    @Option(names = "-n", paramLabel = "LIST", description = "nameservers, HOST:PORT;HOST:PORT; wins over namesrvAddr")
    private @Nullable String nameservers;

    @Override
    public Integer call() throws StartRefused {
        Values values = Values.of(
                Role.BROKER,
                file == null ? ConfigFile.NONE : ConfigFile.read(file),
                List.of(new Values.Flag("-n", Keys.NAMESERVERS, nameservers)));
        return Roles.serve(Server.broker(values), values.notes());
    }
}
