package gantry.server.config;

import gantry.base.Endpoint;
import gantry.base.Require;
import gantry.replica.member.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// The keys of a broker's place in its replica group.
///
/// For:   the part of the table of keys that says who copies whom, and what a send waits for.
/// Owner: none (immutable).
/// Never: values; `ReplicaSettings` makes a configuration of them.
public final class ReplicaKeys {
    /// What a broker is; RocketMQ's words.
    public enum BrokerRole {
        ASYNC_MASTER,
        SYNC_MASTER,
        SLAVE
    }

    /// The leader and as many followers as a group can have.
    private static final int MOST_MEMBERS = 17;

    private static final String GROUP = "ReplicaConfig";

    private static final Reading<Endpoint> ENDPOINT = new Reading<>("HOST:PORT", Endpoint::parse);

    private static final Reading<SortedSet<Long>> NUMBERS =
            new Reading<>("a list of brokerIds, as in 0,1,2", ReplicaKeys::numbers);

    public static final Key<BrokerRole> ROLE = Keys.broker(
            "brokerRole",
            Reading.oneOf(BrokerRole.class),
            "ASYNC_MASTER",
            GROUP,
            "ASYNC_MASTER: a send is answered when this broker has it; SYNC_MASTER: when one follower has it too, and"
                    + " refused while none is in sync; SLAVE: a follower, which copies its master's log and takes no sends");
    public static final Key<Integer> BROKER_ID = Keys.broker(
            "brokerId",
            Reading.number(0, Integer.MAX_VALUE),
            "0",
            "BrokerConfig",
            "0 for a master; for a SLAVE its number in the group, above 0, another one for each");
    public static final Key<Integer> PORT = Keys.broker(
            "haListenPort",
            Keys.PORT,
            "(listenPort + 1)",
            GROUP,
            "where followers connect, at the address of listenPort; 0 takes a free port");
    public static final Key<Endpoint> LEADER = Keys.broker(
            "haMasterAddress",
            ENDPOINT,
            "(as the nameservers say)",
            GROUP,
            "a follower's master, its host and haListenPort");
    public static final Key<Integer> IN_SYNC = Keys.broker(
            "inSyncReplicas",
            Reading.number(1, MOST_MEMBERS),
            "1",
            GROUP,
            "of a SYNC_MASTER: how many members, it included, have a message before its send is answered; never fewer"
                    + " than 2");
    public static final Key<Integer> LEAST_IN_SYNC = Keys.broker(
            "minInSyncReplicas",
            Reading.number(1, MOST_MEMBERS),
            "1",
            GROUP,
            "as inSyncReplicas; the larger of the two counts, since less is never answered");
    public static final Key<Boolean> LENDS = Keys.broker(
            "slaveReadEnable",
            Reading.SWITCH,
            "true",
            GROUP,
            "a SLAVE lets consumers read, up to what can no longer be taken back");
    public static final Key<String> SECRET = Keys.broker(
            "replicaSecret",
            Reading.TEXT,
            "(made from the names of cluster and broker: keeps out mistakes, and nobody else)",
            GROUP,
            "what the members know each other by, the same in each one's file; 16 bytes at least");
    public static final Key<Path> SECRET_FILE = Keys.broker(
            "replicaSecretFile",
            Reading.FOLDER,
            "(none)",
            GROUP,
            "a file that holds the secret instead, which nobody else should be able to read; a line's end behind it"
                    + " does not count");
    public static final Key<SortedSet<Long>> MEMBERS = Keys.broker(
            "replicaMembers",
            NUMBERS,
            "(whoever proves itself)",
            GROUP,
            "the brokerIds of the group; anybody else is refused, and who is away is shown; our own may be among them");

    public static final Key<Long> COPY_RATE = Keys.broker(
            "replicaCopyBytesPerSecond",
            Reading.bytes(1 << 20, 1L << 40),
            Long.toString(Limits.COPY_BYTES_PER_SECOND),
            GROUP,
            "how fast a master gives copies of its whole log, all followers together, so that sends and reads keep their"
                    + " share of disk and network");

    private static final List<Key<?>> ALL = List.of(
            ROLE, BROKER_ID, PORT, LEADER, IN_SYNC, LEAST_IN_SYNC, LENDS, SECRET, SECRET_FILE, MEMBERS, COPY_RATE);

    private ReplicaKeys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        return ALL;
    }

    private static SortedSet<Long> numbers(String text) {
        SortedSet<Long> all = new TreeSet<>();
        for (String one : text.split("[,;]", -1)) {
            long number = Integer.parseInt(one.strip());
            Require.that(number >= 0, "below 0");
            all.add(number);
        }
        return all;
    }
}
