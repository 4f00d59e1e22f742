package gantry.wire.header;

import gantry.wire.frame.HeaderReader;
import org.jspecify.annotations.Nullable;

/// The header of a send, with long names or single letters.
///
/// For:   requests 10, 310, 320, 324 and 325, read in one pass over the fields.
/// Owner: one session; it stands for the last header that it read, until the `HeaderReader` reads the next.
/// Never: throws; judges names, queues or sizes.
public final class SendHeader {
    /// Reads the fields by the names that belong to the request's code.
    ///
    /// @return false when a mandatory field is missing or no number; `fault` says which
    public boolean read(HeaderReader header) {
        return false;
    }

    public @Nullable String fault() {
        return null;
    }

    /// The array in which topic and properties stand.
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

    public int propertiesFrom() {
        return 0;
    }

    /// 0 when there are none.
    public int propertiesLength() {
        return 0;
    }

    public String producerGroup() {
        return "";
    }

    /// The topic whose settings a new topic gets.
    public String defaultTopic() {
        return "";
    }

    public int defaultTopicQueues() {
        return 0;
    }

    /// Negative: any queue.
    public int queueId() {
        return 0;
    }

    /// See `MessageFlags`.
    public int flags() {
        return 0;
    }

    public long bornMillis() {
        return 0;
    }

    public int userFlag() {
        return 0;
    }

    public int redeliveries() {
        return 0;
    }

    public boolean unitMode() {
        return false;
    }

    /// -1 when the sender does not say.
    public int maxRedeliveries() {
        return 0;
    }

    /// The body consists of `BatchItems`.
    public boolean isBatch() {
        return false;
    }
}
