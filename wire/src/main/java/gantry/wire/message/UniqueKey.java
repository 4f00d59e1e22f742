package gantry.wire.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/// Makes the names that senders give to messages: hex of address, process, loader, time in this month and a counter.
///
/// ```
///   0              4 or 16     +2            +6               +10        +12      (bytes; two hex digits each)
///   ┌──────────────┬───────────┬─────────────┬────────────────┬──────────┐
///   │ address 4/16 │ process 2 │ salt 4      │ ms of month 4  │ counter 2│
///   └──────────────┴───────────┴─────────────┴────────────────┴──────────┘
/// ```
/// For:   messages whose sender gave them none.
/// Owner: one session or sequencer; the counter is its own.
/// Never: a proof of anything; any text may stand in the property.
public final class UniqueKey {
    public static final int MAX_CHARS = 56;

    private final byte[] prefix;
    private final ZoneId zone;
    private long monthFrom;
    private long monthTo;
    private int counter;

    /// @param processId its low 16 bits count
    /// @param salt tells makers of one process apart
    public UniqueKey(RecordHost host, int processId, int salt) {
        this(host, processId, salt, ZoneOffset.UTC);
    }

    /// @param zone where months begin; tools that read the time out of a name assume their own
    public UniqueKey(RecordHost host, int processId, int salt, ZoneId zone) {
        this.zone = zone;
        byte[] address = host.address();
        this.prefix = new byte[2 * (address.length + 6)];
        int next = Hex.write(address, prefix, 0);
        next = Hex.write(processId, 2, prefix, next);
        Hex.write(salt, 4, prefix, next);
    }

    /// Writes the next name as ASCII.
    ///
    /// @return how many bytes were written: 32 or 56
    public int next(long wallMillis, byte[] into, int at) {
        if (wallMillis < monthFrom || wallMillis >= monthTo) {
            findMonth(wallMillis);
        }
        System.arraycopy(prefix, 0, into, at, prefix.length);
        int next = Hex.write(wallMillis - monthFrom, 4, into, at + prefix.length);
        return Hex.write(counter++, 2, into, next) - at;
    }

    public String next(long wallMillis) {
        byte[] ascii = new byte[MAX_CHARS];
        return new String(ascii, 0, next(wallMillis, ascii, 0), StandardCharsets.US_ASCII);
    }

    private void findMonth(long wallMillis) {
        ZonedDateTime first = Instant.ofEpochMilli(wallMillis)
                .atZone(zone)
                .truncatedTo(ChronoUnit.DAYS)
                .withDayOfMonth(1);
        monthFrom = first.toInstant().toEpochMilli();
        monthTo = first.plusMonths(1).toInstant().toEpochMilli();
    }
}
