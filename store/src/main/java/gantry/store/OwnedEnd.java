package gantry.store;

import gantry.base.Invariant;
import gantry.store.Checkpoint.Mark;
import org.jspecify.annotations.Nullable;

/// How far a log that somebody owns is confirmed, and how far it is settled.
///
/// ```
///   ├── settled ──────────┼── confirmed, not durable ──┼── written ──┤
///     files of any kind     shown, in memory only        hidden
///     may tell of it
/// ```
/// For:   keeping everything that could be cut away later out of every file that is made from the log.
/// Owner: the log sequencer.
/// Holds: OWNED-1 settled <= confirmed and <= durable, each at the end of an append or a copied record; OWNED-2
///        the queue flush is told of no entry above settled.
final class OwnedEnd {
    private static final LogOwner NOBODY = new LogOwner() {
        @Override
        public void appended(long end) {}

        @Override
        public void durable(long end) {}

        @Override
        public void tick(long nowNanos) {}
    };

    private final LogEnds ends = new LogEnds();
    private final QueueRing settling = new QueueRing();
    private LogOwner owner = NOBODY;
    private Mark confirmed;
    private @Nullable Refusal following =
            new Refusal(Refusal.Kind.FOLLOWING, "this member does not know yet whether it leads; send again");

    /// @param confirmed what is proven to be
    /// @param hidden entries of the records above it, in their order: each may be confirmed by itself
    /// @param end of the log
    OwnedEnd(Mark confirmed, QueueRing hidden, Mark end) {
        this.confirmed = confirmed;
        long[] entries = {confirmed.entryCount()};
        hidden.forEachEnd(recordEnd -> ends.add(recordEnd, confirmed.storeMillis(), ++entries[0]));
        ends.add(end.logOffset(), end.storeMillis(), end.entryCount());
    }

    void ownedBy(LogOwner whom) {
        owner = whom;
    }

    LogOwner owner() {
        return owner;
    }

    void appended(LogTail tail) {
        ends.add(tail.end(), tail.lastMillis(), tail.entryCount());
        owner.appended(tail.end());
    }

    /// @param tail behind them
    void copied(CheckedCopy copy, LogTail tail) {
        copy.addEnds(ends, tail.entryCount() - copy.entryCount());
    }

    /// Queues began in the middle: so many entries lie below every place, too.
    void gave(long entries) {
        confirmed = confirmed.plus(entries);
        ends.plus(entries);
    }

    /// Why sends are refused; null while this member leads.
    @Nullable
    Refusal following() {
        return following;
    }

    void lead() {
        following = null;
    }

    Refusal follow(String leader) {
        Refusal refusal = new Refusal(
                Refusal.Kind.FOLLOWING, "this member follows " + leader + ", which takes messages; send there");
        following = refusal;
        return refusal;
    }

    /// @return the end of the last append, or copied record, that is confirmed as a whole
    long confirm(long logOffset) {
        confirmed = ends.upTo(logOffset, confirmed);
        return confirmed.logOffset();
    }

    /// Entries are shown that may not be in a file before the log is settled up to `end`.
    void shown(ConsumeQueue queue, long shows, long end) {
        settling.add(queue, shows, end);
    }

    Mark settled(Mark durable) {
        return durable.logOffset() <= confirmed.logOffset() ? durable : confirmed;
    }

    /// Lists what may be written to files now.
    void settle(Mark settled, Growth growth) {
        Invariant.check(settled.logOffset() <= confirmed.logOffset(), "OWNED-1 settled is <= confirmed");
        while (settling.has(settled.logOffset())) {
            growth.settle(settling.queue(), settling.shows());
            settling.drop();
        }
    }
}
