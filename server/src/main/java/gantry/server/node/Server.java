package gantry.server.node;

import gantry.base.Endpoint;
import gantry.control.nameserver.NameserverConfig;
import gantry.server.config.AdminPlace;
import gantry.server.config.Place;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of one role, started and serving.
///
/// For:   starting all parts of a role or none, and ending them together.
/// Owner: whoever started it.
/// Never: flags and files; those have become records before.
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final String role;
    private final Logs logs;
    private final Parts parts;
    private final Map<String, Endpoint> addresses = new LinkedHashMap<>();

    /// Starts parts, and puts where they listen into the server's addresses.
    private interface Start {
        void run(Ground ground, Map<String, Endpoint> addresses) throws StartRefused;
    }

    /// A folder that a part of this process needs for itself.
    private record Claim(String part, Place place) {
        void take(Parts parts) throws StartRefused {
            DataFolder folder = DataFolder.open(place.data(), part, place.key());
            parts.add(Parts.Layer.FOLDER, "the folder " + folder.path(), folder::close);
        }
    }

    private Server(String role, Logs logs, Parts parts) {
        this.role = role;
        this.logs = logs;
        this.parts = parts;
    }

    /// @param peers other nameservers, or all
    /// @param notes what the user should know of his configuration
    public static Server nameserver(
            Place place, NameserverConfig config, List<Endpoint> peers, AdminPlace admin, List<String> notes)
            throws StartRefused {
        return start(
                "nameserver", place.logs(), List.of(new Claim("nameserver", place)), notes, (ground, addresses) -> {
                    NameserverPart nameserver = NameserverPart.start(ground, place, config, peers);
                    addresses.put("nameserver", nameserver.address());
                    AdminPart.start(ground, admin, ground.watching("nameserver", nameserver, null), addresses);
                });
    }

    /// @param values of a broker's file and flags
    public static Server broker(Values values) throws StartRefused {
        Place place = Place.ofBroker(values);
        return start(
                "broker", place.logs(), List.of(new Claim("broker", place)), values.notes(), (ground, addresses) -> {
                    BrokerPart broker = BrokerPart.start(ground, values, List.of(), addresses);
                    AdminPart.start(
                            ground, AdminPlace.ofBroker(values), ground.watching("broker", null, broker), addresses);
                });
    }

    /// @param nameserver where it is
    /// @param values of the broker
    public static Server standalone(Place nameserver, NameserverConfig config, Values values) throws StartRefused {
        Place place = Place.ofBroker(values);
        List<Claim> claims = List.of(new Claim("nameserver", nameserver), new Claim("broker", place));
        return start("standalone", place.logs(), claims, values.notes(), (ground, addresses) -> {
            NameserverPart routes = NameserverPart.start(ground, nameserver, config.withItsBroker(), List.of());
            addresses.put("nameserver", routes.address());
            BrokerPart broker = BrokerPart.start(ground, values, List.of(routes.address()), addresses);
            AdminPart.start(
                    ground, AdminPlace.ofBroker(values), ground.watching("standalone", routes, broker), addresses);
        });
    }

    /// The folders come before the log: who is refused one must not write into the log of the process that has it.
    private static Server start(String role, Path logFolder, List<Claim> claims, List<String> notes, Start start)
            throws StartRefused {
        Parts parts = new Parts();
        @Nullable Server server = null;
        boolean started = false;
        try {
            for (Claim claim : claims) {
                claim.take(parts);
            }
            server = new Server(role, Logs.open(logFolder, role), parts);
            server.run(notes, start);
            started = true;
            return server;
        } finally {
            if (!started && server != null) {
                server.close();
            } else if (!started) {
                parts.stop(ProcessEnd.STOP_LIMIT);
            }
        }
    }

    private void run(List<String> notes, Start start) throws StartRefused {
        LOG.info("{} starts, process {}", role, ProcessHandle.current().pid());
        notes.forEach(LOG::info);
        try {
            start.run(Ground.make(logs, parts), addresses);
            LOG.info("{} is ready: {}", role, words(addresses));
        } catch (StartRefused e) {
            LOG.info(
                    "{} (process {}) does not start: {}",
                    role,
                    ProcessHandle.current().pid(),
                    e.sentence());
            throw e;
        }
    }

    public String role() {
        return role;
    }

    /// Where each part really listens, by the part's name.
    public Map<String, Endpoint> addresses() {
        return Collections.unmodifiableMap(addresses);
    }

    /// From now on SIGTERM or SIGINT ends the process, cleanly within ten seconds or with a code that says otherwise.
    public void endOnSignal() {
        ProcessEnd.onSignal(this::stop, logs);
    }

    /// Stops everything, for whoever runs a server inside its own process.
    @Override
    public void close() {
        stop();
        logs.close();
    }

    private Parts.Outcome stop() {
        Parts.Outcome outcome = parts.stop(ProcessEnd.STOP_LIMIT);
        switch (outcome) {
            case Parts.Outcome.Clean _ ->
                LOG.info(
                        "{} has stopped cleanly, process {}",
                        role,
                        ProcessHandle.current().pid());
            case Parts.Outcome.Failed failed ->
                LOG.error("{} has stopped, but not cleanly: {}", role, String.join(", ", failed.parts()));
            case Parts.Outcome.Hung hung ->
                LOG.error("{} ends although its part \"{}\" did not stop in time", role, hung.part());
        }
        return outcome;
    }

    private static String words(Map<String, Endpoint> addresses) {
        return addresses.entrySet().stream()
                .map(each -> each.getKey() + " at " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}
