package gantry.replica.lead;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The members whose copies count, the leader among them.
///
/// For:   saying whom `confirmOffset` waits for, and later who may lead.
/// Owner: none (immutable).
///
/// @param version rises with every change, so that a late answer is told from the newest
public record SyncSet(long version, SortedSet<Long> members) {
    public SyncSet {
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }

    public static SyncSet of(long version, Collection<Long> members) {
        return new SyncSet(version, new TreeSet<>(members));
    }

    public boolean has(long member) {
        return members.contains(member);
    }

    public int size() {
        return members.size();
    }
}
