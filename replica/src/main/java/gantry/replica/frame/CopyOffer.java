package gantry.replica.frame;

import gantry.replica.copy.Snapshot;
import gantry.replica.copy.Snapshot.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the copy consists of, and whether it goes on where the follower's ends.
///
/// ```
///   0      1       9     17        25           33               41
///   ┌──────┬───────┬─────┬─────────┬────────────┬────────────────┬──────────┬─────────────────────────┐
///   │ kind │ begin │ end │ confirm │ snapshotId │ snapshotOffset │ 2: count │ count × size 8, name 1+n│
///   └──────┴───────┴─────┴─────────┴────────────┴────────────────┴──────────┴─────────────────────────┘
/// ```
/// For:   the follower asking for room, and both counting bytes alike. Log id and epochs stand in the verdict.
/// Owner: none (immutable).
///
/// @param kind `CopyRequest.ANEW`: from the first byte; `SNAPSHOT`, `LOG`: where the request said that it ends,
///        in the latter case with no part
/// @param end what is in the log now: the copy ends there
public record CopyOffer(int kind, long begin, long end, long confirm, Snapshot snapshot) {
    /// No log is longer, so that sums of offsets cannot overflow.
    public static final long MAX_END = 1L << 61;

    private static final int FIXED_BYTES = 43;
    private static final int PART_BYTES = 9;

    public static CopyOffer read(BodyReader in) {
        int kind = in.u8();
        long begin = in.int64();
        long end = in.int64();
        long confirm = in.int64();
        long id = in.int64();
        long offset = in.int64();
        int count = in.u16();
        if (count > Snapshot.MAX_PARTS) {
            in.reject(count + " parts, the limit is " + Snapshot.MAX_PARTS);
            count = 0;
        }
        List<Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long size = in.int64();
            parts.add(new Part(in.name(Snapshot.MAX_NAME_BYTES), size));
        }
        CopyOffer offer = new CopyOffer(kind, begin, end, confirm, new Snapshot(id, offset, parts));
        String fault = offer.fault();
        if (fault != null) {
            in.reject(fault);
        }
        return offer;
    }

    private @Nullable String fault() {
        if (kind < CopyRequest.ANEW || kind > CopyRequest.LOG) {
            return "an offer of kind " + kind;
        }
        if (begin < 0 || end < begin || end > MAX_END || confirm < 0 || confirm > end) {
            return "a log from " + begin + " to " + end + " that is confirmed up to " + confirm;
        }
        long reach = kind == CopyRequest.ANEW ? confirm : end;
        if (snapshot.offset() < begin || snapshot.offset() > reach) {
            return "a snapshot at " + snapshot.offset() + ", where " + begin + " to " + reach + " can be";
        }
        if (kind == CopyRequest.LOG && !snapshot.parts().isEmpty()) {
            return "parts of a snapshot that is whole";
        }
        return snapshot.fault();
    }

    public ByteBuffer write(FrameWriter out) {
        int partBytes = 0;
        for (Part each : snapshot.parts()) {
            partBytes += PART_BYTES + each.name().length();
        }
        ByteBuffer to = out.body(FIXED_BYTES + partBytes);
        to.put((byte) kind).putLong(begin).putLong(end).putLong(confirm);
        to.putLong(snapshot.id()).putLong(snapshot.offset());
        to.putShort((short) snapshot.parts().size());
        for (Part each : snapshot.parts()) {
            byte[] name = each.name().getBytes(StandardCharsets.US_ASCII);
            to.putLong(each.size()).put((byte) name.length).put(name);
        }
        return to;
    }
}
