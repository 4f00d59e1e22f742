package gantry.replica.frame;

import org.jspecify.annotations.Nullable;

/// Why a link was closed or a peer refused.
///
/// For:   counting by cause, and telling an operator in the same words on both sides.
/// Owner: none (immutable). The numbers go over the wire and never change their meaning.
public enum Cause {
    FRAME_SHORT(1, Source.BYTES, "a frame is shorter than it can be"),
    FRAME_LONG(2, Source.BYTES, "a frame is longer than allowed"),
    FRAME_LENGTH(3, Source.BYTES, "a frame's length field is not its length"),
    MAGIC(4, Source.BYTES, "the bytes are not of this protocol"),
    FRAME_VERSION(5, Source.BYTES, "a frame has an unknown layout version"),
    TYPE(6, Source.BYTES, "a frame has an unknown type"),
    RESERVED(7, Source.BYTES, "a frame's reserved bytes are not zero"),
    SEQUENCE(8, Source.BYTES, "a frame is missing, repeated or out of order"),
    CHECKSUM(9, Source.BYTES, "a frame's checksum is wrong"),
    BODY(10, Source.BYTES, "a frame's body cannot be read"),

    HELLO_ORDER(20, Source.STRANGER, "something else came than the next step of the hello"),
    HELLO_LATE(21, Source.STRANGER, "the hello was not done in time"),
    TOO_MANY_STRANGERS(22, Source.STRANGER, "too many connections have not said who they are"),
    PROOF_WRONG(23, Source.STRANGER, "the proof is wrong: the shared secrets differ"),
    PROOF_KIND(24, Source.STRANGER, "one side proves itself by secret and the other by certificate"),
    CERTIFICATE(25, Source.STRANGER, "the certificate names another member"),
    HELLO_ENDED(26, Source.STRANGER, "the other side closed during the hello: compare the secrets and what it tells"),

    VERSIONS(40, Source.MEMBER, "the two have no protocol version in common"),
    OTHER_CLUSTER(41, Source.MEMBER, "it belongs to another cluster"),
    OTHER_GROUP(42, Source.MEMBER, "it belongs to another broker group"),
    SAME_ID(43, Source.MEMBER, "it has the leader's own member id"),
    UNKNOWN_MEMBER(44, Source.MEMBER, "its member id is not one of the group"),
    DUPLICATE_MEMBER(45, Source.MEMBER, "another process with its member id is connected and alive"),
    REPLACED(46, Source.MEMBER, "the same member connected again"),
    OUTRANKED(47, Source.MEMBER, "the follower has seen a newer epoch than the leader's"),
    FOREIGN_LOG(48, Source.MEMBER, "its log is not a copy of this group's log"),
    NEEDS_RESEED(49, Source.MEMBER, "it has to copy the whole log"),
    STEPPED_DOWN(50, Source.MEMBER, "the leader does not lead any more"),
    VERDICT_FALSE(52, Source.MEMBER, "the leader's verdict does not follow from the two logs"),
    NOT_NOW(53, Source.MEMBER, "a frame came that has no place in this state"),
    ACK_EPOCH(54, Source.MEMBER, "an acknowledgement is of another epoch"),
    ACK_FALSE(55, Source.MEMBER, "an acknowledgement is beyond what was sent, or goes back"),
    CREDIT(56, Source.MEMBER, "more was sent than the other side said it can take"),
    BATCH_EPOCH(57, Source.MEMBER, "a batch is of another epoch"),
    BATCH_OFFSET(58, Source.MEMBER, "a batch does not begin where the log ends"),
    CONFIRM_FALSE(59, Source.MEMBER, "the leader's confirmOffset goes back or lies beyond its log"),
    RECORD_DAMAGED(60, Source.MEMBER, "a record arrived damaged and was not taken"),
    RANGE_GONE(61, Source.MEMBER, "the leader no longer has what the follower needs next"),
    LOG_FAILED(62, Source.MEMBER, "the log could not be read or written"),
    CONFIRMED_LOST(63, Source.MEMBER, "the leader lacks what the follower holds as confirmed"),
    NO_ROOM(64, Source.MEMBER, "there is no room for the copy (NO_ROOM)"),
    COPY_FALSE(65, Source.MEMBER, "a frame of the copy is not its next part"),
    COPY_STALLED(66, Source.MEMBER, "the copy does not get on"),
    RANGE_FALSE(67, Source.MEMBER, "an answer about a part of the log does not fit what was asked"),
    EPOCH_FALSE(68, Source.MEMBER, "one side has an epoch so far above the other's that it cannot be true"),
    FILE_SIZES(69, Source.MEMBER, "its commit-log files are not as long as the leader's"),

    LEGACY(70, Source.MEMBER, "RocketMQ's own replication"),

    SILENT(80, Source.LINK, "nothing was heard for too long"),
    OUTBOX_FULL(81, Source.LINK, "the connection does not take more bytes"),
    ENDED(82, Source.LINK, "the connection ended");

    /// Who is to blame, as far as it can be known.
    public enum Source {
        /// Bytes that are no frame; of a member only if they came after its hello.
        BYTES,
        /// Somebody who has not proved to be a member.
        STRANGER,
        /// A member that proved itself.
        MEMBER,
        /// The connection itself.
        LINK
    }

    private final int code;
    private final Source source;
    private final String sentence;

    Cause(int code, Source source, String sentence) {
        this.code = code;
        this.source = source;
        this.sentence = sentence;
    }

    public int code() {
        return code;
    }

    public Source source() {
        return source;
    }

    public String sentence() {
        return sentence;
    }

    /// The cause of a number from the wire; null when this version knows none.
    public static @Nullable Cause of(int code) {
        for (Cause each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
