package gantry.store;

/// Something that keeps the store from doing all it should, and that may end by itself.
///
/// For:   health.
/// Owner: none (immutable).
///
/// @param sentence what is wrong, where, and what to do
public record Trouble(Kind kind, String sentence) {
    public enum Kind {
        /// Sends are refused for want of space; reading and offsets go on.
        DISK_FULL("disk full"),
        /// A sync of the commit log has not come back for long.
        SYNC_STALLED("sync stalled"),
        /// A sync of the consume queues has not come back for long.
        QUEUES_STALLED("queue sync stalled"),
        /// Lost consume queues are being made again; everything else is served.
        REBUILDING("rebuilding queues"),
        /// Old files cannot be deleted.
        DELETING_FAILS("deleting fails"),
        /// Old parts of the log have changed on disk, and are not mended yet.
        BIT_ROT("bit rot");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /// As an operator says it.
        public String words() {
            return words;
        }
    }
}
