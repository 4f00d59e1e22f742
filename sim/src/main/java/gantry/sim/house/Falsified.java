package gantry.sim.house;

import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.disk.SimDisk;
import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.Export;
import gantry.store.FileId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.zip.CRC32;

/// Changes what a member has folded, so that its own checksums say that all is well.
///
/// For:   showing that nobody else's word is needed to find it but the leader's.
/// Owner: none (stateless).
final class Falsified {
    private static final FileId TOPICS = new FileId("config/topics.json");
    private static final String PERMISSION = "\"perm\":6";

    private Falsified() {}

    /// The topic can no longer be written to, as this member's file has it.
    static void topic(SimDisk disk, String topic) {
        Disk mounted = disk.mount(new Life("forger", 0));
        try {
            byte[] bytes = Export.read(mounted, TOPICS);
            String whole = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
            int crc = whole.indexOf("crc\":") + 5;
            int position = whole.indexOf(',', crc);
            int rest = whole.indexOf("},", position) + 2;
            int at = whole.indexOf(PERMISSION, whole.indexOf("\"" + topic + "\":{"));
            if (at < rest) {
                throw new SimFailure("there is no topic " + topic + " in " + whole);
            }
            String changed = whole.substring(rest, at) + "\"perm\":4" + whole.substring(at + PERMISSION.length());
            CRC32 sum = new CRC32();
            sum.update(changed.getBytes(StandardCharsets.UTF_8));
            String falsified = whole.substring(0, crc) + sum.getValue() + whole.substring(position, rest) + changed;
            SequencedMap<FileId, byte[]> files = new LinkedHashMap<>();
            files.put(TOPICS, falsified.getBytes(StandardCharsets.UTF_8));
            if (Export.replaceAll(mounted, files, Duration.ofSeconds(10)) instanceof Disk.Done.Failed failed) {
                throw new SimFailure(failed.sentence());
            }
        } catch (DiskFailed e) {
            throw new SimFailure(String.valueOf(e.getMessage()), e);
        }
    }
}
