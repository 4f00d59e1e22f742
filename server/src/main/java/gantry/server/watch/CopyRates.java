package gantry.server.watch;

import gantry.base.Image;
import gantry.broker.query.BrokerView;
import gantry.broker.replica.MemberStatus;
import gantry.replica.member.MemberState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// How fast members copy a whole log, over the last ten seconds.
///
/// For:   saying whether a re-seed moves, and how long it will take.
/// Owner: whoever calls `sample`, every second or so; anybody may read.
/// Never: more than `SAMPLES` of a member.
final class CopyRates {
    private static final int SAMPLES = 10;

    private record Sample(long nanos, long doneBytes) {}

    private final Map<Long, Deque<Sample>> byMember = new HashMap<>();
    private final Image<Map<Long, Long>> rates = new Image<>(Map.of());

    void sample(BrokerView view, long nowNanos) {
        Map<Long, Long> next = new HashMap<>();
        Map<Long, Deque<Sample>> kept = new HashMap<>();
        view.group().ifPresent(group -> {
            for (MemberStatus member : group.members()) {
                if (member.state() instanceof MemberState.Reseeding copying) {
                    Deque<Sample> samples = byMember.getOrDefault(member.memberId(), new ArrayDeque<>());
                    add(samples, new Sample(nowNanos, copying.doneBytes()));
                    kept.put(member.memberId(), samples);
                    rate(samples).ifPresent(rate -> next.put(member.memberId(), rate));
                }
            }
        });
        byMember.clear();
        byMember.putAll(kept);
        rates.publish(Map.copyOf(next));
    }

    private static void add(Deque<Sample> samples, Sample now) {
        if (!samples.isEmpty() && samples.getLast().doneBytes > now.doneBytes) {
            // It began anew.
            samples.clear();
        }
        samples.addLast(now);
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
    }

    private static OptionalLong rate(Deque<Sample> samples) {
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long nanos = last.nanos - first.nanos;
        return nanos <= 0
                ? OptionalLong.empty()
                : OptionalLong.of((long) ((last.doneBytes - first.doneBytes) * 1e9 / nanos));
    }

    /// Bytes a second; empty while it is not known.
    OptionalLong of(long memberId) {
        Long rate = rates.read().get(memberId);
        return rate == null ? OptionalLong.empty() : OptionalLong.of(rate);
    }
}
