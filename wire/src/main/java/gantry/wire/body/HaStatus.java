package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How a master and its slaves stand, as RocketMQ's tools read it.
///
/// For:   the answer to code 907.
/// Owner: none (immutable).
/// Never: a rate that nobody measures; readers take a field that is missing for 0.
///
/// @param slaves those that are connected, of a master
/// @param client what a slave says of itself; empty of a master
public record HaStatus(boolean master, long masterEnd, int inSync, List<Slave> slaves, Optional<Client> client)
        implements Body {
    /// @param addr where its connection comes from
    /// @param acknowledged below it the slave has the log; from 0 to the master's end
    public record Slave(String addr, long acknowledged, long behind, boolean inSync) {}

    /// @param masterEnd up to where the master's log is known to go
    /// @param heardMillis when it heard its master last, in milliseconds of the wall clock; 0 never
    public record Client(String masterAddr, long end, long masterEnd, long heardMillis) {}

    public HaStatus {
        slaves = List.copyOf(slaves);
    }

    /// Also what RocketMQ's brokers say, who tell more.
    public static HaStatus fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("how a master and its slaves stand");
        List<Slave> slaves = new ArrayList<>();
        for (Json each : object.array("haConnectionInfo")) {
            JsonObject slave = each.asObject("a slave");
            slaves.add(new Slave(
                    slave.text("addr", ""),
                    slave.whole("slaveAckOffset", 0L),
                    slave.whole("diff", 0L),
                    slave.flag("inSync", false)));
        }
        boolean master = object.flag("master", true);
        return new HaStatus(
                master,
                object.whole("masterCommitLogMaxOffset", 0L),
                object.whole("inSyncSlaveNums", 0),
                slaves,
                master ? Optional.empty() : Optional.of(client(object.object("haClientRuntimeInfo"))));
    }

    private static Client client(JsonObject self) throws JsonFault {
        return new Client(
                self.text("masterAddr", ""),
                self.whole("maxOffset", 0L),
                self.whole("masterFlushOffset", 0L),
                self.whole("lastReadTimestamp", 0L));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        client.ifPresent(self -> out.name("haClientRuntimeInfo")
                .beginObject()
                .field("lastReadTimestamp", self.heardMillis)
                .field("masterAddr", self.masterAddr)
                .field("masterFlushOffset", self.masterEnd)
                .field("maxOffset", self.end)
                .endObject());
        out.name("haConnectionInfo").beginArray();
        slaves.forEach(slave -> out.beginObject()
                .field("addr", slave.addr)
                .field("diff", slave.behind)
                .field("inSync", slave.inSync)
                .field("slaveAckOffset", slave.acknowledged)
                .field("transferFromWhere", slave.acknowledged)
                .endObject());
        out.endArray()
                .field("inSyncSlaveNums", inSync)
                .field("master", master)
                .field("masterCommitLogMaxOffset", masterEnd)
                .endObject();
    }
}
