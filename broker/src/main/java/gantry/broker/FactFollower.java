package gantry.broker;

import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.StateDigest;
import gantry.broker.replica.StateComparison;
import gantry.broker.topic.Catalogue;
import gantry.store.Store;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Folds facts as they are confirmed, while somebody else writes them: a leader, or this broker's own former life.
///
/// ```
///   facts queue ── confirmed end rises ──▶ read (may wait for the disk) ──▶ topics, groups, offsets, delays
/// ```
/// For:   a follower whose state is its leader's at the same place of the log.
/// Owner: its sequencer; one reading at a time.
final class FactFollower {
    private final Store store;
    private final FactLog facts;
    private final FactFold fold;
    private final Catalogue catalogue;
    private final Consumer<Consumer<StateDigest>> served;
    private final StateCheck check;
    private final long wholeFrom;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private boolean reading;
    private boolean ended;
    private boolean troubleTold;
    private long next;

    /// Facts below it are in the state, for everybody to see.
    private final Published folded;

    /// Facts were read up to here, on one thread at a time.
    private final Image<Long> readTo;

    /// The deletion that ended the last reading.
    private final Image<Optional<Deletion>> deleted = new Image<>(Optional.empty());

    private record Deletion(String topic, long logEnd) {}

    /// The state point that ended the last reading.
    private final Image<Optional<Point>> point = new Image<>(Optional.empty());

    private record Point(long queueOffset, long logEnd) {}

    /// @param from facts below it are in the state
    /// @param wholeFrom facts below it may be in the state: no digest is taken before they are folded
    /// @param served takes a digest of what is folded
    FactFollower(
            Store store,
            FactLog facts,
            FactFold fold,
            Catalogue catalogue,
            long from,
            long wholeFrom,
            Consumer<Consumer<StateDigest>> served,
            StateCheck check,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.store = store;
        this.facts = facts;
        this.fold = fold;
        this.catalogue = catalogue;
        this.wholeFrom = wholeFrom;
        this.served = served;
        this.check = check;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = new Sequencer("fact follower", offload, faults);
        this.next = from;
        this.folded = new Published(from);
        this.readTo = new Image<>(from);
    }

    /// Facts below it are in the state.
    long folded() {
        return folded.read();
    }

    /// What comparing the state with the leader's has come to.
    StateComparison compared() {
        return check.seen();
    }

    /// @param inSync whether there is a leader whose state ours should be
    void tick(boolean inSync) {
        sequencer.submitAlways(() -> {
            check.tick(inSync);
            if (!reading && !ended && next < facts.end()) {
                reading = true;
                long from = next;
                offload.run(() -> read(from));
            }
        });
    }

    /// Nothing is folded any more once this returns.
    void end() {
        sequencer.runAndWait(() -> ended = true);
    }

    private void read(long from) {
        String trouble = null;
        readTo.publish(from);
        try {
            readTo.publish(facts.replay(from, this::take));
        } catch (FactLog.Unreadable e) {
            trouble = e.getMessage();
        }
        String why = trouble;
        long to = readTo.read();
        Optional<Point> reached = point.read();
        point.publish(Optional.empty());
        Runnable then = () -> fold.whenFolded(() -> reached.ifPresentOrElse(
                at -> served.accept(digest -> sequencer.submitAlways(() -> {
                    check.took(new StateDigest.At(at.queueOffset(), at.logEnd(), digest));
                    done(to, why);
                })),
                () -> sequencer.submitAlways(() -> done(to, why))));
        Optional<Deletion> gone = deleted.read();
        if (gone.isEmpty()) {
            then.run();
        } else {
            // A topic of the same name may be made by the next fact: it must not find the old one's queues.
            deleted.publish(Optional.empty());
            catalogue.goOnDeleting(gone.get().topic(), gone.get().logEnd(), _ -> then.run());
        }
    }

    /// A deletion may find the messages of a topic that came later: what it ends lies below it.
    private boolean take(long queueOffset, long logEnd, Fact fact) {
        fold.follow(fact);
        readTo.publish(queueOffset + 1);
        if (fact instanceof Fact.TopicGone gone) {
            if (store.topicEnds().hasBelow(gone.topic(), logEnd)) {
                deleted.publish(Optional.of(new Deletion(gone.topic(), logEnd)));
                return false;
            }
            store.topicEnds().beginAnew(gone.topic(), logEnd);
        }
        if (fact instanceof Fact.StatePoint && queueOffset >= wholeFrom) {
            // Nothing behind it is folded before the digest is taken.
            point.publish(Optional.of(new Point(queueOffset, logEnd)));
            sequencer.submitAlways(check::reached);
            return false;
        }
        if (fact instanceof Fact.StateTold told) {
            sequencer.submitAlways(() -> check.told(told));
        }
        return true;
    }

    private void done(long to, @Nullable String trouble) {
        reading = false;
        next = to;
        folded.advance(to);
        if (trouble == null) {
            if (troubleTold) {
                troubleTold = false;
                notices.over("facts of the log can be read again");
            }
        } else if (!troubleTold) {
            troubleTold = true;
            notices.alarm("This broker's topics, groups and offsets stand still at fact " + to + ": " + trouble);
        }
    }
}
