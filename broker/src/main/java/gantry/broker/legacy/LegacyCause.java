package gantry.broker.legacy;

/// Why a RocketMQ master is not followed, or a RocketMQ slave is not served, for now.
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
    OUR_LOG("our own log takes no messages", "look at this broker's disk"),

    // Of slaves.
    STRANGER(
            "somebody who is not served connects to the port of RocketMQ's slaves",
            "let only the slaves' addresses reach legacyListenPort; a slave of yours has to be in legacySlaves"),
    TOO_MANY("it has too many connections", "run at most four slaves on one address, and look who else connects"),
    FALSE_REPORT(
            "it says what cannot be, and its log is not a copy of ours",
            "see that it is a RocketMQ slave of this broker; stop it, and start it with an empty store directory"),
    SLAVE_AHEAD(
            "it has more than our log, so its log is not a copy of ours",
            "stop it, keep its store until you know whose it is, and start it with an empty store directory"),
    SLAVE_BEHIND(
            "what it needs next was deleted here by age or size",
            "stop it, and start it with an empty store directory: it is given everything that is left"),
    SLAVE_SILENT(
            "it is not heard",
            "see whether it runs, has this broker's brokerName and nameservers, and can reach legacyListenPort"),
    SLAVE_STUCK(
            "it takes nothing of what it is sent",
            "see what its log says: its disk may be full, or its mappedFileSizeCommitLog is not this broker's"),
    OUR_RECORD(
            "a message of our own log cannot be given to it",
            "run ./gantry verify on this broker's store; what is damaged is never passed on");

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
