package gantry.sim.net;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.base.Network.Acceptor;
import gantry.base.Network.ListenFailed;
import gantry.base.Network.Listener;
import gantry.sim.Life;
import gantry.sim.SimScheduler;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The cables between simulated machines.
///
/// For:   who can reach whom, which connections exist, and breaking both.
/// Owner: the scheduler's thread.
/// Never: the meaning of bytes.
public final class SimNet {
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 65_535;

    /// A port that somebody listens on.
    record Door(Life life, Acceptor acceptor) {}

    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final Life fabric = new Life("net", 0);
    private Weather weather;
    /// Machines without power neither answer nor refuse.
    private final TreeSet<String> dark = new TreeSet<>();
    /// `from>to` of paths that let nothing through for now.
    private final TreeSet<String> blocked = new TreeSet<>();

    private final Map<Endpoint, Door> doors = new TreeMap<>(Comparator.comparing(Endpoint::toString));
    private final TreeMap<Long, SimLink> links = new TreeMap<>();
    private long nextLink = 1;
    private int nextPort = FIRST_PORT;

    public SimNet(SimScheduler scheduler, Weather weather) {
        this.scheduler = scheduler;
        this.weather = weather;
        this.random = scheduler.fork("network");
    }

    public Network network(Life life) {
        return new SimNetwork(this, life);
    }

    public void weather(Weather next) {
        weather = next;
    }

    /// Where somebody listens now.
    public List<Endpoint> listening() {
        return List.copyOf(doors.keySet());
    }

    /// How many ends of connections exist.
    public int openEnds() {
        return links.size();
    }

    // ---- faults

    /// From now on nothing gets from `from` to `to`; what is sent waits.
    public void block(String from, String to) {
        blocked.add(from + ">" + to);
    }

    /// Everything flows again, what waited first.
    public void unblockAll() {
        blocked.clear();
        for (SimLink link : List.copyOf(links.values())) {
            link.out().flow();
            link.in().flow();
        }
    }

    /// One open connection goes silent for good in one direction or both; nobody is told.
    public void silenceOne() {
        if (!links.isEmpty()) {
            SimLink link = anyLink();
            scheduler.note("silenced " + link.local() + " -> " + link.remote());
            link.out().die();
            if (random.nextBoolean()) {
                link.in().die();
            }
        }
    }

    /// One open connection is reset in the middle of whatever is under way; both ends learn it in their own time.
    public void resetOne() {
        if (!links.isEmpty()) {
            SimLink link = anyLink();
            scheduler.note("reset " + link.local() + " -> " + link.remote());
            reset(link.out());
            reset(link.in());
        }
    }

    private void reset(Pipe pipe) {
        pipe.breakOff(upTo(pipe.size()), "connection reset");
    }

    private SimLink anyLink() {
        return List.copyOf(links.values()).get(random.nextInt(links.size()));
    }

    /// The process of `life` has ended and its machine lives on: the machine closes its connections.
    public void processEnded(Life life) {
        for (SimLink link : linksOf(life)) {
            reset(link.out());
            forget(link);
        }
        doors.values().removeIf(door -> door.life == life);
    }

    /// The machine of `life` has lost power: silence.
    public void powerLost(Life life) {
        dark.add(life.host());
        for (SimLink link : linksOf(life)) {
            link.out().die();
            forget(link);
        }
        doors.values().removeIf(door -> door.life == life);
    }

    /// The machine runs again. Whoever has sent to what it was before gets a reset, in time.
    public void powerBack(String host) {
        dark.remove(host);
        for (SimLink link : List.copyOf(links.values())) {
            if (link.remote().host().equals(host) && link.out().size() > 0) {
                link.out().flow();
            }
        }
    }

    // ---- for dials, links and pipes

    SimScheduler scheduler() {
        return scheduler;
    }

    Weather weather() {
        return weather;
    }

    /// The life that network events belong to while they are in nobody's machine.
    public Life fabric() {
        return fabric;
    }

    long delay() {
        return weather.delay(random);
    }

    /// How many of `size` bytes arrive in one piece: at least one.
    int pieceOf(int size) {
        return random.nextInt(weather.cutOneIn()) == 0 ? 1 + random.nextInt(size) : size;
    }

    int upTo(int most) {
        return random.nextInt(most + 1);
    }

    boolean reaches(String from, String to) {
        return !blocked.contains(from + ">" + to) && !dark.contains(from) && !dark.contains(to);
    }

    /// True when the pipe's next piece cannot go; somebody calls `flow` again when that changes.
    boolean stopped(Pipe pipe) {
        SimLink from = pipe.from();
        SimLink to = pipe.to();
        if (dark.contains(to.local().host())
                || blocked.contains(from.local().host() + ">" + to.local().host())) {
            return true;
        }
        if (!to.life().alive()) {
            if (pipe.size() > 0 && from.doom()) {
                long later = delay() + random.nextLong(2 * SimScheduler.SECOND);
                scheduler.after(
                        later,
                        from.life(),
                        "reset by a machine that knows no such connection",
                        () -> from.end("connection reset"));
            }
            return true;
        }
        return to.choked();
    }

    SimLink newLink(Life life, Endpoint local, Endpoint remote) {
        return new SimLink(this, nextLink++, life, local, remote, random.nextBoolean());
    }

    void remember(SimLink link) {
        links.put(link.id(), link);
    }

    void forget(SimLink link) {
        links.remove(link.id());
    }

    private List<SimLink> linksOf(Life life) {
        return links.values().stream().filter(link -> link.life() == life).toList();
    }

    Endpoint ownEndpoint(Life life) {
        return new Endpoint(life.host(), freePort(life.host()));
    }

    private int freePort(String host) {
        int port;
        do {
            port = nextPort;
            nextPort = port == LAST_PORT ? FIRST_PORT : port + 1;
        } while (doors.containsKey(new Endpoint(host, port)));
        return port;
    }

    @Nullable
    Door door(Endpoint there) {
        return doors.get(there);
    }

    Listener listen(Life life, Endpoint here, Acceptor acceptor) throws ListenFailed {
        if (!here.host().equals(life.host()) && !here.host().equals("0.0.0.0")) {
            throw failed(here, "is not an address of this machine");
        }
        Endpoint real = new Endpoint(life.host(), here.port() == 0 ? freePort(life.host()) : here.port());
        Door door = new Door(life, acceptor);
        if (doors.putIfAbsent(real, door) != null) {
            throw failed(here, "is taken");
        }
        return new Listener() {
            @Override
            public Endpoint local() {
                return real;
            }

            @Override
            public void close() {
                doors.remove(real, door);
            }
        };
    }

    private static ListenFailed failed(Endpoint here, String why) {
        return new ListenFailed("cannot listen on " + here + ": it " + why, new IllegalStateException(why));
    }
}
