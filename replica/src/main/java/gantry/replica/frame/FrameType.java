package gantry.replica.frame;

import org.jspecify.annotations.Nullable;

/// What a frame is.
///
/// For:   choosing how its body is read. The numbers never change their meaning.
/// Owner: none (immutable).
public enum FrameType {
    HELLO(1),
    CHALLENGE(2),
    PROOF(3),
    WELCOME(4),
    POSITION(5),
    VERDICT(6),
    REFUSAL(7),
    BATCH(8),
    BEAT(9),
    ACK(10),
    COPY_REQUEST(11),
    COPY_OFFER(12),
    COPY_PART(13),
    COPY_LOG(14),
    COPY_ACK(15),
    COMPARE(16),
    COMPARED(17),
    RANGE_REQUEST(18),
    RANGE(19);

    private static final FrameType[] BY_CODE = byCode();

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /// Null for a number that this version does not know.
    static @Nullable FrameType of(int code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    private static FrameType[] byCode() {
        FrameType[] table = new FrameType[values().length + 1];
        for (FrameType each : values()) {
            table[each.code] = each;
        }
        return table;
    }
}
