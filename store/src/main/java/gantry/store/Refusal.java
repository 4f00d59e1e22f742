package gantry.store;

/// Why a batch was not appended.
///
/// For:   answering a send.
/// Owner: none (immutable).
///
/// @param sentence for the remark of the answer
public record Refusal(Kind kind, String sentence) {
    public enum Kind {
        /// Too much waits already.
        BUSY(true),
        /// It is in the log, and was not confirmed in time: it counts unless the log loses its end.
        LATE(true),
        /// The disk is full.
        DISK_FULL(true),
        /// The disk failed; see `State.Fenced`.
        FENCED(true),
        /// The store is closing or closed.
        CLOSED(true),
        /// This member of a replica group follows: the leader takes messages.
        FOLLOWING(true),
        /// A topic of the batch was deleted while the batch was on its way.
        GONE(true),
        /// The batch can never be stored: a record or unit is larger than is allowed.
        TOO_LARGE(false);

        private final boolean retryable;

        Kind(boolean retryable) {
            this.retryable = retryable;
        }

        public boolean retryable() {
            return retryable;
        }
    }

    public boolean retryable() {
        return kind.retryable();
    }

    /// For the answer: its first word says which of the causes that share a code it is.
    public String remark() {
        return kind + ": " + sentence;
    }
}
