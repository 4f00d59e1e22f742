package gantry.replica.frame;

import gantry.replica.epoch.LogView;
import java.nio.ByteBuffer;

/// Where the leader's stream goes on, with what the follower needs to see that it is right.
///
/// ```
///   0      1    9       17        33      41    49        57
///   ┌──────┬────┬───────┬─────────┬───────┬─────┬─────────┬──────────┬──────────────────┐
///   │ kind │ at │ reign │ logId   │ begin │ end │ confirm │ 2: count │ count × epoch 24 │
///   └──────┴────┴───────┴─────────┴───────┴─────┴─────────┴──────────┴──────────────────┘
/// ```
/// For:   answering a position that can be gone on from, or has to be copied; others get a `Refusal`.
/// Owner: none (immutable).
///
/// @param kind `CONTINUE`, `TRUNCATE` or `COPY`
/// @param at the end of what both have; 0 with `COPY`
/// @param reign the leader's epoch: everything that follows on this link is of it
/// @param log the leader's
public record Verdict(int kind, long at, long reign, LogView log) {
    public static final int CONTINUE = 1;
    public static final int TRUNCATE = 2;
    public static final int COPY = 3;

    private static final int FIXED_BYTES = 57;

    public static Verdict read(BodyReader in) {
        int kind = in.u8();
        long at = in.int64();
        long reign = in.int64();
        var logId = in.logId();
        long begin = in.int64();
        long end = in.int64();
        long confirm = in.int64();
        LogView log = new LogView(logId, in.epochs(), begin, end, confirm);
        String fault = log.fault();
        if (kind < CONTINUE || kind > COPY) {
            in.reject("a verdict of kind " + kind);
        } else if (fault != null) {
            in.reject(fault);
        } else if (reign < 1 || reign != log.epochs().newest()) {
            in.reject("reign " + reign + " with a table that ends in epoch "
                    + log.epochs().newest());
        }
        return new Verdict(kind, at, reign, log);
    }

    public ByteBuffer write(FrameWriter out) {
        ByteBuffer to = out.body(FIXED_BYTES + BodyWriter.epochsBytes(log.epochs()));
        to.put((byte) kind).putLong(at).putLong(reign);
        BodyWriter.logId(to, log.logId());
        to.putLong(log.begin()).putLong(log.end()).putLong(log.confirm());
        BodyWriter.epochs(to, log.epochs());
        return to;
    }
}
