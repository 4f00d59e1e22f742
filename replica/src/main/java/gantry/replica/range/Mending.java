package gantry.replica.range;

import gantry.base.Notices;
import gantry.replica.frame.RangeDigest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Has what is rotten here given again by another member, one range at a time.
///
/// ```
///   idle ── a place is rotten, a member can be asked ──▶ asked ── sound bytes ──▶ writing ── mended ──▶ idle
///     ▲                                                    │ it has none, is silent,   │ unfit, differs, failed
///     └──────── that place again after a minute ◀──────────┴──── its link has ended ───┘
/// ```
/// For:   rot that ends by itself, or has a name.
/// Owner: the log sequencer.
/// Never: a clock, a file; more than one range at a time.
public final class Mending {
    /// A place that could not be mended is tried again after this.
    static final Duration AGAIN = Duration.ofMinutes(1);

    /// Who has not answered by then is not waited for.
    static final Duration ANSWERS = Duration.ofSeconds(30);

    /// An operator is told of what cannot be mended at most once in this time.
    static final Duration QUIET = Duration.ofMinutes(1);

    /// Places of which the last try is remembered.
    private static final int MOST_REMEMBERED = 1_000;

    private record Try(long notBeforeNanos, String why) {}

    private final RangeLog log;
    private final Notices notices;
    private final Map<Long, Try> tries = new HashMap<>();
    private @Nullable RottenRange current;
    private @Nullable RangeLink asked;
    private boolean writing;
    private long sinceNanos;
    private int turn;
    private long mendedCount;
    private boolean told;
    private long toldNanos;

    public Mending(RangeLog log, Notices notices) {
        this.log = log;
        this.notices = notices;
    }

    /// Time passes.
    ///
    /// @param givers links to members that have everything that is confirmed
    public void tick(List<RangeLink> givers, long nowNanos) {
        if (asked != null && nowNanos - sinceNanos >= ANSWERS.toNanos()) {
            asked = null;
            failed("the member that was asked has not answered for " + ANSWERS.toSeconds() + " s", nowNanos);
        }
        List<RottenRange> rotten = log.rotten();
        if (rotten.isEmpty()) {
            tries.clear();
            return;
        }
        if (current == null) {
            RottenRange next = next(rotten, nowNanos);
            if (next != null) {
                ask(next, givers, nowNanos);
            }
        }
    }

    private @Nullable RottenRange next(List<RottenRange> rotten, long nowNanos) {
        for (RottenRange each : rotten) {
            Try last = tries.get(each.from());
            if (last == null || nowNanos - last.notBeforeNanos >= 0) {
                return each;
            }
        }
        return null;
    }

    private void ask(RottenRange place, List<RangeLink> givers, long nowNanos) {
        for (int i = 0; i < givers.size(); i++) {
            RangeLink giver = givers.get(Math.floorMod(turn++, givers.size()));
            if (giver.canBeAsked()) {
                current = place;
                asked = giver;
                sinceNanos = nowNanos;
                giver.ask(place.from(), nowNanos);
                return;
            }
        }
    }

    /// What a member said of the place that it was asked for.
    void answered(RangeLink by, Found found, RangeDigest digest, ByteBuffer bytes, long nowNanos) {
        RottenRange place = current;
        if (by != asked || place == null) {
            return;
        }
        asked = null;
        if (found != Found.SOUND) {
            failed(
                    switch (found) {
                        case ROTTEN -> "the other member's copy of it is rotten, too";
                        case GONE -> "the other member has let it go";
                        case NOT_NOW, SOUND -> "the other member could not look at it";
                    },
                    nowNanos);
            return;
        }
        writing = true;
        log.mend(place.from(), bytes, digest, (done, then) -> done(place, done, then));
    }

    private void done(RottenRange place, RangeDone done, long nowNanos) {
        writing = false;
        switch (done.kind()) {
            case MENDED, SAME, GONE -> {
                mendedCount += done.kind() == RangeDone.Kind.MENDED ? 1 : 0;
                tries.remove(place.from());
                current = null;
            }
            case DIFFERS, UNFIT, FAILED -> failed(done.why(), nowNanos);
        }
    }

    void ended(RangeLink link) {
        if (asked == link) {
            asked = null;
            current = null;
        }
    }

    private void failed(String why, long nowNanos) {
        RottenRange place = current;
        current = null;
        if (place == null) {
            return;
        }
        if (tries.size() >= MOST_REMEMBERED) {
            tries.clear();
        }
        tries.put(place.from(), new Try(nowNanos + AGAIN.toNanos(), why));
        if (!told || nowNanos - toldNanos >= QUIET.toNanos()) {
            told = true;
            toldNanos = nowNanos;
            notices.alarm("replication: a rotten part of this member's log could not be mended: " + place.what() + "; "
                    + why + ". It is tried again every minute; nothing was changed. Run ./gantry verify on the"
                    + " stores of the group's members");
        }
    }

    /// How many ranges were mended.
    public long mendedCount() {
        return mendedCount;
    }

    /// How many places are rotten and not mended yet.
    public int unmendedCount() {
        return log.rotten().size();
    }

    /// Why not, of the first one of which that is known; empty while none has been tried in vain.
    public String why() {
        for (RottenRange each : log.rotten()) {
            Try last = tries.get(each.from());
            if (last != null) {
                return last.why;
            }
        }
        return "";
    }

    /// Whether bytes are being written.
    public boolean isWriting() {
        return writing;
    }
}
