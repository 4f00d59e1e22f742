package gantry.store;

/// What a fetch came to.
///
/// For:   the header of a pull answer.
/// Owner: none (immutable).
///
/// @param nextOffset where to go on
/// @param messageCount how many messages the sink was given
/// @param sizeBytes their bytes
public record Fetch(Status status, long nextOffset, long minOffset, long maxOffset, int messageCount, int sizeBytes) {
    public enum Status {
        FOUND,
        /// Everything that was scanned is unwanted by the filter; go on at `nextOffset`.
        NO_MATCHED_MESSAGE,
        /// The queue is empty and was always.
        NO_MESSAGE_IN_QUEUE,
        /// Before the first kept message; `nextOffset` is the first.
        OFFSET_TOO_SMALL,
        /// Exactly at the end: nothing new yet.
        NO_NEW,
        /// Beyond the end; `nextOffset` is the end.
        OVERFLOW_BADLY,
        /// The message's part of the log is gone; `nextOffset` is the first that is there.
        MESSAGE_WAS_REMOVING,
        /// The queue's files were lost, and this part of it is being made again from the log; ask again later.
        REBUILDING,
        /// The disk could not be read; ask again later.
        UNREADABLE
    }
}
