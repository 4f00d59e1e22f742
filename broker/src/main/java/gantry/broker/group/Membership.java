package gantry.broker.group;

import gantry.base.Link;
import gantry.wire.body.Subscription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who is in one group, and what the consumers of it subscribe to.
///
/// For:   lists of members and the news that they changed.
/// Owner: the shard of its group.
/// Never: sends anything; it says whether something changed.
/// Holds: MEM-1 a closed link takes along only the members that it carried last.
final class Membership {
    /// A member is gone when it has not been heard for this long (remoting.md §3.3).
    static final long EXPIRY_NANOS = 120_000_000_000L;

    record Member(String clientId, Link link, int version, long heardNanos) {}

    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, ConsumerGroup.Subscribed> subscriptions = new HashMap<>();

    /// @return whether the member is new, or speaks through another link than before
    boolean heard(String clientId, Link link, int version, long nowNanos) {
        Member before = members.put(clientId, new Member(clientId, link, version, nowNanos));
        return before == null || before.link.id() != link.id();
    }

    /// Takes over what a consumer says it subscribes to; the newest version of each topic wins, topics that are not
    /// named any more go.
    ///
    /// @return whether anything changed
    boolean subscribe(List<Subscription> said) {
        boolean changed = false;
        for (Subscription next : said) {
            ConsumerGroup.Subscribed before = subscriptions.get(next.topic());
            if (before == null || next.version() > before.subscription().version()) {
                changed |= before == null || !before.subscription().expression().equals(next.expression());
                subscriptions.put(next.topic(), new ConsumerGroup.Subscribed(next, Tags.of(next.expression())));
            }
        }
        boolean removed = subscriptions.keySet().removeIf(topic -> !names(said, topic));
        return changed || removed;
    }

    private static boolean names(List<Subscription> said, String topic) {
        for (Subscription subscription : said) {
            if (subscription.topic().equals(topic)) {
                return true;
            }
        }
        return false;
    }

    /// @return whether it was a member
    boolean leave(String clientId) {
        return members.remove(clientId) != null;
    }

    /// @return whether the link carried a member
    boolean linkClosed(Link link) {
        return members.values().removeIf(member -> member.link.id() == link.id());
    }

    /// @return whether anybody had to go
    boolean expire(long nowNanos) {
        return members.values().removeIf(member -> nowNanos - member.heardNanos >= EXPIRY_NANOS);
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    List<String> clientIds() {
        return new ArrayList<>(members.keySet());
    }

    List<Member> all() {
        return new ArrayList<>(members.values());
    }

    @Nullable
    Member find(String clientId) {
        return members.get(clientId);
    }

    Map<String, ConsumerGroup.Subscribed> subscriptions() {
        return Map.copyOf(subscriptions);
    }
}
