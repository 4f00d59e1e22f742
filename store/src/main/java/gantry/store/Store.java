package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import org.jspecify.annotations.Nullable;

/// One commit log with its queues.
///
/// For:   storing records in one order, and giving them back by queue and offset.
/// Owner: itself; every method may be called from any thread.
/// Never: leaders, groups, sockets; the wall clock except for storeMillis.
@SuppressWarnings("DoNotCallSuggester") // the outline; bodies follow
public final class Store {
    private Store() {}

    /// Opens the store below the disk's root, recovers it, and starts to serve. Blocks.
    ///
    /// @throws OpenFailed with a sentence for the operator; then nothing is kept open
    public static Store open(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            QueueListener wakes)
            throws OpenFailed {
        throw new OpenFailed("not built yet");
    }

    /// Takes a batch; never blocks. Its listener is told what becomes of it, maybe before this returns.
    public void append(AppendBatch batch) {
        throw new UnsupportedOperationException();
    }

    /// The queue, made on demand.
    public ConsumeQueue queue(String topic, int queueId) {
        throw new UnsupportedOperationException();
    }

    /// The queue, if there is one.
    public @Nullable ConsumeQueue find(String topic, int queueId) {
        throw new UnsupportedOperationException();
    }

    /// Looks for messages that are confirmed; see `Fetch.Status`. May read from disk.
    public Fetch fetch(ConsumeQueue queue, FetchRequest request, FetchSink sink) {
        throw new UnsupportedOperationException();
    }

    /// The offset of the message that was stored at a time.
    public long offsetAt(ConsumeQueue queue, long wallMillis, Boundary boundary) {
        throw new UnsupportedOperationException();
    }

    /// When the message at an offset was stored; -1 when it is not there.
    public long storeMillisAt(ConsumeQueue queue, long queueOffset) {
        throw new UnsupportedOperationException();
    }

    /// Shows the confirmed record that starts at `logOffset`.
    ///
    /// @return false when none starts there, or it is gone
    public boolean view(long logOffset, RecordSink sink) {
        throw new UnsupportedOperationException();
    }

    /// Everything below it can no longer be taken back.
    public long confirmOffset() {
        throw new UnsupportedOperationException();
    }

    /// The end of the log.
    public long appended() {
        throw new UnsupportedOperationException();
    }

    /// Everything below it survives a loss of power.
    public long durable() {
        throw new UnsupportedOperationException();
    }

    /// Where the oldest kept segment starts.
    public long minOffset() {
        throw new UnsupportedOperationException();
    }

    public State state() {
        throw new UnsupportedOperationException();
    }

    /// Runs `then` once `confirmOffset` has reached `logOffset`: at once, or after the log sequencer is left.
    ///
    /// @return false when too many wait already; `then` was not taken
    public boolean whenConfirmed(long logOffset, Runnable then) {
        throw new UnsupportedOperationException();
    }

    /// To be called every 100 ms or so: flush by time, queue files, checkpoint, late answers.
    public void tick() {
        throw new UnsupportedOperationException();
    }

    /// Clean stop: everything is synced and `abort` removed, unless the store is fenced. Blocks.
    public void close() {
        throw new UnsupportedOperationException();
    }
}
