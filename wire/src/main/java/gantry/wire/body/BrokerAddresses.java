package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Where the members of one broker are.
///
/// For:   the address part of a route.
/// Owner: none (immutable).
///
/// @param addresses by broker id; 0 is the master
/// @param actingMaster whether the smallest id may act when there is no master
public record BrokerAddresses(
        String cluster,
        String brokerName,
        SortedMap<Long, String> addresses,
        boolean actingMaster,
        @Nullable String zone)
        implements Body {
    /// The id of a master.
    public static final long MASTER_ID = 0;

    public BrokerAddresses {
        addresses = Tables.frozenSorted(addresses);
    }

    /// With `address` at `id`, or without anything there when it is null.
    public BrokerAddresses with(long id, @Nullable String address) {
        SortedMap<Long, String> changed = new TreeMap<>(addresses);
        if (address == null) {
            changed.remove(id);
        } else {
            changed.put(id, address);
        }
        return new BrokerAddresses(cluster, brokerName, changed, actingMaster, zone);
    }

    public boolean hasMaster() {
        return addresses.containsKey(MASTER_ID);
    }

    public static BrokerAddresses fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a broker's addresses");
        return new BrokerAddresses(
                object.text("cluster", ""),
                object.requireText("brokerName"),
                Tables.textById(object, "brokerAddrs"),
                object.flag("enableActingMaster", false),
                object.text("zoneName"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        Tables.writeById(out, "brokerAddrs", addresses);
        out.field("brokerName", brokerName)
                .field("cluster", cluster)
                .field("enableActingMaster", actingMaster)
                .field("zoneName", zone)
                .endObject();
    }
}
