package gantry.replica.epoch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The epochs of a log, from old to new.
///
/// For:   finding how far two logs are the same without comparing their bytes.
/// Owner: none (immutable); every change is a new table.
/// Holds: EPOCH-1 numbers and starts rise strictly.
///
/// An epoch ends where the next one starts, the newest at the log's end. An epoch in which nothing was written
/// leaves no trace once the next begins. A log of which nothing is known (an adopted one) has an empty table.
public final class EpochTable {
    /// How many epochs are kept; the oldest are forgotten. A member whose last common epoch is forgotten has to
    /// copy the whole log.
    public static final int MAX_EPOCHS = 1_000;

    public static final EpochTable EMPTY = new EpochTable(List.of());

    private final List<Epoch> epochs;

    private EpochTable(List<Epoch> epochs) {
        this.epochs = List.copyOf(epochs);
    }

    /// The table of `epochs`, or null when they cannot be one: `fault` says why.
    public static @Nullable EpochTable of(List<Epoch> epochs) {
        return fault(epochs) == null ? new EpochTable(epochs) : null;
    }

    /// What is wrong with a list of epochs; null when nothing is.
    public static @Nullable String fault(List<Epoch> epochs) {
        if (epochs.size() > MAX_EPOCHS) {
            return epochs.size() + " epochs, where " + MAX_EPOCHS + " are allowed";
        }
        for (int i = 1; i < epochs.size(); i++) {
            Epoch before = epochs.get(i - 1);
            Epoch after = epochs.get(i);
            if (after.number() <= before.number() || after.start() <= before.start()) {
                return after + " stands behind " + before;
            }
        }
        return null;
    }

    public List<Epoch> epochs() {
        return epochs;
    }

    public boolean isEmpty() {
        return epochs.isEmpty();
    }

    /// The number of the newest epoch, 0 when there is none.
    public long newest() {
        return epochs.isEmpty() ? 0 : epochs.getLast().number();
    }

    /// Adds a reign. The epochs that start at or behind its start have written nothing that is still there, and
    /// go.
    ///
    /// @throws IllegalArgumentException when its number is not above all others
    public EpochTable begin(Epoch next) {
        if (next.number() <= newest()) {
            throw new IllegalArgumentException(next + " does not follow epoch " + newest());
        }
        List<Epoch> longer = new ArrayList<>(cutAt(next.start()).epochs);
        longer.add(next);
        return new EpochTable(
                longer.size() > MAX_EPOCHS ? longer.subList(longer.size() - MAX_EPOCHS, longer.size()) : longer);
    }

    /// What is left when the log is cut so that it ends at `end`.
    public EpochTable cutAt(long end) {
        int keep = 0;
        while (keep < epochs.size() && epochs.get(keep).start() < end) {
            keep++;
        }
        return keep == epochs.size() ? this : new EpochTable(epochs.subList(0, keep));
    }

    /// What is left when nothing below `begin` is in the log any more; the newest epoch always stays.
    public EpochTable dropBelow(long begin) {
        int drop = 0;
        while (drop + 1 < epochs.size() && epochs.get(drop + 1).start() <= begin) {
            drop++;
        }
        return drop == 0 ? this : new EpochTable(epochs.subList(drop, epochs.size()));
    }

    /// The epoch that the byte at `offset` belongs to; null when the table does not reach so far back.
    public @Nullable Epoch at(long offset) {
        for (int i = epochs.size() - 1; i >= 0; i--) {
            if (epochs.get(i).start() <= offset) {
                return epochs.get(i);
            }
        }
        return null;
    }

    /// The first start of an epoch behind `offset`, or `end` when there is none before it.
    public long nextStart(long offset, long end) {
        for (int i = epochs.size() - 1; i >= 0; i--) {
            long start = epochs.get(i).start();
            if (start <= offset) {
                break;
            }
            if (start < end) {
                end = start;
            }
        }
        return end;
    }

    /// Up to which offset this log and another are the same; -1 when they have no epoch in common.
    public long commonEnd(long end, EpochTable other, long otherEnd) {
        for (int i = epochs.size() - 1; i >= 0; i--) {
            int j = other.epochs.indexOf(epochs.get(i));
            if (j >= 0) {
                return Math.min(endOf(i, end), other.endOf(j, otherEnd));
            }
        }
        return -1;
    }

    private long endOf(int i, long end) {
        return i + 1 < epochs.size() ? Math.min(end, epochs.get(i + 1).start()) : end;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EpochTable table && table.epochs.equals(epochs);
    }

    @Override
    public int hashCode() {
        return epochs.hashCode();
    }

    @Override
    public String toString() {
        return epochs.toString();
    }
}
