package gantry.replica.frame;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.LogView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What the follower holds, and the request to go on from there; sent after the hello and again after a cut.
///
/// ```
///   0         16      24    32       40        48     56       60
///   ┌─────────┬───────┬─────┬────────┬─────────┬──────┬────────┬──────────┬───────────────────────┐
///   │ logId   │ begin │ end │ synced │ confirm │ seen │ credit │ 2: count │ count × epoch 24      │
///   └─────────┴───────┴─────┴────────┴─────────┴──────┴────────┴──────────┴───────────────────────┘
///   epoch:  number 8 │ start 8 │ mark 8          behind the epochs, since version 3: fileBytes 8
/// ```
/// For:   agreeing where to go on.
/// Owner: none (immutable).
///
/// @param synced up to where its log is on disk
/// @param seen the newest epoch that it has ever followed
/// @param creditBytes how many bytes it takes before they are acknowledged as written
/// @param fileBytes how long each file of its log is; 0: unknown
public record Position(LogView log, long synced, long seen, int creditBytes, long fileBytes) {
    /// From this version on the length of the log's files is told.
    private static final int TELLS_FILE_BYTES = 3;

    private static final int FIXED_BYTES = 60;

    /// @param version of the protocol, as it was agreed
    public static Position read(BodyReader in, int version) {
        var logId = in.logId();
        long begin = in.int64();
        long end = in.int64();
        long synced = in.int64();
        long confirm = in.int64();
        long seen = in.int64();
        int credit = in.int32();
        LogView log = new LogView(logId, in.epochs(), begin, end, confirm);
        long fileBytes = version >= TELLS_FILE_BYTES ? in.int64() : 0;
        Position position = new Position(log, synced, seen, credit, fileBytes);
        String fault = position.fault();
        if (fault != null) {
            in.reject(fault);
        }
        return position;
    }

    private @Nullable String fault() {
        if (synced < 0 || synced > log.end()) {
            return "it has " + synced + " on disk of a log that ends at " + log.end();
        }
        if (seen < log.epochs().newest() || seen > Epoch.MAX_NUMBER) {
            return "it has seen epoch " + seen + " and holds epoch "
                    + log.epochs().newest();
        }
        if (fileBytes < 0) {
            return "files of " + fileBytes + " bytes";
        }
        return creditBytes < 0 ? "a credit of " + creditBytes + " bytes" : log.fault();
    }

    public ByteBuffer write(FrameWriter out, int version) {
        boolean tells = version >= TELLS_FILE_BYTES;
        ByteBuffer to = out.body(FIXED_BYTES + BodyWriter.epochsBytes(log.epochs()) + (tells ? 8 : 0));
        BodyWriter.logId(to, log.logId());
        to.putLong(log.begin()).putLong(log.end()).putLong(synced).putLong(log.confirm());
        to.putLong(seen).putInt(creditBytes);
        BodyWriter.epochs(to, log.epochs());
        return tells ? to.putLong(fileBytes) : to;
    }
}
