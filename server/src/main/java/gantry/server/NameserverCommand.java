package gantry.server;

import gantry.server.config.AdminPlace;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.NameserverSettings;
import gantry.server.config.Place;
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

/// `gantry nameserver`.
///
/// For:   the flags of the role.
/// Owner: the main thread.
@Command(name = "nameserver", mixinStandardHelpOptions = true, description = "A nameserver of its own.")
final class NameserverCommand implements Callable<Integer> {
    @Option(names = "-c", paramLabel = "FILE", description = "a properties file; docs/configuration.md has the keys")
    private @Nullable Path file;

    @Override
    public Integer call() throws StartRefused {
        Values values = Values.of(Role.NAMESERVER, file == null ? ConfigFile.NONE : ConfigFile.read(file), List.of());
        return Roles.serve(
                Server.nameserver(
                        Place.ofNameserver(values),
                        NameserverSettings.of(values),
                        values.find(Keys.NAMESERVER_PEERS).orElse(List.of()),
                        AdminPlace.ofNameserver(values),
                        values.notes()),
                values.notes());
    }
}
