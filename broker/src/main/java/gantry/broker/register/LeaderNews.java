package gantry.broker.register;

import gantry.base.Endpoint;
import gantry.base.Image;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the nameservers say of a follower's leader.
///
/// For:   one answer out of several, of which some may be old.
/// Owner: the registration sequencer; anybody reads `newest`.
/// Never: asks; contacts do.
///
/// Of the nameservers that named a leader lately the one counts whose word changed last: a nameserver that has not
/// noticed yet that the leader moved has said the same for longer. When none names one, the last word is kept for
/// a while, so that a nameserver which forgets the leader takes nothing from a follower that can still reach it.
final class LeaderNews {
    /// A word younger than this counts as said now; a follower asks every second.
    static final long FRESH_NANOS = 5_000_000_000L;

    /// So long the last word is kept when no nameserver names a leader.
    static final long KEPT_NANOS = 60_000_000_000L;

    private record Word(LeaderPlace leader, long sinceNanos, long heardNanos) {}

    private final Map<Endpoint, Word> words = new LinkedHashMap<>();
    private final Image<Optional<LeaderPlace>> newest = new Image<>(Optional.empty());

    /// A nameserver names the leader.
    void named(Endpoint nameserver, LeaderPlace leader, long nowNanos) {
        Word before = words.get(nameserver);
        long sinceNanos = before != null && before.leader.equals(leader) ? before.sinceNanos : nowNanos;
        words.put(nameserver, new Word(leader, sinceNanos, nowNanos));
        tick(nowNanos);
    }

    /// Words grow old.
    void tick(long nowNanos) {
        words.values().removeIf(word -> nowNanos - word.heardNanos >= KEPT_NANOS);
        Word best = null;
        for (Word word : words.values()) {
            if (isBetter(word, best, nowNanos)) {
                best = word;
            }
        }
        Optional<LeaderPlace> next = best == null ? Optional.empty() : Optional.of(best.leader);
        if (!next.equals(newest.read())) {
            newest.publish(next);
        }
    }

    private static boolean isBetter(Word word, @Nullable Word than, long nowNanos) {
        if (than == null) {
            return true;
        }
        boolean fresh = nowNanos - word.heardNanos < FRESH_NANOS;
        boolean thanFresh = nowNanos - than.heardNanos < FRESH_NANOS;
        if (fresh != thanFresh) {
            return fresh;
        }
        return fresh ? word.sinceNanos - than.sinceNanos > 0 : word.heardNanos - than.heardNanos > 0;
    }

    Optional<LeaderPlace> newest() {
        return newest.read();
    }
}
