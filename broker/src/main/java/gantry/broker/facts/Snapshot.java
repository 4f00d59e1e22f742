package gantry.broker.facts;

import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.Export;
import gantry.store.FileId;
import gantry.wire.body.Body;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The folded state as files beside the log, in Apache's shapes, with the facts offset that they stand for.
///
/// For:   a start that need not fold the whole history, and the way back to Apache (storage.md §7).
/// Owner: whoever exports; one export at a time.
/// Never: the truth; that is the log. Folding facts again on top of a newer file changes nothing.
///
/// ```
///   config/topics.json  config/subscriptionGroup.json  config/consumerOffset.json      Apache's shapes
///   config/gantryFacts.json   {"delay":{3:17},"queueOffset":N}    the others hold at least everything below N; written
/// last
/// ```
public final class Snapshot {
    public static final FileId TOPICS = new FileId("config/topics.json");
    public static final FileId GROUPS = new FileId("config/subscriptionGroup.json");
    public static final FileId OFFSETS = new FileId("config/consumerOffset.json");
    private static final FileId POSITION = new FileId("config/gantryFacts.json");

    /// @param queueOffset facts below it are in the files
    /// @param delay       how far each delay level has been delivered
    public record Position(long queueOffset, SortedMap<Integer, Long> delay) implements Body {
        @Override
        public void write(JsonWriter out) {
            out.beginObject().name("delay").beginObject();
            delay.forEach((level, offset) -> out.name(level).whole(offset));
            out.endObject().field("queueOffset", queueOffset).endObject();
        }
    }

    private final Disk disk;

    public Snapshot(Disk disk) {
        this.disk = disk;
    }

    /// The facts below this offset are in the files; 0 when there are no files of ours.
    public Position position() throws FactLog.Unreadable {
        Json json = read(POSITION);
        if (json == null) {
            return new Position(0, Collections.emptySortedMap());
        }
        try {
            JsonObject object = json.asObject("the position");
            JsonObject delay = object.object("delay");
            SortedMap<Integer, Long> progress = new TreeMap<>();
            for (int i = 0; i < delay.size(); i++) {
                progress.put(delay.key(i).asInt("a delay level"), delay.value(i).asWhole("an offset"));
            }
            return new Position(object.whole("queueOffset", 0L), progress);
        } catch (JsonFault e) {
            throw unreadable(POSITION, e);
        }
    }

    /// One of the files, or null when there is none.
    public @Nullable Json read(FileId file) throws FactLog.Unreadable {
        try {
            byte[] content = Export.read(disk, file);
            return content == null ? null : Json.read(content);
        } catch (DiskFailed e) {
            throw new FactLog.Unreadable(
                    file.path() + " cannot be read: " + e.getMessage() + ". Check the disk and the file's permissions",
                    e);
        } catch (JsonFault e) {
            throw unreadable(file, e);
        }
    }

    /// Writes all files; waits for the disk.
    ///
    /// @return what went wrong, or null
    public @Nullable String write(Position position, Body topics, Body groups, Body offsets) {
        Map<FileId, byte[]> files = new LinkedHashMap<>();
        files.put(TOPICS, topics.toBytes());
        files.put(GROUPS, groups.toBytes());
        files.put(OFFSETS, offsets.toBytes());
        files.put(POSITION, position.toBytes());
        for (Map.Entry<FileId, byte[]> file : files.entrySet()) {
            if (Export.replace(disk, file.getKey(), file.getValue()) instanceof Disk.Done.Failed failed) {
                return failed.sentence();
            }
        }
        return null;
    }

    private static FactLog.Unreadable unreadable(FileId file, JsonFault fault) {
        return new FactLog.Unreadable(
                file.path() + " is damaged: " + fault.sentence() + ". Its last good content is " + file.path()
                        + ".bak: look at both, and put the right one in place",
                fault);
    }
}
