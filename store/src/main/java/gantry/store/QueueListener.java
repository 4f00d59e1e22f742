package gantry.store;

/// Told of new messages.
///
/// For:   waking parked pulls.
/// Owner: whoever opened the store; called on the thread that made the entries visible, after it left the log
///        sequencer.
/// Never: blocks.
public interface QueueListener {
    /// `maxOffset` of a queue with `watched` set has grown.
    void grown(ConsumeQueue queue);
}
