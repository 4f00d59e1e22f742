package gantry.control.routes;

import gantry.wire.body.BrokerAddresses;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The living processes, and the addresses that follow from them.
///
/// For:   keeping the two tables in step.
/// Owner: the route table's.
/// Holds: ROUTE-1 every address of a broker name belongs to a living process of that name and id.
final class Brokers {
    private final SortedMap<BrokerKey, Living> living = new TreeMap<>();
    private final SortedMap<String, BrokerAddresses> addresses = new TreeMap<>();
    private boolean changed;

    @Nullable
    Living find(BrokerKey key) {
        return living.get(key);
    }

    /// All living processes, as they are now; the table may change while the caller walks.
    List<Living> all() {
        return new ArrayList<>(living.values());
    }

    int count() {
        return living.size();
    }

    /// A living process of that broker name in another cluster and at another address.
    @Nullable
    Living elsewhere(BrokerIdentity broker) {
        for (Living other : members(broker.brokerName())) {
            if (!other.broker.cluster().equals(broker.cluster())
                    && !other.broker.address().equals(broker.address())) {
                return other;
            }
        }
        return null;
    }

    /// What the process at this address was known as, when that is not what it says now: a follower that became
    /// master, or a process with another name.
    @Nullable
    Living renamed(BrokerIdentity broker) {
        Living same = living.get(broker.key());
        if (same != null) {
            return same.broker.equals(broker) ? null : same;
        }
        for (Living other : members(broker.brokerName())) {
            if (other.broker.address().equals(broker.address())) {
                return other;
            }
        }
        return null;
    }

    List<Living> members(String brokerName) {
        List<Living> members = new ArrayList<>();
        for (Living each : living.values()) {
            if (each.broker.brokerName().equals(brokerName)) {
                members.add(each);
            }
        }
        return members;
    }

    @Nullable
    BrokerAddresses addresses(String brokerName) {
        return addresses.get(brokerName);
    }

    /// Who has the id of this broker now.
    @Nullable
    Living holder(BrokerIdentity broker) {
        return at(broker.brokerName(), broker.brokerId());
    }

    /// The living master of a broker name.
    @Nullable
    Living master(String brokerName) {
        return at(brokerName, BrokerAddresses.MASTER_ID);
    }

    /// The process with the smallest id of a broker name.
    @Nullable
    Living first(String brokerName) {
        BrokerAddresses known = addresses.get(brokerName);
        return known == null ? null : at(brokerName, known.addresses().firstKey());
    }

    private @Nullable Living at(String brokerName, long id) {
        BrokerAddresses known = addresses.get(brokerName);
        if (known == null) {
            return null;
        }
        String address = known.addresses().get(id);
        return address == null ? null : living.get(new BrokerKey(known.cluster(), address));
    }

    /// Enters a process, or what it says now; it has the id of its broker from now on.
    void enter(Living now, boolean actingMaster, @Nullable String zone) {
        BrokerIdentity broker = now.broker;
        Living before = living.put(broker.key(), now);
        BrokerAddresses known = addresses.get(broker.brokerName());
        SortedMap<Long, String> ids = known == null ? new TreeMap<>() : new TreeMap<>(known.addresses());
        ids.put(broker.brokerId(), broker.address());
        BrokerAddresses next = new BrokerAddresses(broker.cluster(), broker.brokerName(), ids, actingMaster, zone);
        addresses.put(broker.brokerName(), next);
        changed |= before == null || !next.equals(known) || !before.image().equals(now.image());
    }

    /// Takes a process out; its broker name goes with the last one.
    void leave(Living gone) {
        living.remove(gone.broker.key());
        BrokerAddresses known = addresses.get(gone.broker.brokerName());
        if (known != null && gone.broker.address().equals(known.addresses().get(gone.broker.brokerId()))) {
            BrokerAddresses rest = known.with(gone.broker.brokerId(), null);
            if (rest.addresses().isEmpty()) {
                addresses.remove(rest.brokerName());
            } else {
                addresses.put(rest.brokerName(), rest);
            }
        }
        changed = true;
    }

    /// Something of a process is shown otherwise.
    void touch() {
        changed = true;
    }

    boolean changed() {
        return changed;
    }

    NavigableMap<String, BrokerAddresses> addressImage() {
        return Collections.unmodifiableNavigableMap(new TreeMap<>(addresses));
    }

    NavigableMap<BrokerKey, RouteImage.LivingProcess> processImage() {
        changed = false;
        NavigableMap<BrokerKey, RouteImage.LivingProcess> image = new TreeMap<>();
        living.forEach((key, each) -> image.put(key, each.image()));
        return image;
    }
}
