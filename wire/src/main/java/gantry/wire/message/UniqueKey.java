package gantry.wire.message;

/// Makes the names that senders give to messages: hex of address, process, loader, time in this month and a counter.
///
/// For:   messages whose sender gave them none.
/// Owner: one session or sequencer; the counter is its own.
/// Never: a proof of anything; any text may stand in the property.
public final class UniqueKey {
    public static final int MAX_CHARS = 56;

    /// @param processId its low 16 bits count
    /// @param salt tells makers of one process apart
    public UniqueKey(RecordHost host, int processId, int salt) {}

    /// Writes the next name as ASCII.
    ///
    /// @return how many bytes were written: 32 or 56
    public int next(long wallMillis, byte[] into, int at) {
        return 0;
    }

    public String next(long wallMillis) {
        return "";
    }
}
