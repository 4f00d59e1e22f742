package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Comparator;

/// Which state of a table somebody holds.
///
/// For:   noticing with three numbers that a table has changed.
/// Owner: none (immutable).
/// Never: equal for two different tables of one broker; different for nothing but a rewrite.
///
/// @param stateVersion the broker's mastership counter; 0 with 4.9 peers
public record DataVersion(long stateVersion, long timestampMillis, long counter)
        implements Body, Comparable<DataVersion> {
    /// Older than everything.
    public static final DataVersion NONE = new DataVersion(0, 0, 0);

    private static final Comparator<DataVersion> ORDER = Comparator.comparingLong(DataVersion::stateVersion)
            .thenComparingLong(DataVersion::counter)
            .thenComparingLong(DataVersion::timestampMillis);

    public DataVersion next(long wallMillis) {
        return new DataVersion(stateVersion, wallMillis, counter + 1);
    }

    public static DataVersion fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a data version");
        return new DataVersion(
                object.whole("stateVersion", 0L), object.whole("timestamp", 0L), object.whole("counter", 0L));
    }

    /// The version in a field, `NONE` when there is none.
    static DataVersion in(JsonObject object, String name) throws JsonFault {
        Json json = object.find(name);
        return json == null ? NONE : fromJson(json);
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("counter", counter)
                .field("stateVersion", stateVersion)
                .field("timestamp", timestampMillis)
                .endObject();
    }

    /// By state version, counter, time stamp.
    @Override
    public int compareTo(DataVersion other) {
        return ORDER.compare(this, other);
    }
}
