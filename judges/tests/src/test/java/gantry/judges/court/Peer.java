package gantry.judges.court;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The server under judgement: a nameserver and a broker, in one process or two, with a data directory.
///
/// For:   starting, killing and restarting it on the same ports and the same directory.
/// Owner: whoever started it closes it.
/// Never: an answer about messages; that is asked of a judge.
public interface Peer extends AutoCloseable {
    /// What `SEND_OK` must mean.
    enum Flush {
        ASYNC,
        SYNC
    }

    /// Starts what `judge.target` names.
    static Peer start(String name, Path folder, Flush flush) throws IOException {
        return isGantry()
                ? new GantryPeer(name, folder, flush)
                : new ApachePeer(
                        ServerVersion.NEW,
                        name,
                        folder,
                        flush,
                        folder.resolve(name).resolve("store"));
    }

    /// Apache's servers on a store directory of any origin, with small files.
    ///
    /// @param more lines of the broker's configuration
    static Peer apache(ServerVersion version, String name, Path folder, Flush flush, Path store, String... more)
            throws IOException {
        return new ApachePeer(version, name, folder, flush, store, more);
    }

    /// As above, registered with the nameserver of somebody else: a slave of its broker.
    static Peer apacheSlave(
            ServerVersion version, String name, Path folder, Path store, Peer master, int brokerId, String... more)
            throws IOException {
        List<String> lines = new ArrayList<>(List.of("brokerRole=SLAVE", "brokerId=" + brokerId));
        lines.addAll(List.of(more));
        return new ApachePeer(
                master.nameserver(), version, name, folder, Flush.ASYNC, store, lines.toArray(String[]::new));
    }

    /// Gantry on a store directory of any origin; of sizes it is told nothing.
    static Peer gantry(String name, Path folder, Flush flush, Path store, String... more) throws IOException {
        return new GantryPeer(name, folder, flush, store, more);
    }

    /// Gantry behind file systems of its own; its process's `/proc/PID/root` leads to them.
    ///
    /// @param mounts commands of a shell that mount them
    static Peer gantryBehind(String mounts, String name, Path folder, Flush flush, Path store, String... more)
            throws IOException {
        return new GantryPeer(mounts, name, folder, flush, store, more);
    }

    /// Whether this machine lets us mount.
    static boolean mayMount() throws IOException, InterruptedException {
        return new ProcessBuilder("unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt")
                        .redirectErrorStream(true)
                        .start()
                        .waitFor()
                == 0;
    }

    /// Some promises are ours alone.
    static boolean isGantry() {
        return switch (System.getProperty("judge.target", "gantry")) {
            case "gantry" -> true;
            case "apache" -> false;
            default -> throw new IllegalStateException("judge.target is gantry or apache");
        };
    }

    /// Its address for clients.
    String nameserver();

    /// The broker's own address.
    String broker();

    /// The process that holds the messages.
    long pid();

    /// SIGKILL to the process that holds the messages.
    void kill();

    /// Starts it again where it was.
    void restart() throws IOException;

    /// SIGTERM.
    ///
    /// @return the exit code
    /// @throws AssertionError when it is still alive after `atMost`
    int terminate(Duration atMost);

    @Override
    void close();
}
