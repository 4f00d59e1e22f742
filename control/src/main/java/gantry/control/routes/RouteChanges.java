package gantry.control.routes;

import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/// Which routes are others in one image than in an earlier one.
///
/// For:   telling whoever wants to know; asked topic by topic, because few of them are watched.
/// Owner: none (immutable).
public final class RouteChanges {
    private final RouteImage before;
    private final RouteImage now;
    private final Set<String> brokers;

    private RouteChanges(RouteImage before, RouteImage now, Set<String> brokers) {
        this.before = before;
        this.now = now;
        this.brokers = brokers;
    }

    public static RouteChanges between(RouteImage before, RouteImage now) {
        Set<String> brokers = new HashSet<>(before.brokers().keySet());
        brokers.addAll(now.brokers().keySet());
        brokers.removeIf(name -> looksTheSame(name, before, now));
        return new RouteChanges(before, now, brokers);
    }

    private static boolean looksTheSame(String brokerName, RouteImage before, RouteImage now) {
        BrokerAddresses was = before.broker(brokerName);
        BrokerAddresses is = now.broker(brokerName);
        return was != null
                && is != null
                && was.equals(is)
                && before.suspects(was).equals(now.suspects(is));
    }

    public boolean has(String topic) {
        TopicEntry was = before.topic(topic);
        TopicEntry is = now.topic(topic);
        return !Objects.equals(was, is) || (is != null && hasBrokerOf(is));
    }

    private boolean hasBrokerOf(TopicEntry entry) {
        if (!brokers.isEmpty()) {
            for (QueueLayout layout : entry.layouts()) {
                if (brokers.contains(layout.brokerName())) {
                    return true;
                }
            }
        }
        return false;
    }
}
