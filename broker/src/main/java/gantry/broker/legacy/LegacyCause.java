package gantry.broker.legacy;

/// Why a RocketMQ master is not followed for now.
///
/// For:   one name, one meaning and one next step for each thing that can be wrong.
/// Owner: none (immutable).
enum LegacyCause {
    NOT_ITS_PLACE(
            "its bytes do not belong where the copy goes on", "it is tried again; if it stays, restart the master"),
    BODY_SIZE("it announces an impossible number of bytes", "see that legacyMasterAddress is a RocketMQ broker's"),
    RECORD_SIZE(
            "a message is larger than can be taken",
            "raise maxMessageSize here to the master's; if it stays, its log is damaged there"),
    RECORD_DAMAGED(
            "a message is not right and was not taken",
            "it is fetched again; if it stays, the master's log is damaged there: move its directory instead"),
    OTHER_LOG("our log is not a copy of its log; nothing was touched", "give this broker an empty store directory"),
    BEHIND_OLDEST("it has deleted what comes next in our log", "give this broker an empty store directory"),
    AHEAD("its log ends before ours does", "it lost its end or is another one; see which log is the right one"),
    NOTHING_COMES("it sends no bytes though it has more", "it is connected anew; if it stays, restart the master"),
    SILENT("it is not heard", "see whether it runs and whether its two ports can be reached from here"),
    TABLES("its tables cannot be had", "see what it says; topics, groups and offsets here are as old as that"),
    NOT_CARRIED("it has what Gantry cannot take over", "see docs/moving-from-and-to-rocketmq.md"),
    OTHER_NAME("it has another name than this broker", "set the same brokerName and brokerClusterName here"),
    OUR_LOG("our own log takes no messages", "look at this broker's disk");

    private final String sentence;
    private final String next;

    LegacyCause(String sentence, String next) {
        this.sentence = sentence;
        this.next = next;
    }

    String sentence() {
        return sentence;
    }

    String next() {
        return next;
    }
}
