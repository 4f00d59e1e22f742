package gantry.judges.court;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A nameserver, a leader and a follower of Gantry, each a process, set up as an operator sets up a master and a slave.
///
/// For:   killing either member and starting it again on the same ports and the same folder.
/// Owner: whoever made it closes it.
/// Never: an answer about messages; that is asked of a judge.
public final class GantryPair implements AutoCloseable {
    /// One of the two brokers.
    public final class Member {
        private final String name;
        private final int brokerId;
        private final int port;
        private @Nullable Child process;

        private Member(String name, int brokerId, int port) {
            this.name = name;
            this.brokerId = brokerId;
            this.port = port;
        }

        public String address() {
            return "127.0.0.1:" + port;
        }

        /// @param role SYNC_MASTER, ASYNC_MASTER or SLAVE
        public void start(String role) throws IOException {
            begin(role);
            awaitReady();
        }

        private void begin(String role) throws IOException {
            process = spawn(
                    name,
                    "broker",
                    "brokerClusterName=judged",
                    "brokerName=pair",
                    "brokerId=" + brokerId,
                    "brokerRole=" + role,
                    "namesrvAddr=" + nameserver(),
                    "brokerIP1=127.0.0.1",
                    "listenPort=" + port,
                    "haListenPort=" + (port + 1),
                    "adminPort=0",
                    "mappedFileSizeCommitLog=16777216",
                    "storePathRootDir=" + folder.resolve(name).resolve("store"));
        }

        private void awaitReady() throws IOException {
            if (process != null) {
                process.awaitWords("ready", GantryPeer.START);
            }
        }

        /// SIGKILL; returns when it is gone.
        public void kill() {
            if (process != null) {
                process.kill();
                process = null;
            }
        }
    }

    private final Path folder;
    private final int nameserverPort;
    private final Child nameserver;
    private final Member leader;
    private final Member follower;

    private GantryPair(Path folder) throws IOException {
        this.folder = folder;
        int ports = Places.freePorts(5);
        this.nameserverPort = ports;
        this.leader = new Member("leader", 0, ports + 1);
        this.follower = new Member("follower", 1, ports + 3);
        this.nameserver = spawn(
                "nameserver", "nameserver", "listenPort=" + ports, "adminPort=0", "dataDir=" + folder.resolve("ns"));
        nameserver.awaitWords("ready", GantryPeer.START);
    }

    /// The nameserver alone; its members are started by the test.
    public static GantryPair open(Path folder) throws IOException {
        return new GantryPair(folder);
    }

    private Child spawn(String name, String role, String... lines) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path file = Files.writeString(home.resolve("gantry.conf"), String.join("\n", lines) + "\n");
        List<String> command = new ArrayList<>(GantryPeer.program());
        // What is compiled best is not worth its cost to a process that lives for seconds.
        command.add(1, "-XX:TieredStopAtLevel=1");
        command.addAll(List.of(role, "-c", file.toString()));
        return Child.server(name, command, home);
    }

    /// Both members.
    public void start(String leaderRole) throws IOException {
        leader.begin(leaderRole);
        follower.begin("SLAVE");
        leader.awaitReady();
        follower.awaitReady();
    }

    /// Its address for clients.
    public String nameserver() {
        return "127.0.0.1:" + nameserverPort;
    }

    public Member leader() {
        return leader;
    }

    public Member follower() {
        return follower;
    }

    @Override
    public void close() {
        leader.kill();
        follower.kill();
        nameserver.close();
    }
}
