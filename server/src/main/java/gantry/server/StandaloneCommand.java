package gantry.server;

import gantry.server.config.AdminKeys;
import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.NameserverSettings;
import gantry.server.config.Place;
import gantry.server.config.ReplicaKeys;
import gantry.server.config.Role;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `gantry standalone`: a nameserver and a broker in one process.
///
/// For:   the flags of the role.
/// Owner: the main thread.
@Command(
        name = "standalone",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "A nameserver and a broker in one process, the place to begin.")
final class StandaloneCommand implements Callable<Integer> {
    @Option(names = "--data-dir", paramLabel = "DIR", description = "everything this process writes (./data)")
    private @Nullable String dataDir;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "the address to listen on (127.0.0.1)")
    private @Nullable String host;

    @Option(names = "--nameserver-port", paramLabel = "PORT", description = "9876; 0 takes a free one")
    private @Nullable String nameserverPort;

    @Option(names = "--broker-port", paramLabel = "PORT", description = "10911; 0 takes a free one")
    private @Nullable String brokerPort;

    @Option(names = "-c", paramLabel = "FILE", description = "a broker's properties file, beneath these flags")
    private @Nullable Path file;

    @Option(names = "--ha-port", paramLabel = "PORT", description = "followers may connect here; 0 takes a free one")
    private @Nullable String haPort;

    @Option(names = "--grpc-port", paramLabel = "PORT", description = "no effect yet: there is no gRPC")
    private @Nullable Integer grpcPort;

    @Option(
            names = {"--console-port", "--admin-port"},
            paramLabel = "PORT",
            description = "health and metrics by HTTP, later the console too (8082); 0 takes a free one")
    private @Nullable String adminPort;

    @Override
    public Integer call() throws StartRefused {
        Values broker = Values.of(
                Role.BROKER,
                file == null ? ConfigFile.NONE : ConfigFile.read(file),
                List.of(
                        new Flag("--data-dir", Keys.DATA_DIR, dataDir),
                        new Flag("--host", Keys.BIND_ADDRESS, host),
                        new Flag("--broker-port", Keys.LISTEN_PORT, brokerPort),
                        new Flag("--ha-port", ReplicaKeys.PORT, haPort),
                        new Flag("--admin-port", AdminKeys.PORT, adminPort)));
        // What a file says about folder and address holds for the whole process.
        Place ofBroker = Place.ofBroker(broker);
        String address = broker.find(Keys.BIND_ADDRESS).orElse(null);
        Values nameserver = Values.of(
                Role.NAMESERVER,
                ConfigFile.NONE,
                List.of(
                        new Flag(
                                ofBroker.key(),
                                Keys.NAMESERVER_DATA_DIR,
                                ofBroker.data().toString()),
                        new Flag("bindAddress", Keys.NAMESERVER_BIND_ADDRESS, address),
                        new Flag("--nameserver-port", Keys.NAMESERVER_PORT, nameserverPort)));
        withoutEffect("--grpc-port", grpcPort);
        return Roles.serve(
                Server.standalone(Place.ofNameserver(nameserver), NameserverSettings.of(nameserver), broker),
                broker.notes());
    }

    private static void withoutEffect(String flag, @Nullable Integer value) {
        if (value != null) {
            System.out.println(flag + " has no effect yet: this part is not there yet.");
        }
    }
}
