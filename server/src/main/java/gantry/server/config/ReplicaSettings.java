package gantry.server.config;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import gantry.server.config.Keys.FlushDiskType;
import gantry.server.config.ReplicaKeys.BrokerRole;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// From values to a broker's place in its replica group.
///
/// For:   the component "ReplicaConfig" in the table of keys.
/// Owner: none (stateless).
/// Never: a secret in a sentence.
public final class ReplicaSettings {
    private static final String NO_SECRET = "gantry replica group without a secret: ";

    private ReplicaSettings() {}

    /// @param group the broker's name
    /// @param standalone the process has its own nameserver; then there is a group only if some key speaks of it
    /// @return empty when nobody can follow this broker
    static Optional<ReplicaConfig> of(Values values, String group, boolean standalone) throws StartRefused {
        BrokerRole role = values.of(ReplicaKeys.ROLE);
        long id = values.of(ReplicaKeys.BROKER_ID);
        checkNumber(values, role, id);
        if (standalone && !isSpokenOf(values) && values.find(LegacyKeys.SLAVES).isEmpty()) {
            return Optional.empty();
        }
        String cluster = values.of(Keys.CLUSTER);
        // Only to have the names checked now, in the same words.
        Identity _ = new Identity(cluster, group, id, 0);
        Promise promise = promise(values, role);
        SortedSet<Long> members = new TreeSet<>(values.find(ReplicaKeys.MEMBERS).orElse(new TreeSet<>()));
        members.remove(id);
        checkMembers(values, promise, members);
        Optional<Endpoint> leader = values.find(ReplicaKeys.LEADER);
        boolean copies = values.find(LegacyKeys.MASTER).isPresent();
        if (role == BrokerRole.SLAVE
                && !copies
                && leader.isEmpty()
                && !standalone
                && values.find(Keys.NAMESERVERS).isEmpty()) {
            throw new StartRefused("brokerRole=SLAVE (" + values.source()
                    + ") does not know where its master is: set namesrvAddr, -n, or haMasterAddress.");
        }
        return Optional.of(new ReplicaConfig(
                role == BrokerRole.SLAVE ? ReplicaRole.FOLLOWER : ReplicaRole.LEADER,
                promise,
                trust(values, cluster, group),
                Limits.DEFAULTS.copying(values.of(ReplicaKeys.COPY_RATE)),
                members,
                new Endpoint(Place.ofBroker(values).listen().host(), port(values)),
                leader,
                values.of(ReplicaKeys.LENDS) && !copies));
    }

    /// Where followers connect: RocketMQ's rule, unless it is set.
    static int port(Values values) throws StartRefused {
        Optional<Integer> set = values.find(ReplicaKeys.PORT);
        if (set.isPresent()) {
            return set.get();
        }
        int clients = values.of(Keys.LISTEN_PORT);
        return clients == 0 || clients == 65_535 ? 0 : clients + 1;
    }

    /// What an operator should know although the broker starts: one sentence each.
    public static List<String> warnings(Values values, BrokerConfig config) throws StartRefused {
        if (config.replica().isEmpty()) {
            return List.of();
        }
        ReplicaConfig replica = config.replica().get();
        List<String> all = new ArrayList<>(LegacySettings.warnings(config));
        if (hasSecret(values)) {
            SecretFile.warning(values).ifPresent(all::add);
        } else if (!isLoopback(replica.listen().host())) {
            all.add("replication has no secret of its own: whoever reaches " + replica.listen() + " and knows the"
                    + " names of cluster and broker can copy every message. Set replicaSecret or replicaSecretFile,"
                    + " the same on every member");
        }
        int wanted = Math.max(values.of(ReplicaKeys.IN_SYNC), values.of(ReplicaKeys.LEAST_IN_SYNC));
        if (wanted > 1 && values.of(ReplicaKeys.ROLE) == BrokerRole.ASYNC_MASTER) {
            all.add("inSyncReplicas and minInSyncReplicas have no effect with brokerRole=ASYNC_MASTER: sends are "
                    + replica.promise().words() + ". Set brokerRole=SYNC_MASTER to have them wait for followers");
        }
        return all;
    }

    private static void checkNumber(Values values, BrokerRole role, long id) throws StartRefused {
        if (role == BrokerRole.SLAVE && id == 0) {
            throw new StartRefused("brokerRole=SLAVE (" + values.source()
                    + ") needs a brokerId above 0, another one for each follower of the group.");
        }
        if (role != BrokerRole.SLAVE && id != 0) {
            throw new StartRefused("brokerId=" + id + " (" + values.source() + ") is a follower's: a master has"
                    + " brokerId=0, and a follower brokerRole=SLAVE.");
        }
    }

    private static Promise promise(Values values, BrokerRole role) throws StartRefused {
        return Promise.of(
                role == BrokerRole.SYNC_MASTER,
                values.of(Keys.FLUSH) == FlushDiskType.SYNC_FLUSH,
                values.of(ReplicaKeys.IN_SYNC),
                values.of(ReplicaKeys.LEAST_IN_SYNC));
    }

    private static void checkMembers(Values values, Promise promise, SortedSet<Long> others) throws StartRefused {
        int most = Limits.DEFAULTS.maxMembers();
        if (others.size() > most) {
            throw new StartRefused("replicaMembers (" + values.source() + ") names " + others.size()
                    + " others; a group has " + most + " followers at most.");
        }
        if (!others.isEmpty() && promise.members() > others.size() + 1) {
            throw new StartRefused("A send would wait for " + promise.members() + " members (brokerRole,"
                    + " inSyncReplicas, minInSyncReplicas), and replicaMembers (" + values.source() + ") names "
                    + (others.size() + 1) + " with this one: no send could ever be answered.");
        }
    }

    private static boolean isSpokenOf(Values values) throws StartRefused {
        for (Key<?> key : ReplicaKeys.all()) {
            if (values.find(key).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasSecret(Values values) throws StartRefused {
        return values.find(ReplicaKeys.SECRET).isPresent()
                || values.find(ReplicaKeys.SECRET_FILE).isPresent();
    }

    private static Trust trust(Values values, String cluster, String group) throws StartRefused {
        if (!hasSecret(values)) {
            return Trust.bySecret((NO_SECRET + cluster + "/" + group).getBytes(StandardCharsets.UTF_8));
        }
        byte[] secret = SecretFile.secret(values);
        if (secret.length < Trust.MIN_SECRET_BYTES) {
            throw new StartRefused("The replication secret ("
                    + values.find(ReplicaKeys.SECRET_FILE).map(String::valueOf).orElse(values.source()) + ") has "
                    + secret.length + " bytes, it needs " + Trust.MIN_SECRET_BYTES
                    + " at least: openssl rand -hex 32 makes a good one.");
        }
        return Trust.bySecret(secret);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // The start says so when it cannot listen there.
            return false;
        }
    }
}
