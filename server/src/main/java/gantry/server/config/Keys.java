package gantry.server.config;

import static gantry.server.config.Role.BROKER;
import static gantry.server.config.Role.NAMESERVER;

import gantry.base.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The keys that have an effect: RocketMQ's under their own names, and ours.
///
/// For:   saying once what a key is called, what may stand there, and whom it feeds.
/// Owner: none (immutable).
/// Never: values; those are in `Values`.
public final class Keys {
    /// How hard an acknowledgement is.
    public enum FlushDiskType {
        ASYNC_FLUSH,
        SYNC_FLUSH
    }

    static final Reading<Integer> PORT = Reading.number(0, 65_535);
    private static final Reading<Integer> MILLIS = Reading.number(1, 3_600_000);

    // Who this broker is, and where.
    public static final Key<String> CLUSTER = broker(
            "brokerClusterName", Reading.TEXT, "DefaultCluster", "BrokerConfig", "the cluster this broker belongs to");
    public static final Key<String> BROKER_NAME = broker(
            "brokerName", Reading.TEXT, "(the host's name)", "BrokerConfig", "the name of this broker's replica set");
    public static final Key<Integer> LISTEN_PORT =
            broker("listenPort", PORT, "10911", "ServerConfig", "where clients connect; 0 takes a free port");
    public static final Key<String> BIND_ADDRESS = broker(
            "bindAddress",
            Reading.TEXT,
            "(brokerIP1, or else 127.0.0.1)",
            "ServerConfig",
            "the address to listen on; nothing listens beyond loopback unless this or brokerIP1 says so");
    public static final Key<String> BROKER_IP = broker(
            "brokerIP1",
            Reading.TEXT,
            "(bindAddress)",
            "BrokerConfig",
            "the address that clients are told; differs from bindAddress behind a NAT");
    public static final Key<List<Endpoint>> NAMESERVERS = broker(
            "namesrvAddr",
            Reading.ENDPOINTS,
            "(none)",
            "BrokerConfig",
            "the nameservers to register with, all of them");
    public static final Key<Integer> REGISTER_PERIOD = broker(
            "registerNameServerPeriod",
            Reading.number(1_000, 60_000),
            "30000",
            "BrokerConfig",
            "milliseconds between two full registrations");

    // Where things lie.
    public static final Key<Path> DATA_DIR = broker(
            "dataDir", Reading.FOLDER, "(./data)", "ServerConfig", "the folder of everything this broker writes");
    public static final Key<Path> STORE_PATH = broker(
            "storePathRootDir", Reading.FOLDER, "(dataDir/store)", "ServerConfig", "the store: RocketMQ's layout");
    public static final Key<Path> COMMIT_LOG_PATH = broker(
            "storePathCommitLog",
            Reading.ONE_FOLDER,
            "(storePathRootDir/commitlog)",
            "ServerConfig",
            "the commit log, if it should lie on another disk than the rest of the store; a log in several folders has to be"
                    + " brought into one first");
    public static final Key<Path> LOG_PATH = broker(
            "logDir",
            Reading.FOLDER,
            "(dataDir/logs; storePathRootDir/logs when only that is given)",
            "ServerConfig",
            "the folder of the program's own log files, which are bounded");

    // The store.
    public static final Key<FlushDiskType> FLUSH = broker(
            "flushDiskType",
            Reading.oneOf(FlushDiskType.class),
            "ASYNC_FLUSH",
            "StoreConfig",
            "SYNC_FLUSH: an acknowledged message survives a loss of power; ASYNC_FLUSH: it survives the end of this"
                    + " process, and a loss of power takes what is younger than flushIntervalCommitLog");
    public static final Key<Integer> SYNC_TIMEOUT = broker(
            "syncFlushTimeout",
            MILLIS,
            "5000",
            "StoreConfig",
            "milliseconds a send waits for the disk under SYNC_FLUSH before it is answered FLUSH_DISK_TIMEOUT");
    public static final Key<Integer> FLUSH_INTERVAL = broker(
            "flushIntervalCommitLog", MILLIS, "500", "StoreConfig", "milliseconds between two syncs under ASYNC_FLUSH");
    public static final Key<Long> SEGMENT_BYTES = broker(
            "mappedFileSizeCommitLog",
            Reading.bytes(64 * 1024L, 1 << 30),
            "1073741824",
            "StoreConfig",
            "size of one file of the commit log; a store keeps the size it was made with");
    public static final Key<Long> QUEUE_FILE_BYTES = broker(
            "mappedFileSizeConsumeQueue",
            Reading.bytes(20, 1 << 30),
            "6000000",
            "StoreConfig",
            "size of one file of a consume queue, a multiple of 20; a store keeps the size it was made with");
    public static final Key<Boolean> INDEX = broker(
            "messageIndexEnable",
            Reading.SWITCH,
            "true",
            "StoreConfig",
            "messages are indexed by unique key and KEYS; false: key queries are refused");
    public static final Key<Integer> INDEX_SLOTS = broker(
            "maxHashSlotNum",
            Reading.number(1, 100_000_000),
            "5000000",
            "StoreConfig",
            "hash slots of an index file; a store keeps the number it was made with");
    public static final Key<Integer> INDEX_ENTRIES = broker(
            "maxIndexNum",
            Reading.number(2, 100_000_000),
            "20000000",
            "StoreConfig",
            "entries of an index file; a store keeps the number it was made with");
    public static final Key<Long> SCRUB_RATE = broker(
            "scrubBytesPerSecond",
            Reading.bytes(0, 1 << 30),
            "4194304",
            "StoreConfig",
            "how fast old messages are read again, once a day, to find what has changed on disk; 0 never");
    public static final Key<Boolean> SEALS = broker(
            "sealCommitLog",
            Reading.SWITCH,
            "true",
            "StoreConfig",
            "blocks of the commit log get checksums, in the folder gantryseals beside it, so that any bit that changes"
                    + " later is noticed");
    public static final Key<Boolean> RECORD_CRC = broker(
            "enabledAppendPropCRC",
            Reading.SWITCH,
            "false",
            "StoreConfig",
            "each stored message ends in the property __CRC32#, as RocketMQ 5 writes it; consumers see it too");
    public static final Key<Integer> MAX_MESSAGE_BYTES = broker(
            "maxMessageSize",
            Reading.number(1_024, 12 * 1024 * 1024),
            "4194304",
            "BrokerConfig",
            "largest body of a message, in bytes");

    // What is kept, and what happens when the disk is nearly full; docs/disk.md.
    public static final Key<Integer> RESERVED_HOURS = broker(
            "fileReservedTime",
            Reading.number(1, 87_600),
            "72",
            "StoreConfig",
            "hours after which a file of the commit log may go, counted from its last message");
    public static final Key<Set<Integer>> DELETE_WHEN = broker(
            "deleteWhen",
            Reading.HOURS,
            "04",
            "StoreConfig",
            "hours of the day, in this machine's time zone, in which expired files go");
    public static final Key<Long> MAX_LOG_BYTES = broker(
            "maxCommitLogBytes",
            Reading.bytes(0, 1L << 50),
            "0",
            "StoreConfig",
            "size of the commit log above which its oldest files go, expired or not; 0 for no limit");
    public static final Key<Double> EXPIRED_SHARE = broker(
            "diskMaxUsedSpaceRatio",
            Reading.SHARE,
            "75",
            "StoreConfig",
            "used share of the disk above which expired files go at any hour");
    public static final Key<Boolean> CLEAN_FORCIBLY = broker(
            "cleanFileForciblyEnable",
            Reading.SWITCH,
            "true",
            "StoreConfig",
            "files that are not expired go for want of space, oldest first, before sends are refused");
    public static final Key<Double> FORCED_SHARE = broker(
            "diskSpaceCleanForciblyRatio",
            Reading.SHARE,
            "85",
            "StoreConfig",
            "used share of the disk above which files go that are not expired");
    public static final Key<Double> REFUSED_SHARE = broker(
            "diskSpaceWarningLevelRatio",
            Reading.SHARE,
            "90",
            "StoreConfig",
            "used share of the disk above which sends are refused");
    public static final Key<Long> ENOUGH_FREE = broker(
            "diskSpaceEnoughBytes",
            Reading.bytes(0, 1L << 50),
            "10737418240",
            "StoreConfig",
            "with so many bytes free none of the three used shares counts");
    public static final Key<Long> RESERVE = broker(
            "diskSpaceReserveBytes",
            Reading.bytes(0, 1L << 40),
            "67108864",
            "StoreConfig",
            "free bytes below which sends are refused, kept for the broker's own state; below four times as much the"
                    + " oldest files go");

    // Topics and groups.
    public static final Key<Boolean> AUTO_CREATE_TOPIC = broker(
            "autoCreateTopicEnable", Reading.SWITCH, "true", "BrokerConfig", "a send to an unknown topic makes it");
    public static final Key<Integer> TOPIC_QUEUES = broker(
            "defaultTopicQueueNums",
            Reading.number(1, 1_024),
            "8",
            "BrokerConfig",
            "most queues of a topic that a send makes");
    public static final Key<Boolean> AUTO_CREATE_GROUP = broker(
            "autoCreateSubscriptionGroup",
            Reading.SWITCH,
            "true",
            "BrokerConfig",
            "a heartbeat of an unknown consumer group makes it");
    public static final Key<Integer> PERMISSION = broker(
            "brokerPermission",
            Reading.number(0, 7),
            "6",
            "BrokerConfig",
            "what clients may do with this broker: 4 read, 2 write, 6 both");

    public static final Key<String> DELAY_LEVELS = broker(
            "messageDelayLevel",
            Reading.TEXT,
            "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h",
            "BrokerConfig",
            "how long a message of each delay level waits; redelivery uses them too");
    public static final Key<Integer> PULL_MESSAGES = broker(
            "maxTransferCountOnMessageInMemory",
            Reading.number(1, 1_024),
            "32",
            "BrokerConfig",
            "most messages in the answer to one pull");
    public static final Key<Integer> PULL_BYTES = broker(
            "maxTransferBytesOnMessageInMemory",
            Reading.number(1_024, 8 * 1024 * 1024),
            "262144",
            "BrokerConfig",
            "most bytes in the answer to one pull, unless its first message alone is larger");
    public static final Key<Integer> SNAPSHOT_PERIOD = broker(
            "flushConsumerOffsetInterval",
            MILLIS,
            "5000",
            "BrokerConfig",
            "milliseconds between two exports of topics, groups and offsets to config/*.json; they are safe in the log"
                    + " before");
    // The nameserver's file.
    public static final Key<Integer> NAMESERVER_PORT = nameserver(
            "listenPort", PORT, "9876", "ServerConfig", "where brokers and clients connect; 0 takes a free port");
    public static final Key<String> NAMESERVER_BIND_ADDRESS = nameserver(
            "bindAddress",
            Reading.TEXT,
            "127.0.0.1",
            "ServerConfig",
            "the address to listen on; nothing listens beyond loopback unless this says so");
    public static final Key<Path> NAMESERVER_DATA_DIR = nameserver(
            "dataDir", Reading.FOLDER, "(./data)", "ServerConfig", "the folder of everything this nameserver writes");
    public static final Key<Path> NAMESERVER_LOG_PATH = nameserver(
            "logDir",
            Reading.FOLDER,
            "(dataDir/logs)",
            "ServerConfig",
            "the folder of the program's own log files, which are bounded");

    public static final Key<Path> KV_PATH = nameserver(
            "kvConfigPath",
            Reading.FOLDER,
            "(dataDir/nameserver/kvConfig.json)",
            "ServerConfig",
            "the file of the key-value configuration");
    public static final Key<Boolean> ORDERED_TOPICS = nameserver(
            "orderMessageEnable",
            Reading.SWITCH,
            "false",
            "NameserverConfig",
            "route answers carry the queue order of ordered topics");
    public static final Key<Boolean> ORDER_TO_BROKERS = nameserver(
            "returnOrderTopicConfigToBroker",
            Reading.SWITCH,
            "true",
            "NameserverConfig",
            "brokers are told which topics are ordered when they register");
    public static final Key<Boolean> ACTING_MASTER = nameserver(
            "supportActingMaster",
            Reading.SWITCH,
            "false",
            "NameserverConfig",
            "the smallest id of a broker without a master is shown as its master, for reading");
    public static final Key<Boolean> TOPIC_LIST = nameserver(
            "enableTopicList", Reading.SWITCH, "true", "NameserverConfig", "the list of all topics may be asked for");
    public static final Key<Boolean> REGISTRATION_REPLACES = nameserver(
            "deleteTopicWithBrokerRegistration",
            Reading.SWITCH,
            "false",
            "NameserverConfig",
            "a registration takes away the broker's topics that it does not list");
    public static final Key<Boolean> TELL_MINIMUM_ID = nameserver(
            "notifyMinBrokerIdChanged",
            Reading.SWITCH,
            "false",
            "NameserverConfig",
            "the members of a broker are told when the smallest living id changes");
    public static final Key<List<Endpoint>> NAMESERVER_PEERS = nameserver(
            "nameserverPeers",
            Reading.ENDPOINTS,
            "(none)",
            "ServerConfig",
            "nameservers, as clients reach them; GET /rocketmq/nsaddr at adminPort lists this one and those of them that"
                    + " answer");
    public static final Key<Boolean> WAIT_FOR_SERVICE = nameserver(
            "needWaitForService",
            Reading.SWITCH,
            "false",
            "NameserverConfig",
            "after a start no route is shown for waitSecondsForService; without it, unknown topics are answered"
                    + " \"ask again\" for 3 s");
    public static final Key<Integer> WAIT_SECONDS = nameserver(
            "waitSecondsForService",
            Reading.number(0, 3_600),
            "45",
            "NameserverConfig",
            "seconds without routes after a start, if needWaitForService says so");

    private static final List<Key<?>> ALL = List.of(
            CLUSTER,
            BROKER_NAME,
            LISTEN_PORT,
            BIND_ADDRESS,
            BROKER_IP,
            NAMESERVERS,
            REGISTER_PERIOD,
            DATA_DIR,
            STORE_PATH,
            COMMIT_LOG_PATH,
            LOG_PATH,
            FLUSH,
            SYNC_TIMEOUT,
            FLUSH_INTERVAL,
            SEGMENT_BYTES,
            QUEUE_FILE_BYTES,
            INDEX,
            INDEX_SLOTS,
            INDEX_ENTRIES,
            SCRUB_RATE,
            SEALS,
            RECORD_CRC,
            RESERVED_HOURS,
            DELETE_WHEN,
            MAX_LOG_BYTES,
            EXPIRED_SHARE,
            CLEAN_FORCIBLY,
            FORCED_SHARE,
            REFUSED_SHARE,
            ENOUGH_FREE,
            RESERVE,
            MAX_MESSAGE_BYTES,
            AUTO_CREATE_TOPIC,
            TOPIC_QUEUES,
            AUTO_CREATE_GROUP,
            PERMISSION,
            DELAY_LEVELS,
            PULL_MESSAGES,
            PULL_BYTES,
            SNAPSHOT_PERIOD,
            NAMESERVER_PORT,
            NAMESERVER_BIND_ADDRESS,
            NAMESERVER_DATA_DIR,
            NAMESERVER_LOG_PATH,
            KV_PATH,
            ORDERED_TOPICS,
            ORDER_TO_BROKERS,
            ACTING_MASTER,
            TOPIC_LIST,
            REGISTRATION_REPLACES,
            TELL_MINIMUM_ID,
            NAMESERVER_PEERS,
            WAIT_FOR_SERVICE,
            WAIT_SECONDS);

    private Keys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        return ALL;
    }

    static <T> Key<T> broker(String name, Reading<T> reading, String byDefault, String component, String meaning) {
        return new Key<>(name, BROKER, reading, byDefault, new Effect.Feeds(component), meaning);
    }

    private static <T> Key<T> nameserver(
            String name, Reading<T> reading, String byDefault, String component, String meaning) {
        return new Key<>(name, NAMESERVER, reading, byDefault, new Effect.Feeds(component), meaning);
    }
}
