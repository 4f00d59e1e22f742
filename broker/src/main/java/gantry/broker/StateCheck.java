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
final class StateCheck {
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final Clock clock;
    private final Notices notices;
    private final Image<StateComparison> seen = new Image<>(StateComparison.NONE);
    private Optional<StateDigest.At> ours = Optional.empty();
    private boolean told;
    private long toldNanos;

    StateCheck(Clock clock, Notices notices) {
        this.clock = clock;
        this.notices = notices;
    }

    StateComparison seen() {
        return seen.read();
    }

    /// The state here, at a state point.
    void took(StateDigest.At at) {
        ours = Optional.of(at);
    }

    /// What it was there.
    void told(Fact.StateTold theirs) {
        if (ours.isEmpty() || ours.get().point() != theirs.point()) {
            return;
        }
        StateDigest.At here = ours.get();
        List<String> parts = here.digest().differing(theirs.digest());
        StateComparison before = seen.read();
        StateComparison now = before.next(here.logEnd(), clock.wallMillis(), parts);
        seen.publish(now);
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
