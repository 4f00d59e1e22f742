package gantry.wire.header;

import gantry.wire.frame.HeaderReader;
import org.jspecify.annotations.Nullable;

/// The header of a pull.
///
/// For:   requests 11 and 361, read in one pass over the fields.
/// Owner: one session; it stands for the last header that it read, until the `HeaderReader` reads the next.
/// Never: throws; judges groups, offsets or expressions.
public final class PullHeader {
    /// @return false when a mandatory field is missing or no number; `fault` says which
    public boolean read(HeaderReader header) {
        return false;
    }

    public @Nullable String fault() {
        return null;
    }

    /// The array in which group and topic stand.
    public byte[] bytes() {
        return new byte[0];
    }

    public int topicFrom() {
        return 0;
    }

    public int topicLength() {
        return 0;
    }

    public boolean topicEquals(byte[] utf8) {
        return false;
    }

    public String topic() {
        return "";
    }

    public boolean groupEquals(byte[] utf8) {
        return false;
    }

    public String group() {
        return "";
    }

    public int queueId() {
        return 0;
    }

    public long queueOffset() {
        return 0;
    }

    public int maxMessages() {
        return 0;
    }

    /// See `PullFlags`.
    public int flags() {
        return 0;
    }

    /// The group's progress, valid with `PullFlags.COMMIT_OFFSET`.
    public long consumedOffset() {
        return 0;
    }

    public long suspendMillis() {
        return 0;
    }

    public @Nullable String subscription() {
        return null;
    }

    public long subscriptionVersion() {
        return 0;
    }

    /// `TAG` when the request does not say.
    public String expressionType() {
        return "";
    }

    /// `Integer.MAX_VALUE` when the request does not say.
    public int maxBytes() {
        return 0;
    }
}
