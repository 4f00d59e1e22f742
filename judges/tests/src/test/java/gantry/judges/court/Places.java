package gantry.judges.court;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// Where things lie on this machine: what was built, the Java to run it with, free ports.
///
/// For:   starting processes.
/// Owner: none; any thread.
/// Never: a path or a port that is written down.
final class Places {
    private static final int TRIES = 100;
    private static final int FIRST_PORT = 20_000;
    private static final int FIRST_OUTGOING_PORT = 32_768;

    /// Nobody asks for more at once.
    private static final int MOST_NEIGHBOURS = 16;

    /// How many ports were given, from somewhere on: other runs on this machine begin elsewhere.
    private static final AtomicInteger GIVEN =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST_OUTGOING_PORT));

    private Places() {}

    static Path root() {
        return Path.of(System.getProperty("judge.root", "../.."))
                .toAbsolutePath()
                .normalize();
    }

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// The folder of jars that a module has gathered.
    static Path lib(String module) {
        Path lib = root().resolve(module).resolve("target/lib");
        if (!Files.isDirectory(lib)) {
            throw new IllegalStateException(lib + " is missing: build with mvn verify -pl judges/tests -am");
        }
        return lib;
    }

    /// The first of `count` neighbouring ports that are free now, and are not of those that Linux gives to outgoing
    /// connections: one of these would be taken before a server that is still starting comes to it.
    ///
    /// No port is given twice in a row of thousands: who got one before may not have come to it yet.
    static int freePorts(int count) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int first = FIRST_PORT
                    + Math.floorMod(GIVEN.getAndAdd(count), FIRST_OUTGOING_PORT - MOST_NEIGHBOURS - FIRST_PORT);
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new IOException("no " + count + " neighbouring ports are free");
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(loopback(port));
            } catch (IOException _) {
                return false;
            }
        }
        return true;
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
