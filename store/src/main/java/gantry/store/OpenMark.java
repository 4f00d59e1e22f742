package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The file `abort`: a start that finds it knows that no clean stop came before.
///
/// ```
///   gantry segmentBytes=1073741824 queueFileBytes=6000000
/// ```
/// RocketMQ looks at its name only, and writes a process number into it, or nothing.
///
/// For:   leaving and finding that mark, with the sizes of files that its writer worked with.
/// Owner: none (stateless).
/// Never: half a mark: it is replaced in one step, because a start after a crash takes its sizes from it.
///
/// @param segmentBytes of a commit-log file
/// @param queueFileBytes of a consume-queue file
record OpenMark(long segmentBytes, long queueFileBytes) {
    static final FileId FILE = Store.ABORT;

    private static final int MOST_BYTES = 256;
    private static final Pattern TEXT =
            Pattern.compile("gantry segmentBytes=([0-9]{1,10}) queueFileBytes=([0-9]{1,10})\\s*");

    /// @return null when there is none, or none of ours
    static @Nullable OpenMark read(Disk disk) throws DiskFailed {
        ByteBuffer content = ByteBuffer.allocate(MOST_BYTES);
        if (disk.read(FILE, 0, content) instanceof Done.Failed failed) {
            if (failed.kind() == Done.Kind.MISSING) {
                return null;
            }
            throw new DiskFailed(failed);
        }
        String text = new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new OpenMark(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : null;
    }

    Done leave(Disk disk) {
        String text = "gantry segmentBytes=" + segmentBytes + " queueFileBytes=" + queueFileBytes + "\n";
        return Export.overwrite(disk, FILE, text.getBytes(StandardCharsets.US_ASCII));
    }
}
