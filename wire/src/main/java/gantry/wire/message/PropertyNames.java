package gantry.wire.message;

import gantry.wire.frame.FieldName;

/// The names of the properties that mean something to brokers and clients, in the peers' spelling.
///
/// For:   reading and writing message properties.
/// Owner: none (constants).
/// Never: what a property means; see the handlers.
public final class PropertyNames {
    public static final FieldName KEYS = FieldName.of("KEYS");
    public static final FieldName TAGS = FieldName.of("TAGS");
    public static final FieldName WAIT = FieldName.of("WAIT");
    public static final FieldName DELAY = FieldName.of("DELAY");
    public static final FieldName RETRY_TOPIC = FieldName.of("RETRY_TOPIC");
    public static final FieldName REAL_TOPIC = FieldName.of("REAL_TOPIC");
    public static final FieldName REAL_QUEUE_ID = FieldName.of("REAL_QID");
    public static final FieldName TRANSACTION_PREPARED = FieldName.of("TRAN_MSG");
    public static final FieldName PRODUCER_GROUP = FieldName.of("PGROUP");
    public static final FieldName MIN_OFFSET = FieldName.of("MIN_OFFSET");
    public static final FieldName MAX_OFFSET = FieldName.of("MAX_OFFSET");
    public static final FieldName ORIGIN_MESSAGE_ID = FieldName.of("ORIGIN_MESSAGE_ID");
    public static final FieldName RECONSUME_TIME = FieldName.of("RECONSUME_TIME");
    public static final FieldName MAX_RECONSUME_TIMES = FieldName.of("MAX_RECONSUME_TIMES");
    public static final FieldName MSG_REGION = FieldName.of("MSG_REGION");
    public static final FieldName TRACE_ON = FieldName.of("TRACE_ON");
    public static final FieldName UNIQ_KEY = FieldName.of("UNIQ_KEY");
    public static final FieldName EXTEND_UNIQ_INFO = FieldName.of("EXTEND_UNIQ_INFO");
    public static final FieldName DUP_INFO = FieldName.of("DUP_INFO");
    public static final FieldName CONSUME_START_TIME = FieldName.of("CONSUME_START_TIME");
    public static final FieldName INNER_NUM = FieldName.of("INNER_NUM");
    public static final FieldName INNER_BASE = FieldName.of("INNER_BASE");
    public static final FieldName CHECK_IMMUNITY_SECONDS = FieldName.of("CHECK_IMMUNITY_TIME_IN_SECONDS");
    public static final FieldName TRANSACTION_PREPARED_QUEUE_OFFSET = FieldName.of("TRAN_PREPARED_QUEUE_OFFSET");
    public static final FieldName TRANSACTION_ID = FieldName.of("__transactionId__");
    public static final FieldName TRANSACTION_CHECK_TIMES = FieldName.of("TRANSACTION_CHECK_TIMES");
    public static final FieldName INSTANCE_ID = FieldName.of("INSTANCE_ID");
    public static final FieldName CORRELATION_ID = FieldName.of("CORRELATION_ID");
    public static final FieldName REPLY_TO_CLIENT = FieldName.of("REPLY_TO_CLIENT");
    public static final FieldName TTL = FieldName.of("TTL");
    public static final FieldName MSG_TYPE = FieldName.of("MSG_TYPE");
    public static final FieldName ARRIVE_TIME = FieldName.of("ARRIVE_TIME");
    public static final FieldName PUSH_REPLY_TIME = FieldName.of("PUSH_REPLY_TIME");
    public static final FieldName CLUSTER = FieldName.of("CLUSTER");
    public static final FieldName POP_CK = FieldName.of("POP_CK");
    public static final FieldName POP_CK_OFFSET = FieldName.of("POP_CK_OFFSET");
    public static final FieldName FIRST_POP_TIME = FieldName.of("1ST_POP_TIME");
    public static final FieldName SHARDING_KEY = FieldName.of("__SHARDINGKEY");
    public static final FieldName INNER_MULTI_DISPATCH = FieldName.of("INNER_MULTI_DISPATCH");
    public static final FieldName INNER_MULTI_QUEUE_OFFSET = FieldName.of("INNER_MULTI_QUEUE_OFFSET");
    public static final FieldName TRACE_CONTEXT = FieldName.of("TRACE_CONTEXT");
    public static final FieldName BORN_HOST = FieldName.of("__BORNHOST");
    public static final FieldName BORN_TIMESTAMP = FieldName.of("BORN_TIMESTAMP");
    public static final FieldName TIMER_DELAY_SECONDS = FieldName.of("TIMER_DELAY_SEC");
    public static final FieldName TIMER_DELAY_MILLIS = FieldName.of("TIMER_DELAY_MS");
    public static final FieldName TIMER_DELIVER_MILLIS = FieldName.of("TIMER_DELIVER_MS");
    public static final FieldName TIMER_OUT_MILLIS = FieldName.of("TIMER_OUT_MS");
    public static final FieldName TIMER_ENQUEUE_MILLIS = FieldName.of("TIMER_ENQUEUE_MS");
    public static final FieldName TIMER_DEQUEUE_MILLIS = FieldName.of("TIMER_DEQUEUE_MS");
    public static final FieldName TIMER_ROLL_TIMES = FieldName.of("TIMER_ROLL_TIMES");
    public static final FieldName TIMER_DELETE_UNIQUE_KEY = FieldName.of("TIMER_DEL_UNIQKEY");
    public static final FieldName TIMER_DELAY_LEVEL = FieldName.of("TIMER_DELAY_LEVEL");
    public static final FieldName RECORD_CRC = FieldName.of("__CRC32#");
    public static final FieldName DLQ_ORIGIN_TOPIC = FieldName.of("DLQ_ORIGIN_TOPIC");
    public static final FieldName DLQ_ORIGIN_MESSAGE_ID = FieldName.of("DLQ_ORIGIN_MESSAGE_ID");
    public static final FieldName LITE_TOPIC = FieldName.of("__LITE_TOPIC");

    private PropertyNames() {}
}
