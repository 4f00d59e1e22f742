package gantry.wire.frame;

/// How the header of one frame is serialised.
///
/// For:   mirroring a request's serialisation in its answer; a connection may mix both.
/// Owner: none (immutable).
/// Never: bodies; they are JSON or messages whatever the header is.
public enum Codec {
    JSON(0),
    ROCKETMQ(1);

    private final int mark;

    Codec(int mark) {
        this.mark = mark;
    }

    /// The first byte of the second word of a frame.
    int mark() {
        return mark;
    }
}
