package gantry.server.node;

import gantry.base.Endpoint;
import gantry.control.nameserver.NameserverConfig;
import gantry.server.config.Place;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    private final Parts parts = new Parts();
    private final Map<String, Endpoint> addresses = new LinkedHashMap<>();

    /// Starts parts, and puts where they listen into the server's addresses.
    private interface Start {
        void run(Ground ground, Map<String, Endpoint> addresses) throws StartRefused;
    }

    private Server(String role, Logs logs) {
        this.role = role;
        this.logs = logs;
    }

    /// @param notes what the user should know of his configuration
    public static Server nameserver(Place place, NameserverConfig config, List<String> notes) throws StartRefused {
        return start(
                "nameserver",
                Logs.open(place.logs(), "nameserver"),
                notes,
                (ground, addresses) -> addresses.put("nameserver", NameserverPart.start(ground, place, config)));
    }

    /// @param values of a broker's file and flags
    public static Server broker(Values values) throws StartRefused {
        Place place = Place.ofBroker(values);
        return start(
                "broker",
                Logs.open(place.logs(), "broker"),
                values.notes(),
                (ground, addresses) -> addresses.put("broker", BrokerPart.start(ground, values, List.of())));
    }

    /// @param nameserver where it is
    /// @param values of the broker
    public static Server standalone(Place nameserver, NameserverConfig config, Values values) throws StartRefused {
        Place place = Place.ofBroker(values);
        return start("standalone", Logs.open(place.logs(), "standalone"), values.notes(), (ground, addresses) -> {
            Endpoint routes = NameserverPart.start(ground, nameserver, config);
            addresses.put("nameserver", routes);
            addresses.put("broker", BrokerPart.start(ground, values, List.of(routes)));
        });
    }

    private static Server start(String role, Logs logs, List<String> notes, Start start) throws StartRefused {
        Server server = new Server(role, logs);
        LOG.info("{} starts, process {}", role, ProcessHandle.current().pid());
        notes.forEach(LOG::info);
        boolean started = false;
        try {
            start.run(Ground.make(logs, server.parts), server.addresses);
            started = true;
            LOG.info("{} is ready: {}", role, words(server.addresses));
            return server;
        } catch (StartRefused e) {
            LOG.info(
                    "{} (process {}) does not start: {}",
                    role,
                    ProcessHandle.current().pid(),
                    e.sentence());
            throw e;
        } finally {
            if (!started) {
                server.close();
            }
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
