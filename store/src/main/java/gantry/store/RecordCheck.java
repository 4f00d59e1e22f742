package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Whether a record of another member's log may stand at a place of this one.
///
/// For:   looking at each record whole before anything of it is written.
/// Owner: whoever made it; used again and again.
/// Never: writes; knows which offset a queue comes to next.
/// Holds: COPY-1 every good record has its own place, and a time that does not go back.
final class RecordCheck {
    private static final String TOPIC_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-%|";

    private final StoreConfig config;
    private final RecordView view = new RecordView();
    private boolean blank;
    private @Nullable String fault;

    RecordCheck(StoreConfig config) {
        this.config = config;
    }

    /// @param place where it is to stand
    /// @param notBefore when the last record before it was stored
    /// @return its size; -1 when it may not stand there, and `fault` tells why
    int check(ByteBuffer bytes, int at, long place, long notBefore) {
        return check(bytes, at, place, notBefore, Origin.MEMBER);
    }

    /// As above, of a record that somebody of that kind has numbered.
    int check(ByteBuffer bytes, int at, long place, long notBefore, Origin origin) {
        long left = config.segmentBytes() - place % config.segmentBytes();
        Check check = view.wrap(bytes, at, bytes.limit(), true);
        blank = check == Check.BLANK;
        boolean ours = origin == Origin.MEMBER;
        fault = blank
                ? wrongBlank(bytes, at, left, ours)
                : wrongWith(check, bytes, place, left, ours ? notBefore : Long.MIN_VALUE);
        return fault == null ? view.size() : -1;
    }

    /// Whether the last one was the unused end of a file.
    boolean isBlank() {
        return blank;
    }

    /// The last one.
    RecordView view() {
        return view;
    }

    /// What is wrong with the last one; null when nothing is.
    @Nullable
    String fault() {
        return fault;
    }

    private @Nullable String wrongWith(Check check, ByteBuffer bytes, long place, long left, long notBefore) {
        if (check != Check.OK) {
            return LogScan.faultOf(check);
        }
        if (view.logOffset() != place) {
            return "a message that belongs to log offset " + view.logOffset();
        }
        if (view.size() > config.maxRecordBytes()) {
            return "a message of " + view.size() + " bytes, where " + config.maxRecordBytes() + " are allowed";
        }
        if (view.size() + LogTail.BLANK_BYTES > left) {
            return "a message of " + view.size() + " bytes, where the file has " + left + " left: are the members'"
                    + " commit-log files of one size?";
        }
        if (view.storeMillis() < notBefore) {
            return "a message that was stored at " + view.storeMillis() + ", and one before it at " + notBefore;
        }
        return Redispatch.hasEntry(view) ? wrongQueue(bytes) : null;
    }

    /// A topic is the name of a folder.
    private @Nullable String wrongQueue(ByteBuffer bytes) {
        if (view.queueId() < 0) {
            return "a message of queue " + view.queueId();
        }
        for (int i = view.topicOffset(); i < view.topicOffset() + view.topicLength(); i++) {
            boolean good = TOPIC_LETTERS.indexOf(bytes.get(i)) >= 0;
            if (!good) {
                return "a message of a topic that cannot be a topic's name";
            }
        }
        return null;
    }

    private @Nullable String wrongBlank(ByteBuffer bytes, int at, long left, boolean empty) {
        int size = view.size();
        if (size != left) {
            return "an end of file of " + size + " bytes, where " + left + " are left";
        }
        if (size > bytes.limit() - at) {
            return "an end of file that is not here as a whole";
        }
        for (int i = at + LogTail.BLANK_BYTES; empty && i < at + size; i++) {
            if (bytes.get(i) != 0) {
                return "an end of file that is not empty";
            }
        }
        return null;
    }
}
