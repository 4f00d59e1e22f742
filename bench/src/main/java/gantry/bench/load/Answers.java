package gantry.bench.load;

/// The few codes of the protocol that the load generator knows.
///
/// For:   names instead of numbers.
/// Owner: none (constants).
final class Answers {
    static final int SUCCESS = 0;
    static final int SYSTEM_BUSY = 2;
    static final int FLUSH_DISK_TIMEOUT = 10;
    static final int PULL_RETRY_IMMEDIATELY = 20;

    static final int PULL_MESSAGE = 11;
    static final int CREATE_TOPICS = 18;
    static final int MAX_OFFSET = 30;
    static final int HEARTBEAT = 34;
    static final int SEND_V2 = 310;
    static final int SEND_BATCH = 320;

    private Answers() {}
}
