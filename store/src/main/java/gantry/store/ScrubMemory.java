package gantry.store;

import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;

/// Where a round of the scrubber was, for the next start.
///
/// ```
///   config/gantryScrub.json: {"logOffset":1073741824,"roundStartedMillis":1700000000000,"rounds":3}
/// ```
/// For:   rounds that are longer than a process lives.
/// Owner: none (immutable).
/// Never: needed: without the file, or with one that makes no sense, a round begins anew.
record ScrubMemory(long logOffset, long roundStartedMillis, long rounds) {
    static final FileId FILE = new FileId("config/gantryScrub.json");
    static final ScrubMemory NONE = new ScrubMemory(0, 0, 0);

    static ScrubMemory load(Disk disk) {
        try {
            byte[] content = Export.readOnly(disk, FILE);
            if (content != null && Json.read(content) instanceof JsonObject object) {
                return new ScrubMemory(
                        object.whole("logOffset", 0L),
                        object.whole("roundStartedMillis", 0L),
                        object.whole("rounds", 0L));
            }
            return NONE;
        } catch (DiskFailed | JsonFault e) {
            return NONE;
        }
    }

    /// Waits for the disk. A failure costs the next start a longer round, and nothing else.
    void save(Disk disk) {
        String text = new JsonWriter(Dialect.STANDARD)
                .beginObject()
                .field("logOffset", logOffset)
                .field("roundStartedMillis", roundStartedMillis)
                .field("rounds", rounds)
                .endObject()
                .toString();
        Export.overwrite(disk, FILE, text.getBytes(StandardCharsets.UTF_8));
    }
}
