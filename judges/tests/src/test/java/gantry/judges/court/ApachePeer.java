package gantry.judges.court;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Apache's own nameserver and broker.
///
/// For:   proving the judges (what fails here is asked too much), and store directories that are opened on both sides.
/// Owner: whoever started it closes it.
/// Never: large files, unless `more` says so.
final class ApachePeer implements Peer {
    private static final Duration START = Duration.ofMinutes(5);

    private static final String NO_LOGS = "<configuration><root level=\"WARN\"/></configuration>\n";

    private final ServerVersion version;
    private final Path folder;
    private final String nameserverAddress;
    private final int brokerPort;
    private final @Nullable Child nameserver;
    private Child broker;
    private final Path brokerFile;

    ApachePeer(ServerVersion version, String name, Path folder, Flush flush, Path store, String... more)
            throws IOException {
        this("", version, name, folder, flush, store, more);
    }

    /// @param others the nameserver of others; empty for one of its own
    ApachePeer(String others, ServerVersion version, String name, Path folder, Flush flush, Path store, String... more)
            throws IOException {
        this.version = version;
        this.folder = Files.createDirectories(folder.resolve(name));
        // Without these the old servers do not start.
        Path conf = Files.createDirectories(this.folder.resolve("conf"));
        Files.writeString(conf.resolve("logback_broker.xml"), NO_LOGS);
        Files.writeString(conf.resolve("logback_namesrv.xml"), NO_LOGS);
        int nameserverPort = Places.freePorts(1);
        this.nameserverAddress = others.isEmpty() ? "127.0.0.1:" + nameserverPort : others;
        Path nameserverFile =
                Files.writeString(this.folder.resolve("nameserver.conf"), "listenPort=" + nameserverPort + "\n");
        // Its second listener is two below, its replication one above.
        this.brokerPort = Places.freePorts(4) + 2;
        this.brokerFile = Files.writeString(this.folder.resolve("broker.conf"), """
                brokerClusterName=judges
                brokerName=judged
                brokerId=0
                brokerIP1=127.0.0.1
                listenPort=%d
                haListenPort=%d
                storePathRootDir=%s
                storePathCommitLog=%s
                mappedFileSizeCommitLog=16777216
                mappedFileSizeConsumeQueue=600000
                flushDiskType=%s_FLUSH
                diskMaxUsedSpaceRatio=99
                %s
                """.formatted(
                        brokerPort, brokerPort + 1, store, store.resolve("commitlog"), flush, String.join("\n", more)));
        this.nameserver = others.isEmpty()
                ? start("nameserver", "org.apache.rocketmq.namesrv.NamesrvStartup", "-c", nameserverFile.toString())
                : null;
        try {
            this.broker = startBroker();
        } catch (IOException e) {
            closeNameserver();
            throw e;
        }
    }

    private Child startBroker() throws IOException {
        return start(
                "broker", "org.apache.rocketmq.broker.BrokerStartup", "-c", brokerFile.toString(), "-n", nameserver());
    }

    private Child start(String role, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Places.java().toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // 4.9 lets its mapped files go by a private method, and does not start again on a store without it.
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
                "-Drocketmq.home.dir=" + folder,
                "-Duser.home=" + Files.createDirectories(folder.resolve(role + "-home")),
                "-cp",
                version.classPath(),
                main));
        command.addAll(List.of(arguments));
        Child child = Child.server(role, command, folder);
        child.awaitWords("boot success", START);
        return child;
    }

    @Override
    public String nameserver() {
        return nameserverAddress;
    }

    @Override
    public String broker() {
        return "127.0.0.1:" + brokerPort;
    }

    @Override
    public long pid() {
        return broker.pid();
    }

    @Override
    public void kill() {
        broker.kill();
    }

    @Override
    public void restart() throws IOException {
        broker = startBroker();
    }

    @Override
    public int terminate(Duration atMost) {
        broker.terminate();
        Integer code = broker.awaitExit(atMost);
        if (code == null) {
            throw new AssertionError("Apache's broker is still alive after " + atMost + broker.errorTail());
        }
        return code;
    }

    @Override
    public void close() {
        broker.close();
        closeNameserver();
    }

    private void closeNameserver() {
        if (nameserver != null) {
            nameserver.close();
        }
    }
}
