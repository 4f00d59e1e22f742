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
/// @param checks what the broker knows of its own log and state; empty of RocketMQ's brokers
public record HaStatus(
        boolean master,
        long masterEnd,
        int inSync,
        List<Slave> slaves,
        Optional<Client> client,
        Optional<Checks> checks)
        implements Body {
    private static final String CHECKS = "gantryChecks";
    private static final String MISSING = "stateMissing";
    private static final String WALK = "gantryComparison";

    /// @param addr where its connection comes from
    /// @param acknowledged below it the slave has the log; from 0 to the master's end
    /// @param walk what comparing its log with the master's has come to; empty where nothing is compared
    public record Slave(String addr, long acknowledged, long behind, boolean inSync, Optional<Walk> walk) {
        public Slave(String addr, long acknowledged, long behind, boolean inSync) {
            this(addr, acknowledged, behind, inSync, Optional.empty());
        }
    }

    /// @param endedMillis when the last comparison of the whole log ended, in wall-clock milliseconds; 0: none has
    /// @param at log offset that the one under way has come to; -1 while there is none
    /// @param goesTo log offset at which it ends; -1 while there is none
    /// @param rotten ranges that were found rotten at the slave so far
    /// @param differing ranges that differ although each side says that its own is sound
    public record Walk(long endedMillis, long at, long goesTo, long rotten, int differing) {}

    /// @param rotten places of its log that are known to be rotten now
    /// @param state what became of the last comparison of the folded state: `none`, `told`, `same`, `differs`
    /// @param stateAt log offset for which that was; -1 none yet
    /// @param parts of the state that differ
    /// @param missing why none has taken place for too long; empty while they do
    public record Checks(int rotten, String state, long stateAt, List<String> parts, String missing) {
        public Checks {
            parts = List.copyOf(parts);
        }

        public Checks(int rotten, String state, long stateAt, List<String> parts) {
            this(rotten, state, stateAt, parts, "");
        }
    }

    /// As RocketMQ's brokers say it.
    public HaStatus(boolean master, long masterEnd, int inSync, List<Slave> slaves, Optional<Client> client) {
        this(master, masterEnd, inSync, slaves, client, Optional.empty());
    }

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
                    slave.flag("inSync", false),
                    slave.find(WALK) == null ? Optional.empty() : Optional.of(walk(slave.object(WALK)))));
        }
        boolean master = object.flag("master", true);
        return new HaStatus(
                master,
                object.whole("masterCommitLogMaxOffset", 0L),
                object.whole("inSyncSlaveNums", 0),
                slaves,
                master ? Optional.empty() : Optional.of(client(object.object("haClientRuntimeInfo"))),
                object.find(CHECKS) == null ? Optional.empty() : Optional.of(checks(object.object(CHECKS))));
    }

    private static Walk walk(JsonObject walk) throws JsonFault {
        return new Walk(
                walk.whole("endedMillis", 0L),
                walk.whole("at", -1L),
                walk.whole("goesTo", -1L),
                walk.whole("rottenRanges", 0L),
                walk.whole("differingRanges", 0));
    }

    private static Checks checks(JsonObject checks) throws JsonFault {
        return new Checks(
                checks.whole("rottenPlaces", 0),
                checks.text("state", "none"),
                checks.whole("stateLogOffset", -1L),
                checks.texts("stateParts"),
                checks.text(MISSING, ""));
    }

    private static Client client(JsonObject self) throws JsonFault {
        return new Client(
                self.text("masterAddr", ""),
                self.whole("maxOffset", 0L),
                self.whole("masterFlushOffset", 0L),
                self.whole("lastReadTimestamp", 0L));
    }

    private static void write(JsonWriter out, Checks own) {
        out.beginObject()
                .field("rottenPlaces", own.rotten)
                .field("state", own.state)
                .field("stateLogOffset", own.stateAt)
                .field("stateParts", own.parts);
        if (!own.missing.isEmpty()) {
            out.field(MISSING, own.missing);
        }
        out.endObject();
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        checks.ifPresent(own -> write(out.name(CHECKS), own));
        client.ifPresent(self -> out.name("haClientRuntimeInfo")
                .beginObject()
                .field("lastReadTimestamp", self.heardMillis)
                .field("masterAddr", self.masterAddr)
                .field("masterFlushOffset", self.masterEnd)
                .field("maxOffset", self.end)
                .endObject());
        out.name("haConnectionInfo").beginArray();
        slaves.forEach(slave -> {
            out.beginObject().field("addr", slave.addr).field("diff", slave.behind);
            slave.walk.ifPresent(walk -> out.name(WALK)
                    .beginObject()
                    .field("at", walk.at)
                    .field("differingRanges", walk.differing)
                    .field("endedMillis", walk.endedMillis)
                    .field("goesTo", walk.goesTo)
                    .field("rottenRanges", walk.rotten)
                    .endObject());
            out.field("inSync", slave.inSync)
                    .field("slaveAckOffset", slave.acknowledged)
                    .field("transferFromWhere", slave.acknowledged)
                    .endObject();
        });
        out.endArray()
                .field("inSyncSlaveNums", inSync)
                .field("master", master)
                .field("masterCommitLogMaxOffset", masterEnd)
                .endObject();
    }
}
