package gantry.wire.frame;

/// The names of the header fields, in the peers' spelling.
///
/// For:   reading and writing `extFields`; one constant per name, whatever requests use it.
/// Owner: none (constants).
/// Never: what a field means; see the handlers. The single letters of a short send stay in `SendHeader`.
public final class FieldNames {
    public static final FieldName ACCEPT_STANDARD_JSON_ONLY = FieldName.of("acceptStandardJsonOnly");
    public static final FieldName ADD_TOPIC_COUNT = FieldName.of("addTopicCount");
    public static final FieldName APPLIED_BROKER_ID = FieldName.of("appliedBrokerId");
    public static final FieldName ATTEMPT_ID = FieldName.of("attemptId");
    public static final FieldName ATTRIBUTES = FieldName.of("attributes");
    public static final FieldName BATCH = FieldName.of("batch");
    public static final FieldName BATCH_UNIQ_ID = FieldName.of("batchUniqId");
    public static final FieldName BEGIN_TIMESTAMP = FieldName.of("beginTimestamp");
    public static final FieldName BNAME = FieldName.of("bname");
    public static final FieldName BODY_CRC32 = FieldName.of("bodyCrc32");
    public static final FieldName BORN_HOST = FieldName.of("bornHost");
    public static final FieldName BORN_TIME = FieldName.of("bornTime");
    public static final FieldName BORN_TIMESTAMP = FieldName.of("bornTimestamp");
    public static final FieldName BOUNDARY_TYPE = FieldName.of("boundaryType");
    public static final FieldName BROKER_ADDR = FieldName.of("brokerAddr");
    public static final FieldName BROKER_ADDRESS = FieldName.of("brokerAddress");
    public static final FieldName BROKER_CLUSTER_NAME = FieldName.of("brokerClusterName");
    public static final FieldName BROKER_CONTROLLER_IDS_TO_CLEAN = FieldName.of("brokerControllerIdsToClean");
    public static final FieldName BROKER_ID = FieldName.of("brokerId");
    public static final FieldName BROKER_NAME = FieldName.of("brokerName");
    public static final FieldName CHANGED = FieldName.of("changed");
    public static final FieldName CHECK_STORE_TIME = FieldName.of("checkStoreTime");
    public static final FieldName CLEAN_OFFSET = FieldName.of("cleanOffset");
    public static final FieldName CLIENT_ADDR = FieldName.of("clientAddr");
    public static final FieldName CLIENT_ID = FieldName.of("clientId");
    public static final FieldName CLUSTER = FieldName.of("cluster");
    public static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    public static final FieldName COMMITTED = FieldName.of("committed");
    public static final FieldName COMMIT_LOG_OFFSET = FieldName.of("commitLogOffset");
    public static final FieldName COMMIT_OFFSET = FieldName.of("commitOffset");
    public static final FieldName COMMIT_OR_ROLLBACK = FieldName.of("commitOrRollback");
    public static final FieldName COMPARE_GROUP = FieldName.of("compareGroup");
    public static final FieldName COMPRESSED = FieldName.of("compressed");
    public static final FieldName CONFIG_PATH = FieldName.of("configPath");
    public static final FieldName CONFIG_TYPE = FieldName.of("configType");
    public static final FieldName CONFIRM_OFFSET = FieldName.of("confirmOffset");
    public static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    public static final FieldName CONTROLLER_LEADER_ADDRESS = FieldName.of("controllerLeaderAddress");
    public static final FieldName CONTROLLER_LEADER_ID = FieldName.of("controllerLeaderId");
    public static final FieldName COUNT = FieldName.of("count");
    public static final FieldName DATA_VERSION = FieldName.of("dataVersion");
    public static final FieldName DEFAULT_TOPIC = FieldName.of("defaultTopic");
    public static final FieldName DEFAULT_TOPIC_QUEUE_NUMS = FieldName.of("defaultTopicQueueNums");
    public static final FieldName DELAY_LEVEL = FieldName.of("delayLevel");
    public static final FieldName DESIGNATE_ELECT = FieldName.of("designateElect");
    public static final FieldName DEST_GROUP = FieldName.of("destGroup");
    public static final FieldName ELECTION_PRIORITY = FieldName.of("electionPriority");
    public static final FieldName ENABLE_ACTING_MASTER = FieldName.of("enableActingMaster");
    public static final FieldName END_TIMESTAMP = FieldName.of("endTimestamp");
    public static final FieldName EPOCH = FieldName.of("epoch");
    public static final FieldName EXP = FieldName.of("exp");
    public static final FieldName EXPRESSION_TYPE = FieldName.of("expressionType");
    public static final FieldName EXP_TYPE = FieldName.of("expType");
    public static final FieldName EXTRA_INFO = FieldName.of("extraInfo");
    public static final FieldName FILTER = FieldName.of("filter");
    public static final FieldName FILTER_GROUPS = FieldName.of("filterGroups");
    public static final FieldName FLAG = FieldName.of("flag");
    public static final FieldName FORBIDDEN_TYPE = FieldName.of("forbiddenType");
    public static final FieldName FORCE = FieldName.of("force");
    public static final FieldName FROM_TIME = FieldName.of("fromTime");
    public static final FieldName FROM_TRANSACTION_CHECK = FieldName.of("fromTransactionCheck");
    public static final FieldName GROUP = FieldName.of("group");
    /// Ours, told of routes that have changed: any of those that are watched may have.
    public static final FieldName GANTRY_ALL = FieldName.of("gantryAll");

    /// Ours, in a request for a route: its answer says when the brokers were heard.
    public static final FieldName GANTRY_FRESHNESS = FieldName.of("gantryFreshness");

    /// Ours, in a registration: topics that the broker has no more, separated by commas.
    public static final FieldName GANTRY_GONE = FieldName.of("gantryGone");

    /// Ours, from a nameserver: for how long it has been hearing brokers without a gap.
    public static final FieldName GANTRY_LISTENING_MILLIS = FieldName.of("gantryListeningMillis");

    /// Ours, in a registration: what it does not list the broker has no more.
    public static final FieldName GANTRY_WHOLE = FieldName.of("gantryWhole");

    /// Ours, of a hand-over: it is taken back.
    public static final FieldName GANTRY_UNDO = FieldName.of("gantryUndo");

    public static final FieldName GROUP_NAME = FieldName.of("groupName");
    public static final FieldName GROUP_SEQ = FieldName.of("groupSeq");
    public static final FieldName GROUP_SYS_FLAG = FieldName.of("groupSysFlag");
    public static final FieldName HAS_MSG = FieldName.of("hasMsg");
    public static final FieldName HA_BROKER_ADDR = FieldName.of("haBrokerAddr");
    public static final FieldName HA_SERVER_ADDR = FieldName.of("haServerAddr");
    public static final FieldName HEARTBEAT_TIMEOUT_MILLIS = FieldName.of("heartbeatTimeoutMillis");
    public static final FieldName HEARTBEAT_TIMEOUT_MILLS = FieldName.of("heartbeatTimeoutMills");
    public static final FieldName INDEX = FieldName.of("index");
    public static final FieldName INDEX_LAST_UPDATE_PHYOFFSET = FieldName.of("indexLastUpdatePhyoffset");
    public static final FieldName INDEX_LAST_UPDATE_TIMESTAMP = FieldName.of("indexLastUpdateTimestamp");
    public static final FieldName INDEX_TYPE = FieldName.of("indexType");
    public static final FieldName INIT_MODE = FieldName.of("initMode");
    public static final FieldName INVISIBLE_TIME = FieldName.of("invisibleTime");
    public static final FieldName INVOKE_TIME = FieldName.of("invokeTime");
    public static final FieldName IS_CLEAN_LIVING_BROKER = FieldName.of("isCleanLivingBroker");
    public static final FieldName IS_FORCE = FieldName.of("isForce");
    public static final FieldName IS_LEADER = FieldName.of("isLeader");
    public static final FieldName IS_ORDER = FieldName.of("isOrder");
    public static final FieldName JSTACK_ENABLE = FieldName.of("jstackEnable");
    public static final FieldName KEY = FieldName.of("key");
    public static final FieldName LAST_KEY = FieldName.of("lastKey");
    public static final FieldName LITE_TOPIC = FieldName.of("liteTopic");
    public static final FieldName LO = FieldName.of("lo");
    public static final FieldName MASTER_ADDR = FieldName.of("masterAddr");
    public static final FieldName MASTER_ADDRESS = FieldName.of("masterAddress");
    public static final FieldName MASTER_BROKER_ID = FieldName.of("masterBrokerId");
    public static final FieldName MASTER_EPOCH = FieldName.of("masterEpoch");
    public static final FieldName MASTER_FLUSH_OFFSET = FieldName.of("masterFlushOffset");
    public static final FieldName MASTER_HA_ADDRESS = FieldName.of("masterHaAddress");
    public static final FieldName MAX_COUNT = FieldName.of("maxCount");
    public static final FieldName MAX_GROUP_NUM = FieldName.of("maxGroupNum");
    public static final FieldName MAX_MSG_BYTES = FieldName.of("maxMsgBytes");
    public static final FieldName MAX_MSG_NUM = FieldName.of("maxMsgNum");
    public static final FieldName MAX_MSG_NUMS = FieldName.of("maxMsgNums");
    public static final FieldName MAX_NUM = FieldName.of("maxNum");
    public static final FieldName MAX_OFFSET = FieldName.of("maxOffset");
    public static final FieldName MAX_RECONSUME_TIMES = FieldName.of("maxReconsumeTimes");
    public static final FieldName MAX_TOPIC_NUM = FieldName.of("maxTopicNum");
    public static final FieldName MIN_BROKER_ADDR = FieldName.of("minBrokerAddr");
    public static final FieldName MIN_BROKER_ID = FieldName.of("minBrokerId");
    public static final FieldName MIN_OFFSET = FieldName.of("minOffset");
    public static final FieldName MSG_ID = FieldName.of("msgId");
    public static final FieldName MSG_OFFSET_INFO = FieldName.of("msgOffsetInfo");
    public static final FieldName NAMESPACE = FieldName.of("namespace");
    public static final FieldName NEW_SYNC_STATE_SET_EPOCH = FieldName.of("newSyncStateSetEpoch");
    public static final FieldName NEXT_BEGIN_OFFSET = FieldName.of("nextBeginOffset");
    public static final FieldName NEXT_BROKER_ID = FieldName.of("nextBrokerId");
    public static final FieldName NS = FieldName.of("ns");
    public static final FieldName NSD = FieldName.of("nsd");
    public static final FieldName OFFLINE = FieldName.of("offline");
    public static final FieldName OFFLINE_BROKER_ADDR = FieldName.of("offlineBrokerAddr");
    public static final FieldName OFFSET = FieldName.of("offset");
    public static final FieldName OFFSET_DELTA = FieldName.of("offsetDelta");
    public static final FieldName OFFSET_MSG_ID = FieldName.of("offsetMsgId");
    public static final FieldName ORDER = FieldName.of("order");
    public static final FieldName ORDER_COUNT_INFO = FieldName.of("orderCountInfo");
    public static final FieldName ORDER_TOPIC_STRING = FieldName.of("orderTopicString");
    public static final FieldName ORIGIN_MSG_ID = FieldName.of("originMsgId");
    public static final FieldName ORIGIN_TOPIC = FieldName.of("originTopic");
    public static final FieldName OWAY = FieldName.of("oway");
    public static final FieldName PARENT_TOPIC = FieldName.of("parentTopic");
    public static final FieldName PEERS = FieldName.of("peers");
    public static final FieldName PERM = FieldName.of("perm");
    public static final FieldName POLICY_TYPE = FieldName.of("policyType");
    public static final FieldName POLLING_FULL = FieldName.of("pollingFull");
    public static final FieldName POLLING_NUM = FieldName.of("pollingNum");
    public static final FieldName POLL_TIME = FieldName.of("pollTime");
    public static final FieldName POP_TIME = FieldName.of("popTime");
    public static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    public static final FieldName PROPERTIES = FieldName.of("properties");
    public static final FieldName PROXY_FROWARD_CLIENT_ID = FieldName.of("proxyFrowardClientId");
    public static final FieldName QUEUE_ID = FieldName.of("queueId");
    public static final FieldName QUEUE_OFFSET = FieldName.of("queueOffset");
    public static final FieldName READABLE = FieldName.of("readable");
    public static final FieldName READ_QUEUE_NUMS = FieldName.of("readQueueNums");
    public static final FieldName RECALL_HANDLE = FieldName.of("recallHandle");
    public static final FieldName RECONSUME_TIMES = FieldName.of("reconsumeTimes");
    public static final FieldName REGISTER_CHECK_CODE = FieldName.of("registerCheckCode");
    public static final FieldName REMOVE_OFFSET = FieldName.of("removeOffset");
    public static final FieldName REQUEST_SOURCE = FieldName.of("requestSource");
    public static final FieldName RESOURCE = FieldName.of("resource");
    public static final FieldName RESOURCE_FILTER = FieldName.of("resourceFilter");
    public static final FieldName REST_NUM = FieldName.of("restNum");
    public static final FieldName REVIVE_QID = FieldName.of("reviveQid");
    public static final FieldName SET_ZERO_IF_NOT_FOUND = FieldName.of("setZeroIfNotFound");
    public static final FieldName SRC_GROUP = FieldName.of("srcGroup");
    public static final FieldName START_OFFSET_INFO = FieldName.of("startOffsetInfo");
    public static final FieldName STATS_KEY = FieldName.of("statsKey");
    public static final FieldName STATS_NAME = FieldName.of("statsName");
    public static final FieldName STORE_HOST = FieldName.of("storeHost");
    public static final FieldName STORE_TIMESTAMP = FieldName.of("storeTimestamp");
    public static final FieldName SUBJECT = FieldName.of("subject");
    public static final FieldName SUBJECT_FILTER = FieldName.of("subjectFilter");
    public static final FieldName SUBSCRIPTION = FieldName.of("subscription");
    public static final FieldName SUB_VERSION = FieldName.of("subVersion");
    public static final FieldName SUGGEST_WHICH_BROKER_ID = FieldName.of("suggestWhichBrokerId");
    public static final FieldName SUSPEND = FieldName.of("suspend");
    public static final FieldName SUSPEND_TIMEOUT_MILLIS = FieldName.of("suspendTimeoutMillis");
    public static final FieldName SYNC_STATE_SET_EPOCH = FieldName.of("syncStateSetEpoch");
    public static final FieldName SYS_FLAG = FieldName.of("sysFlag");
    public static final FieldName TIMESTAMP = FieldName.of("timestamp");
    public static final FieldName TOPIC = FieldName.of("topic");
    public static final FieldName TOPIC_FILTER_TYPE = FieldName.of("topicFilterType");
    public static final FieldName TOPIC_LIST = FieldName.of("topicList");
    public static final FieldName TOPIC_SEQ = FieldName.of("topicSeq");
    public static final FieldName TOPIC_SYS_FLAG = FieldName.of("topicSysFlag");
    public static final FieldName TOP_K = FieldName.of("topK");
    public static final FieldName TOTAL_GROUP_NUM = FieldName.of("totalGroupNum");
    public static final FieldName TOTAL_TOPIC_NUM = FieldName.of("totalTopicNum");
    public static final FieldName TO_TIME = FieldName.of("toTime");
    public static final FieldName TRANSACTION_ID = FieldName.of("transactionId");
    public static final FieldName TRAN_STATE_TABLE_OFFSET = FieldName.of("tranStateTableOffset");
    public static final FieldName UNIT_MODE = FieldName.of("unitMode");
    public static final FieldName UNREGISTERED_CLIENT_ID = FieldName.of("clientID");
    public static final FieldName USERNAME = FieldName.of("username");
    public static final FieldName VALUE = FieldName.of("value");
    public static final FieldName VERSION = FieldName.of("version");
    public static final FieldName WIPE_TOPIC_COUNT = FieldName.of("wipeTopicCount");
    public static final FieldName WRITE_QUEUE_NUMS = FieldName.of("writeQueueNums");

    // Names that are outside any official header class: marks and credentials.
    public static final FieldName MSG_REGION = FieldName.of("MSG_REGION");
    public static final FieldName TRACE_ON = FieldName.of("TRACE_ON");
    public static final FieldName IS_SUPPORT_HEART_BEAT_V2 = FieldName.of("IS_SUPPORT_HEART_BEAT_V2");
    public static final FieldName IS_SUB_CHANGE = FieldName.of("IS_SUB_CHANGE");
    public static final FieldName ZONE_NAME = FieldName.of("__ZONE_NAME");
    public static final FieldName ZONE_MODE = FieldName.of("__ZONE_MODE");
    public static final FieldName ACCESS_KEY = FieldName.of("AccessKey");
    public static final FieldName SIGNATURE = FieldName.of("Signature");
    public static final FieldName SECURITY_TOKEN = FieldName.of("SecurityToken");
    public static final FieldName UNIQUE_KEY_QUERY = FieldName.of("_UNIQUE_KEY_QUERY");
    public static final FieldName REQUEST_TYPE = FieldName.of("ReqT");
    public static final FieldName READ_AHEAD_MODE = FieldName.of("READ_AHEAD_MODE");

    private FieldNames() {}
}
