package gantry.judges.court;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Gantry, started as `./gantry standalone` does, without the launcher.
///
/// For:   the process that users get: the same Java options, the same defaults.
/// Owner: whoever started it closes it.
/// Never: more memory than the launcher gives.
final class GantryPeer implements Peer {
    static final Duration START = Duration.ofMinutes(2);

    private final String name;
    private final Path folder;
    private final Path file;
    private final int nameserverPort;
    private final int brokerPort;
    private final String mounts;
    private Child server;

    GantryPeer(String name, Path folder, Flush flush) throws IOException {
        this(name, folder, flush, folder.resolve(name).resolve("data").resolve("store"));
    }

    /// @param more lines of its configuration
    GantryPeer(String name, Path folder, Flush flush, Path store, String... more) throws IOException {
        this("", name, folder, flush, store, more);
    }

    /// @param mounts what a shell does in a mount namespace of its own before it becomes the server; "" for none
    GantryPeer(String mounts, String name, Path folder, Flush flush, Path store, String... more) throws IOException {
        this.mounts = mounts;
        this.name = name;
        this.folder = Files.createDirectories(folder.resolve(name));
        this.file = Files.writeString(
                this.folder.resolve("gantry.conf"),
                "flushDiskType=" + flush + "_FLUSH\nstorePathRootDir=" + store + "\n" + String.join("\n", more) + "\n");
        // The lowest is the broker's second one, which RocketMQ's slaves ask; behind it two for replication.
        this.nameserverPort = Places.freePorts(5) + 1;
        this.brokerPort = nameserverPort + 1;
        this.server = start();
    }

    private Child start() throws IOException {
        List<String> command = new ArrayList<>();
        if (!mounts.isEmpty()) {
            command.addAll(List.of("unshare", "--mount", "--propagation", "private"));
            command.addAll(List.of("sh", "-ec", mounts + "\nexec \"$@\"", "sh"));
        }
        command.addAll(program());
        command.addAll(List.of(
                "standalone",
                "-c",
                file.toString(),
                "--data-dir",
                folder.resolve("data").toString(),
                "--nameserver-port",
                Integer.toString(nameserverPort),
                "--broker-port",
                Integer.toString(brokerPort)));
        Child child = Child.server(name, command, folder);
        child.awaitWords("ready", START);
        return child;
    }

    /// The start of every Gantry process's command, up to its role.
    static List<String> program() throws IOException {
        return List.of(
                Places.java().toString(),
                "-Xms32m",
                "-Xmx192m",
                "-XX:MaxDirectMemorySize=128m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                "gantry.server.Main");
    }

    private static String classPath() throws IOException {
        Path target = Places.root().resolve(System.getProperty("judge.server", "server/target"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, "gantry-server-*.jar")) {
            return jars.iterator().next() + ":" + target.resolve("lib") + "/*";
        }
    }

    @Override
    public String nameserver() {
        return "127.0.0.1:" + nameserverPort;
    }

    @Override
    public String broker() {
        return "127.0.0.1:" + brokerPort;
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() throws IOException {
        server = start();
    }

    @Override
    public int terminate(Duration atMost) {
        server.terminate();
        Integer code = server.awaitExit(atMost);
        if (code == null) {
            throw new AssertionError("the server is still alive after " + atMost + server.errorTail());
        }
        return code;
    }

    @Override
    public void close() {
        server.close();
    }
}
