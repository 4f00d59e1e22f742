package gantry.client.route;

import gantry.base.Endpoint;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.TopicRoute;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one nameserver has said of one topic.
///
/// For:   comparing the words of several.
/// Owner: none (immutable).
///
/// @param heardMillis how long ago it had heard each member, by its own word; empty when it does not tell
/// @param listeningMillis for how long it has been hearing brokers; whoever has only begun to cannot know of all
/// @param atNanos when it said so
record RouteView(
        Endpoint nameserver, TopicRoute route, Map<Member, Long> heardMillis, long listeningMillis, long atNanos) {
    /// One process of a broker name.
    record Member(String brokerName, long brokerId) {}

    /// A word about a member from a nameserver that does not say how old it is counts as so old.
    private static final long UNTOLD_MILLIS = 30_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    RouteView {
        heardMillis = Map.copyOf(heardMillis);
    }

    boolean tellsAges() {
        return !heardMillis.isEmpty();
    }

    @Nullable
    BrokerAddresses broker(String brokerName) {
        for (BrokerAddresses each : route.brokers()) {
            if (each.brokerName().equals(brokerName)) {
                return each;
            }
        }
        return null;
    }

    boolean lists(Member member) {
        BrokerAddresses broker = broker(member.brokerName());
        return broker != null && broker.addresses().containsKey(member.brokerId());
    }

    /// When it had heard that member last, on our clock.
    long heardNanos(Member member) {
        return atNanos - heardMillis.getOrDefault(member, UNTOLD_MILLIS) * NANOS_PER_MILLI;
    }
}
