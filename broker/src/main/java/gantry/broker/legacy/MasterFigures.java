package gantry.broker.legacy;

import gantry.base.Endpoint;
import gantry.wire.body.KeyValueTable;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a RocketMQ master says of itself.
///
/// For:   knowing whether it can be followed, and from where on.
/// Owner: none (immutable).
///
/// @param settings     its configuration (request 26)
/// @param begin        of its log
/// @param end          of its log, when it was asked
/// @param segmentBytes the length of its log's files
record MasterFigures(Map<String, String> settings, long begin, long end, long segmentBytes) {
    private static final long LARGEST_SEGMENT_BYTES = Integer.MAX_VALUE;
    private static final long LEAST_SEGMENT_BYTES = 4096;

    /// The lines of request 26.
    static Map<String, String> settings(byte[] body) {
        Map<String, String> all = new TreeMap<>();
        new String(body, StandardCharsets.UTF_8).lines().forEach(line -> {
            int at = line.indexOf('=');
            if (at > 0) {
                all.put(line.substring(0, at).strip(), line.substring(at + 1).strip());
            }
        });
        return all;
    }

    /// @throws JsonFault when the answers do not say what they must
    static MasterFigures of(Map<String, String> settings, byte[] runtime) throws JsonFault {
        Map<String, String> table = KeyValueTable.fromJson(Json.read(runtime)).table();
        long begin = number(table, "commitLogMinOffset");
        long end = number(table, "commitLogMaxOffset");
        long segmentBytes = number(settings, "mappedFileSizeCommitLog");
        // An empty log says -1.
        begin = Math.max(0, begin);
        if (segmentBytes < LEAST_SEGMENT_BYTES || segmentBytes > LARGEST_SEGMENT_BYTES) {
            throw JsonFault.of("mappedFileSizeCommitLog is " + segmentBytes);
        }
        if (end < begin || begin % segmentBytes != 0) {
            throw JsonFault.of("a log from " + begin + " to " + end + " with files of " + segmentBytes + " bytes");
        }
        return new MasterFigures(settings, begin, end, segmentBytes);
    }

    private static long number(Map<String, String> table, String name) throws JsonFault {
        String text = table.get(name);
        try {
            return Long.parseLong(String.valueOf(text));
        } catch (NumberFormatException e) {
            throw JsonFault.of(name + " is " + text + ", not a number");
        }
    }

    /// Why it cannot be followed; null when it can.
    @Nullable
    LegacyFault obstacle(String clusterName, String brokerName, Endpoint broker) {
        String name = settings.getOrDefault("brokerName", "");
        String cluster = settings.getOrDefault("brokerClusterName", "");
        if (!name.equals(brokerName) || !cluster.equals(clusterName)) {
            return new LegacyFault(
                    LegacyCause.OTHER_NAME,
                    broker + " is brokerName=" + name + " of brokerClusterName=" + cluster + ", this one is "
                            + brokerName + " of " + clusterName);
        }
        if (settings.getOrDefault("brokerRole", "").equals("SLAVE")) {
            return notCarried(broker + " is a slave itself (brokerRole=SLAVE): name its master");
        }
        for (String mode : new String[] {"enableControllerMode", "enableDLegerCommitLog"}) {
            if (settings.getOrDefault(mode, "").equals("true")) {
                return notCarried(broker + " runs with " + mode + "=true, whose replication is another one");
            }
        }
        return null;
    }

    private static LegacyFault notCarried(String what) {
        return new LegacyFault(LegacyCause.NOT_CARRIED, what);
    }
}
