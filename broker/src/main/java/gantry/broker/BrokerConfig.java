package gantry.broker;

import gantry.base.Endpoint;
import gantry.base.Require;
import gantry.broker.delay.DelayLevels;
import gantry.broker.legacy.LegacyConfig;
import gantry.broker.pull.PullConfig;
import gantry.broker.register.RegistrationConfig;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.send.SendConfig;
import gantry.broker.topic.CatalogueConfig;
import gantry.store.StoreConfig;
import gantry.wire.body.Permission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Everything an operator may set of one broker.
///
/// For:   handing each part its own settings.
/// Owner: none (immutable).
/// Never: addresses that are only known once the broker listens.
///
/// @param brokerId        0 is the master
/// @param advertisedHost  the host under which clients reach this broker (`brokerIP1`)
/// @param haPort          where replicas would reach it (`haListenPort`)
/// @param nameservers     `namesrvAddr`
/// @param snapshotPeriod  between exports of the folded state to `config/` (`flushConsumerOffsetInterval`)
/// @param hotLogBytes     a new group starts at a queue's beginning when the whole log is at most this long
/// @param replica         how it takes part in a replica group; empty: it stands alone
/// @param legacy          with which RocketMQ brokers it speaks their own replication protocol
public record BrokerConfig(
        CatalogueConfig catalogue,
        SendConfig send,
        PullConfig pull,
        StoreConfig store,
        long brokerId,
        String advertisedHost,
        int haPort,
        List<Endpoint> nameservers,
        Duration registrationPeriod,
        Duration snapshotPeriod,
        long hotLogBytes,
        Optional<ReplicaConfig> replica,
        LegacyConfig legacy) {
    public static final Duration DEFAULT_SNAPSHOT_PERIOD = Duration.ofSeconds(5);
    public static final long DEFAULT_HOT_LOG_BYTES = 4L << 30;

    public BrokerConfig {
        nameservers = List.copyOf(nameservers);
        Require.that(!advertisedHost.isBlank(), "brokerIP1 must not be empty");
        Require.that(haPort >= 0 && haPort <= 65_535, "haListenPort is " + haPort + ", it must be between 0 and 65535");
        Require.that(snapshotPeriod.isPositive(), "flushConsumerOffsetInterval must be positive");
    }

    /// A master with every setting at its default.
    public static BrokerConfig named(
            String clusterName, String brokerName, String advertisedHost, List<Endpoint> nameservers) {
        return new BrokerConfig(
                new CatalogueConfig(brokerName, clusterName, true, true, 8),
                new SendConfig(
                        SendConfig.DEFAULT_MOST_BODY_BYTES, Permission.READ_WRITE, clusterName, DelayLevels.DEFAULT),
                new PullConfig(
                        Permission.READ_WRITE,
                        PullConfig.DEFAULT_MOST_MESSAGES,
                        PullConfig.DEFAULT_MOST_BYTES,
                        PullConfig.DEFAULT_HOT_MESSAGES,
                        PullConfig.DEFAULT_LONGEST_WAIT),
                StoreConfig.DEFAULT,
                0,
                advertisedHost,
                10_912,
                nameservers,
                RegistrationConfig.DEFAULT_PERIOD,
                DEFAULT_SNAPSHOT_PERIOD,
                DEFAULT_HOT_LOG_BYTES,
                Optional.empty(),
                LegacyConfig.NONE);
    }

    public BrokerConfig withStore(StoreConfig other) {
        return with(other, brokerId, haPort, replica, legacy);
    }

    /// @param number its `brokerId`
    /// @param port its `haListenPort`
    public BrokerConfig withNumber(long number, int port) {
        return with(store, number, port, replica, legacy);
    }

    /// As a member of a replica group.
    ///
    /// @param id 0 is the leader as configured
    public BrokerConfig inGroup(long id, ReplicaConfig as) {
        return with(store, id, haPort, Optional.of(as), legacy);
    }

    public BrokerConfig withLegacy(LegacyConfig other) {
        return with(store, brokerId, haPort, replica, other);
    }

    private BrokerConfig with(
            StoreConfig otherStore, long number, int port, Optional<ReplicaConfig> as, LegacyConfig otherLegacy) {
        return new BrokerConfig(
                catalogue,
                send,
                pull,
                otherStore,
                number,
                advertisedHost,
                port,
                nameservers,
                registrationPeriod,
                snapshotPeriod,
                hotLogBytes,
                as,
                otherLegacy);
    }

    /// @param haAddress where followers connect
    RegistrationConfig registration(Endpoint address, Endpoint haAddress) {
        return new RegistrationConfig(
                nameservers,
                catalogue.clusterName(),
                catalogue.brokerName(),
                brokerId,
                address.toString(),
                haAddress.toString(),
                registrationPeriod,
                RegistrationConfig.DEFAULT_BEAT,
                RegistrationConfig.DEFAULT_PROMISE,
                RegistrationConfig.DEFAULT_PATIENCE);
    }
}
