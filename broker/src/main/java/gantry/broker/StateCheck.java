package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.broker.facts.Fact;
import gantry.broker.facts.StateDigest;
import gantry.broker.replica.StateComparison;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Compares what this member has folded with what its leader says that it had at the same place of the log.
///
/// For:   a follower; a fold that went wrong, or a file or memory that has changed, has a name before anybody has to
///        lead with it.
/// Owner: the sequencer of `FactFollower`; `seen` is for everybody.
/// Never: changes anything; says anything of a point at which no digest was taken here.
///
/// ```
///   in sync ── within `every` + LATE ──▶ point ── within LATE ──▶ digest here ── within LATE ──▶ told: compared
///      └────────────── what does not come in its time is named, until something is compared ◀────────┘
/// ```
final class StateCheck {
    private static final Duration QUIET = Duration.ofMinutes(1);

    /// What comes next in a comparison.
    private enum Awaits {
        POINT(", and its master has put no state point into the log since. A master of an older version puts none"),
        DIGEST(": a digest of this slave's own state was begun and has not been made"),
        WORD(": this slave's digest is there, and its master has not told its own. Look at the master's health and log"
                + " file: an export of its config/ that fails is the usual cause");

        private final String why;

        Awaits(String why) {
            this.why = why;
        }
    }

    private final Duration every;
    private final Clock clock;
    private final Notices notices;
    private final Image<StateComparison> seen = new Image<>(StateComparison.NONE);
    private Optional<StateDigest.At> ours = Optional.empty();
    private boolean told;
    private long toldNanos;
    private Awaits awaits = Awaits.POINT;
    private boolean inSync;
    private long sinceNanos;

    /// @param every how often the leader should put a point into the log
    StateCheck(Duration every, Clock clock, Notices notices) {
        this.every = every;
        this.clock = clock;
        this.notices = notices;
    }

    StateComparison seen() {
        return seen.read();
    }

    /// Time passes.
    ///
    /// @param isInSync whether there is a leader whose state ours should be
    void tick(boolean isInSync) {
        if (!isInSync || !inSync) {
            // Who is not in sync has another name for it, and what was begun with a leader that is gone is not ended.
            inSync = isInSync;
            await(Awaits.POINT);
            end();
            return;
        }
        Duration most = awaits == Awaits.POINT ? every.plus(StateComparison.LATE) : StateComparison.LATE;
        if (clock.nanos() - sinceNanos >= most.toNanos() && !seen.read().isLate()) {
            String why = "For " + most.toMinutes() + " minutes it was not compared" + awaits.why;
            seen.publish(seen.read().lacking(why));
            notices.alarm("State is not compared with the master's. " + why);
        }
    }

    private void await(Awaits next) {
        awaits = next;
        sinceNanos = clock.nanos();
    }

    private void end() {
        if (seen.read().isLate()) {
            seen.publish(seen.read().lacking(""));
        }
    }

    /// A state point was reached: a digest of what is served here is begun.
    void reached() {
        await(Awaits.DIGEST);
    }

    /// The state here, at a state point.
    void took(StateDigest.At at) {
        await(Awaits.WORD);
        ours = Optional.of(at);
    }

    /// What it was there.
    void told(Fact.StateTold theirs) {
        if (ours.isEmpty() || ours.get().point() != theirs.point()) {
            return;
        }
        await(Awaits.POINT);
        StateDigest.At here = ours.get();
        List<String> parts = here.digest().differing(theirs.digest());
        StateComparison before = seen.read();
        StateComparison now = before.next(here.logEnd(), clock.wallMillis(), parts);
        seen.publish(now);
        if (before.isLate()) {
            notices.over("This slave's state is compared with its master's again.");
        }
        if (now.differs()) {
            alarm(now);
        } else if (before.differs()) {
            told = false;
            notices.over("This slave's topics, groups and offsets are its master's again, as of log offset "
                    + here.logEnd() + ".");
        }
    }

    private void alarm(StateComparison now) {
        long nanos = clock.nanos();
        if (told && nanos - toldNanos < QUIET.toNanos()) {
            return;
        }
        told = true;
        toldNanos = nanos;
        notices.alarm("State differs: the " + String.join(", ", now.parts()) + " of this slave are not its master's "
                + now.since() + ". Nothing was changed. Give this slave an empty folder: it copies the log and state"
                + " anew; keep its config/ for whoever looks for the cause");
    }
}
