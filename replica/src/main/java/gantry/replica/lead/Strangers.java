package gantry.replica.lead;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.member.Limits;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts the connections that have not proved themselves.
///
/// For:   bounding what they cost, and leaving room for others when one host floods.
/// Owner: the group.
/// Holds: STRANGER-1 every one that entered leaves exactly once.
final class Strangers {
    private final Limits limits;
    private final Map<String, Integer> byHost = new HashMap<>();
    private int count;

    Strangers(Limits limits) {
        this.limits = limits;
    }

    /// @return why there is no room for one more; null when it has entered
    @Nullable
    Fault enter(String host) {
        int here = byHost.getOrDefault(host, 0);
        if (here >= limits.maxStrangersPerHost()) {
            return new Fault(Cause.TOO_MANY_STRANGERS, here + " from one host");
        }
        if (count >= limits.maxStrangers()) {
            return new Fault(Cause.TOO_MANY_STRANGERS, count + " altogether");
        }
        byHost.put(host, here + 1);
        count++;
        return null;
    }

    void leave(String host) {
        byHost.computeIfPresent(host, (_, here) -> here == 1 ? null : here - 1);
        count--;
    }

    int count() {
        return count;
    }
}
