package gantry.net;

import java.util.Map;

/// What the network has done so far and holds now.
///
/// For:   metrics and health.
/// Owner: none (immutable).
/// Never: exact across its fields; they are read one after another.
///
/// @param open connections that are open now
/// @param accepted connections that others opened
/// @param dialled connections that this process opened or tried to
/// @param refused connections beyond the limit
/// @param strangersByCause connections closed because what they sent is no frame, or none came in time; by what it was
/// @param overflowed connections closed because they did not read what was sent to them
/// @param idled connections closed because nothing moved on them
/// @param faults connections closed because of a fault of this program
/// @param outboxBytes memory of what waits to go out
/// @param gatheredBytes memory of received parts of unfinished frames
public record NetFigures(
        int open,
        long accepted,
        long dialled,
        long refused,
        Map<String, Long> strangersByCause,
        long overflowed,
        long idled,
        long faults,
        long outboxBytes,
        long gatheredBytes) {
    public NetFigures {
        strangersByCause = Map.copyOf(strangersByCause);
    }

    /// All of them together.
    public long strangers() {
        return strangersByCause.values().stream().mapToLong(Long::longValue).sum();
    }
}
