package gantry.net;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts what happens to connections.
///
/// For:   `NettyNetwork.figures`.
/// Owner: itself; safe from any thread.
/// Never: per-frame counting.
final class Counts {
    final LongAdder accepted = new LongAdder();
    final LongAdder dialled = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder overflowed = new LongAdder();
    final LongAdder idled = new LongAdder();
    final LongAdder faults = new LongAdder();
    private final Map<Stranger, LongAdder> strangers = new EnumMap<>(Stranger.class);

    Counts() {
        for (Stranger stranger : Stranger.values()) {
            strangers.put(stranger, new LongAdder());
        }
    }

    void stranger(Stranger who) {
        LongAdder count = strangers.get(who);
        if (count != null) {
            count.increment();
        }
    }

    /// By what they sent.
    Map<String, Long> strangers() {
        Map<String, Long> sums = new TreeMap<>();
        strangers.forEach((who, count) -> sums.put(who.name(), count.sum()));
        return sums;
    }
}
