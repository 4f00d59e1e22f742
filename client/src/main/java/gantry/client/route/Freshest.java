package gantry.client.route;

import gantry.client.route.RouteView.Member;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Makes one route out of what several nameservers say.
///
/// For:   believing, about each member of a broker, the nameserver that heard it last.
/// Owner: none (stateless).
/// Never: asks.
///
/// A nameserver that is cut off from a broker, or has hung, or has just started, says something else than the others,
/// and it says so in good faith. How long ago it heard the member tells who is right: one that anybody has heard
/// within `BELIEVED_NANOS` is there, whatever the others lack: that time is longer than it takes to ask again whoever
/// heard it. To take a dead one for living costs another try elsewhere; to miss a living one may cost everything.
final class Freshest {
    /// A member that was heard so lately is there, although a nameserver that was asked later does not list it.
    static final long BELIEVED_NANOS = 15_000_000_000L;

    private Freshest() {}

    /// @param views of one topic, one a nameserver, at least one
    static TopicRoute of(Collection<RouteView> views) {
        TopicRoute base = newest(views).route();
        if (views.stream().noneMatch(RouteView::tellsAges)) {
            return base;
        }
        SortedSet<String> names = new TreeSet<>();
        views.forEach(view -> view.route().brokers().forEach(broker -> names.add(broker.brokerName())));
        List<QueueLayout> queues = new ArrayList<>();
        List<BrokerAddresses> brokers = new ArrayList<>();
        for (String name : names) {
            add(views, name, queues, brokers);
        }
        return new TopicRoute(queues, brokers, base.filterServers(), base.orderConf(), base.mappings());
    }

    /// A broker name with the members that are there, and the queues as the best informed of all sees them.
    private static void add(
            Collection<RouteView> views, String name, List<QueueLayout> queues, List<BrokerAddresses> brokers) {
        SortedSet<Long> ids = new TreeSet<>();
        for (RouteView view : views) {
            BrokerAddresses broker = view.broker(name);
            if (broker != null) {
                ids.addAll(broker.addresses().keySet());
            }
        }
        BrokerAddresses merged = null;
        RouteView informed = null;
        for (long id : ids) {
            Member member = new Member(name, id);
            RouteView best = best(views, member);
            BrokerAddresses broker = best == null ? null : best.broker(name);
            if (best == null || broker == null || isGone(views, best, member)) {
                continue;
            }
            // The smallest id comes first: who heard the master last knows best what can be written.
            informed = informed == null ? best : informed;
            merged = (merged == null ? without(broker) : merged)
                    .with(id, broker.addresses().get(id));
        }
        if (merged != null && informed != null) {
            brokers.add(merged);
            for (QueueLayout queue : informed.route().queues()) {
                if (queue.brokerName().equals(name)) {
                    queues.add(queue);
                }
            }
        }
    }

    private static BrokerAddresses without(BrokerAddresses broker) {
        BrokerAddresses empty = broker;
        for (long id : broker.addresses().keySet()) {
            empty = empty.with(id, null);
        }
        return empty;
    }

    /// Of those that list the member, the one that heard it last.
    private static @Nullable RouteView best(Collection<RouteView> views, Member member) {
        RouteView best = null;
        for (RouteView view : views) {
            if (view.lists(member) && (best == null || view.heardNanos(member) - best.heardNanos(member) > 0)) {
                best = view;
            }
        }
        return best;
    }

    /// Whether a nameserver that does not list the member would have to, if it still were there.
    private static boolean isGone(Collection<RouteView> views, RouteView listing, Member member) {
        long heard = listing.heardNanos(member);
        for (RouteView view : views) {
            if (!view.lists(member)
                    && view.atNanos() - heard > BELIEVED_NANOS
                    && view.listeningMillis() * 1_000_000 > BELIEVED_NANOS) {
                return true;
            }
        }
        return false;
    }

    private static RouteView newest(Collection<RouteView> views) {
        RouteView newest = views.iterator().next();
        for (RouteView view : views) {
            if (view.atNanos() - newest.atNanos() > 0) {
                newest = view;
            }
        }
        return newest;
    }
}
