package gantry.server.config;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.delay.DelayLevels;
import gantry.broker.legacy.LegacyConfig;
import gantry.broker.pull.PullConfig;
import gantry.broker.send.SendConfig;
import gantry.broker.topic.CatalogueConfig;
import gantry.store.Durability;
import gantry.store.IndexConfig;
import gantry.store.IntegrityConfig;
import gantry.store.RetentionConfig;
import gantry.store.StoreConfig;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// From values to the broker's and the store's configuration.
///
/// For:   the components "BrokerConfig" and "StoreConfig" in the table of keys.
/// Owner: none (stateless).
public final class BrokerSettings {
    /// What can change while the broker runs: how long messages are kept, and how full the disk may become.
    private static final Set<Key<?>> CHANGEABLE = Set.of(
            Keys.RESERVED_HOURS,
            Keys.DELETE_WHEN,
            Keys.MAX_LOG_BYTES,
            Keys.EXPIRED_SHARE,
            Keys.CLEAN_FORCIBLY,
            Keys.FORCED_SHARE,
            Keys.REFUSED_SHARE,
            Keys.ENOUGH_FREE,
            Keys.RESERVE);

    /// What a stored record has besides its body: properties, topic, fixed fields.
    private static final int RECORD_SLACK_BYTES = 64 * 1024;

    private BrokerSettings() {}

    /// @param hostName stands in for a missing `brokerName`
    /// @param advertised the literal address that clients are told
    /// @param more nameservers in this process, besides those of the file
    public static BrokerConfig of(Values values, String hostName, String advertised, List<Endpoint> more)
            throws StartRefused {
        String cluster = values.of(Keys.CLUSTER);
        String group = values.find(Keys.BROKER_NAME).orElse(hostName);
        List<Endpoint> nameservers = new ArrayList<>(more);
        nameservers.addAll(values.find(Keys.NAMESERVERS).orElse(List.of()));
        LegacyConfig legacy = LegacySettings.of(values);
        if (legacy.master().isPresent()) {
            // Nobody is to come to a copy: the master is in its place.
            nameservers.clear();
        }
        try {
            return new BrokerConfig(
                    new CatalogueConfig(
                            group,
                            cluster,
                            values.of(Keys.AUTO_CREATE_TOPIC),
                            values.of(Keys.AUTO_CREATE_GROUP),
                            values.of(Keys.TOPIC_QUEUES)),
                    new SendConfig(
                            values.of(Keys.MAX_MESSAGE_BYTES),
                            values.of(Keys.PERMISSION),
                            cluster,
                            DelayLevels.parse(values.of(Keys.DELAY_LEVELS))),
                    new PullConfig(
                            values.of(Keys.PERMISSION),
                            values.of(Keys.PULL_MESSAGES),
                            values.of(Keys.PULL_BYTES),
                            PullConfig.DEFAULT_LONGEST_WAIT),
                    store(values),
                    values.of(ReplicaKeys.BROKER_ID),
                    advertised,
                    ReplicaSettings.port(values),
                    nameservers,
                    millis(values.of(Keys.REGISTER_PERIOD)),
                    millis(values.of(Keys.SNAPSHOT_PERIOD)),
                    BrokerConfig.DEFAULT_HOT_LOG_BYTES,
                    ReplicaSettings.of(values, group, !more.isEmpty()),
                    legacy);
        } catch (IllegalArgumentException e) {
            throw new StartRefused(e.getMessage() + " (" + values.source() + ").", e);
        }
    }

    /// The host that clients are told; `BrokerPart` makes a literal address of it.
    public static String advertisedHost(Values values, Place place) throws StartRefused {
        String host = values.find(Keys.BROKER_IP).orElse(place.listen().host());
        if (host.equals("0.0.0.0") || host.equals("::")) {
            throw new StartRefused("Clients cannot be told the address " + host
                    + ": with such a bindAddress set brokerIP1 to the address under which they reach this machine.");
        }
        return host;
    }

    private static StoreConfig store(Values values) throws StartRefused {
        StoreConfig usual = StoreConfig.DEFAULT;
        Durability durability = switch (values.of(Keys.FLUSH)) {
            case ASYNC_FLUSH -> Durability.WRITTEN;
            case SYNC_FLUSH -> Durability.SYNCED;
        };
        return usual.withSegmentBytes(values.of(Keys.SEGMENT_BYTES))
                .withQueueFileBytes(values.of(Keys.QUEUE_FILE_BYTES))
                .withDurability(durability)
                .withIntegrity(integrity(values))
                .withTimes(
                        millis(values.of(Keys.SYNC_TIMEOUT)),
                        millis(values.of(Keys.FLUSH_INTERVAL)),
                        usual.checkpointInterval())
                .withLimits(
                        values.of(Keys.MAX_MESSAGE_BYTES) + RECORD_SLACK_BYTES,
                        usual.maxUnsyncedBytes(),
                        usual.maxUnflushedEntries())
                .withIndex(new IndexConfig(
                        values.of(Keys.INDEX), values.of(Keys.INDEX_SLOTS), values.of(Keys.INDEX_ENTRIES)))
                .withRetention(retention(values));
    }

    private static IntegrityConfig integrity(Values values) throws StartRefused {
        return IntegrityConfig.DEFAULT
                .withScrub(values.of(Keys.SCRUB_RATE))
                .withSeals(values.of(Keys.SEALS))
                .withRecordCrc(values.of(Keys.RECORD_CRC));
    }

    /// How long messages are kept, and how full the disk may become.
    public static RetentionConfig retention(Values values) throws StartRefused {
        try {
            return read(values);
        } catch (IllegalArgumentException e) {
            throw new StartRefused(e.getMessage() + " (" + values.source() + ").", e);
        }
    }

    /// The same values, some of them changed while the broker runs.
    ///
    /// @param where the changes come from, for sentences
    public static Values changed(Values values, Map<String, String> changes, String where) throws StartRefused {
        Values next = values.with(changes, where);
        for (String name : changes.keySet()) {
            boolean changeable = CHANGEABLE.stream().anyMatch(key -> key.name().equals(name));
            if (!changeable
                    && !Objects.equals(next.texts().get(name), values.texts().get(name))) {
                throw new StartRefused(name + " needs a restart: set it in the broker's file. While the broker runs"
                        + " these can change: "
                        + CHANGEABLE.stream().map(Key::name).sorted().collect(Collectors.joining(", ")) + ".");
            }
        }
        return next;
    }

    /// Every key with its value in force, but no secret.
    public static SortedMap<String, String> shown(Values values, BrokerConfig config) {
        SortedMap<String, String> all = new TreeMap<>(values.texts());
        all.remove(ReplicaKeys.SECRET.name());
        all.put(Keys.BROKER_NAME.name(), config.catalogue().brokerName());
        all.put(Keys.BROKER_IP.name(), config.advertisedHost());
        all.put(ReplicaKeys.PORT.name(), Integer.toString(config.haPort()));
        return all;
    }

    private static RetentionConfig read(Values values) throws StartRefused {
        return RetentionConfig.DEFAULT
                .keeping(Duration.ofHours(values.of(Keys.RESERVED_HOURS)), values.of(Keys.MAX_LOG_BYTES))
                .deletingAt(values.of(Keys.DELETE_WHEN), ZoneId.systemDefault())
                .withShares(
                        values.of(Keys.EXPIRED_SHARE),
                        values.of(Keys.FORCED_SHARE),
                        values.of(Keys.REFUSED_SHARE),
                        values.of(Keys.CLEAN_FORCIBLY))
                .withFreeBytes(values.of(Keys.ENOUGH_FREE), values.of(Keys.RESERVE));
    }

    private static Duration millis(int millis) {
        return Duration.ofMillis(millis);
    }
}
