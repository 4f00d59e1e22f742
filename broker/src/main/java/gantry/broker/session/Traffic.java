package gantry.broker.session;

import gantry.base.Tally;

/// What clients have sent and been given since the broker started.
///
/// For:   metrics.
/// Owner: none; anybody adds, once for a burst of sends and once for an answered pull.
/// Never: per message, and never exact across its numbers.
public final class Traffic {
    private final Tally messagesIn = new Tally();
    private final Tally bytesIn = new Tally();
    private final Tally refused = new Tally();
    private final Tally messagesOut = new Tally();
    private final Tally bytesOut = new Tally();

    /// At one moment.
    ///
    /// @param messagesIn  acknowledged with SEND_OK
    /// @param bytesIn     of their stored records
    /// @param refused     messages that the log did not take: full disk, too few members, busy
    /// @param messagesOut given to pulls
    /// @param bytesOut    of their stored records
    public record Figures(long messagesIn, long bytesIn, long refused, long messagesOut, long bytesOut) {}

    void taken(int messages, long bytes) {
        messagesIn.add(messages);
        bytesIn.add(bytes);
    }

    void refused(int messages) {
        refused.add(messages);
    }

    public void given(int messages, long bytes) {
        messagesOut.add(messages);
        bytesOut.add(bytes);
    }

    public Figures figures() {
        return new Figures(messagesIn.read(), bytesIn.read(), refused.read(), messagesOut.read(), bytesOut.read());
    }
}
