package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.SortedMap;

/// The members of one broker, as they ask for one another.
///
/// For:   the answer to code 901.
/// Owner: none (immutable).
///
/// @param addresses by broker id
public record BrokerMemberGroup(String cluster, String brokerName, SortedMap<Long, String> addresses) implements Body {
    public BrokerMemberGroup {
        addresses = Tables.frozenSorted(addresses);
    }

    public static BrokerMemberGroup fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a member group's answer").object("brokerMemberGroup");
        return new BrokerMemberGroup(
                object.text("cluster", ""), object.text("brokerName", ""), Tables.textById(object, "brokerAddrs"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().name("brokerMemberGroup").beginObject();
        Tables.writeById(out, "brokerAddrs", addresses);
        out.field("brokerName", brokerName)
                .field("cluster", cluster)
                .endObject()
                .endObject();
    }
}
