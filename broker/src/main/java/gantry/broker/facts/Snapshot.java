package gantry.broker.facts;

import gantry.base.Image;
import gantry.base.Notices;
import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.Export;
import gantry.store.FileId;
import gantry.wire.body.DataVersion;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The folded state as files beside the log, in RocketMQ's shapes, each with the facts offset that it stands for.
///
/// For:   a start that need not fold the whole history, and the way from and to RocketMQ (storage.md §7).
/// Owner: whoever exports; one export at a time.
/// Never: the truth; that is the log. Folding facts again on top of a newer file changes nothing.
/// Holds: SNAP-2 a file that cannot be read is kept under another name, and the generation before it counts.
///
/// ```
///   config/topics.json  subscriptionGroup.json  consumerOffset.json  delayOffset.json    and each one's .bak
/// ```
public final class Snapshot {
    private final Disk disk;
    private final Notices notices;
    private final List<FileId> damaged = new ArrayList<>();
    private final Image<Map<StateFile, Rest>> rests = new Image<>(Map.of());

    public Snapshot(Disk disk, Notices notices) {
        this.disk = disk;
        this.notices = notices;
    }

    /// Reads all files, and changes nothing; once, at start.
    public Map<StateFile, Found> load() throws FactLog.Unreadable {
        Map<StateFile, Found> found = new EnumMap<>(StateFile.class);
        Map<StateFile, Rest> beside = new EnumMap<>(StateFile.class);
        for (StateFile file : StateFile.values()) {
            found.put(file, load(file, beside));
        }
        rests.publish(beside);
        return found;
    }

    private Found load(StateFile file, Map<StateFile, Rest> beside) throws FactLog.Unreadable {
        byte[] newest = read(file, Export::read);
        if (newest == null) {
            return new Found.Absent();
        }
        try {
            return parse(file, newest, beside);
        } catch (JsonFault e) {
            damaged.add(file.file());
            return loadKept(file, beside, disk.describe(file.file()) + " is damaged: " + e.sentence());
        }
    }

    private Found loadKept(StateFile file, Map<StateFile, Rest> beside, String damage) throws FactLog.Unreadable {
        byte[] kept = read(file, Export::readKept);
        if (kept == null) {
            return new Found.Damaged(damage + "; and there is no " + file.file().name() + ".bak");
        }
        try {
            Found found = parse(file, kept, beside);
            notices.alarm(damage + ". The generation before it, " + file.file().name()
                    + ".bak, is used instead, and the damaged file is kept under another name");
            return found;
        } catch (JsonFault e) {
            return new Found.Damaged(damage + "; and so is " + file.file().name() + ".bak: " + e.sentence());
        }
    }

    private interface Reading {
        byte @Nullable [] read(Disk disk, FileId file) throws DiskFailed;
    }

    private byte @Nullable [] read(StateFile file, Reading reading) throws FactLog.Unreadable {
        try {
            return reading.read(disk, file.file());
        } catch (DiskFailed e) {
            throw new FactLog.Unreadable(
                    file.file().path() + " cannot be read: " + e.getMessage()
                            + ". Check the disk and the file's permissions",
                    e);
        }
    }

    private static Found parse(StateFile file, byte[] bytes, Map<StateFile, Rest> beside) throws JsonFault {
        OptionalLong position = Seal.check(bytes);
        JsonObject content = Json.read(bytes).asObject("the file");
        List<Fact> facts = file.facts(content);
        JsonObject ours = Json.read(text(file, stateOf(facts), Rest.NOTHING)).asObject("the file");
        beside.put(file, Rest.of(file, content, ours));
        return new Found.Whole(List.copyOf(facts), position);
    }

    private static State stateOf(List<Fact> facts) {
        State state = new State(
                DataVersion.NONE, DataVersion.NONE, new TreeMap<>(), new TreeMap<>(), Map.of(), new TreeMap<>());
        for (Fact fact : facts) {
            if (fact instanceof Fact.TopicSet set) {
                state.topics().put(set.config().topic(), set.config());
            } else if (fact instanceof Fact.GroupSet set) {
                state.groups().put(set.group().group(), set.group());
            }
        }
        return state;
    }

    /// Gives damaged files another name, so that the next export does not make them the generation before.
    public void setDamagedAside(long wallMillis) throws FactLog.Unreadable {
        for (FileId file : damaged) {
            FileId aside = new FileId(file.path() + ".damaged-" + wallMillis);
            Disk.Done done = disk.rename(file, aside);
            done = done.isOk() ? disk.syncFolder(file.folder()) : done;
            if (done instanceof Disk.Done.Failed failed) {
                throw new FactLog.Unreadable(failed.sentence(), null);
            }
            notices.alarm("A damaged file was kept as " + disk.describe(aside) + ": look at it, then delete it");
        }
        damaged.clear();
    }

    /// Writes all files; waits for the disk, but not longer than `limit`.
    ///
    /// @param position facts below it are in `state`
    /// @return what went wrong, or null
    public @Nullable String write(long position, State state, Duration limit) {
        return Export.replaceAll(disk, contents(position, state), limit) instanceof Disk.Done.Failed failed
                ? failed.sentence()
                : null;
    }

    /// What `write` writes.
    public SequencedMap<FileId, byte[]> contents(long position, State state) {
        SequencedMap<FileId, byte[]> contents = new LinkedHashMap<>();
        for (StateFile file : StateFile.values()) {
            Rest rest = rests.read().getOrDefault(file, Rest.NOTHING);
            contents.put(file.file(), Seal.seal(text(file, state, rest), position));
        }
        return contents;
    }

    /// The same content without our seals, as a RocketMQ broker would say it.
    public Map<StateFile, byte[]> plain(State state) {
        Map<StateFile, byte[]> contents = new EnumMap<>(StateFile.class);
        for (StateFile file : StateFile.values()) {
            Rest rest = rests.read().getOrDefault(file, Rest.NOTHING);
            contents.put(file, text(file, state, rest).getBytes(StandardCharsets.UTF_8));
        }
        return contents;
    }

    private static String text(StateFile file, State state, Rest rest) {
        JsonWriter out = new JsonWriter(Dialect.PEER).beginObject();
        file.write(out, state, rest);
        return out.endObject().toString();
    }
}
