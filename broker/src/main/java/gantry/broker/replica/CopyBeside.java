package gantry.broker.replica;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Invariant;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.SideCopy;
import gantry.replica.follow.CopyTarget;
import gantry.replica.follow.Copying;
import gantry.replica.follow.Following;
import gantry.replica.frame.Cause;
import gantry.store.Copied;
import gantry.store.Disk;
import gantry.store.MemberLog;
import gantry.store.OpenFailed;
import gantry.store.SideStore;
import gantry.store.StoreConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The copy of the leader's log that a follower makes beside its own, on its disk.
///
/// ```
///   Copying ── begin, part, append ──▶ a row of works, one at a time, where waiting is allowed ──▶ SideStore
///      ▲                                                                      │                      │
///      └────────── begun, written, rejected: inside the log sequencer ◀───────┘       synced beside it, now and then
///   switchOver ──▶ synced ──▶ Reopening.SwitchOver, for whoever closes the store
/// ```
/// For:   a follower that cannot go on from its own log.
/// Owner: the log sequencer asks; the works own the side store, one after another.
/// Never: touches the store that is open.
final class CopyBeside implements CopyTarget {
    /// A crash loses no more of a copy than this, or what was taken for so long.
    private static final long SYNC_EVERY_BYTES = 64L << 20;

    private static final Duration SYNC_EVERY = Duration.ofSeconds(1);

    /// What may be written while a sync runs, so that one that takes long does not leave ever more to the next.
    private static final long MOST_UNSYNCED_BYTES = 4 * SYNC_EVERY_BYTES;

    /// Works that are done in one go: a copy must not wait for a thread to be free at each of its frames.
    private static final int MOST_AT_ONCE = 64;

    private final Disk disk;
    private final StoreConfig config;
    private final MemberLog log;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Consumer<Runnable> answers;
    private final Image<Optional<Reopening>> reopening;
    private final Works works;
    private final @Nullable SideCopy found;
    private @Nullable Copying copying;

    /// The credit bounds them.
    private final Queue<Work> waiting = new ArrayDeque<>();

    private boolean working;
    private boolean syncing;
    /// So much is unsynced that the sync has to end first.
    private boolean full;

    /// @param alone it must not be done while a sync runs
    /// @param toDo gives the answer to it
    private record Work(boolean alone, Supplier<Runnable> toDo) {}

    private CopyBeside(
            MemberGround ground,
            MemberLog log,
            Consumer<Runnable> answers,
            Image<Optional<Reopening>> reopening,
            @Nullable SideStore side,
            @Nullable SideCopy found) {
        this.disk = ground.disk();
        this.config = ground.config();
        this.log = log;
        this.clock = ground.clock();
        this.offload = ground.offload();
        this.notices = ground.notices();
        this.answers = answers;
        this.reopening = reopening;
        this.works = new Works(side, found);
        this.found = found;
    }

    /// Looks for what a former process has left of a copy. Waits for the disk.
    ///
    /// @param answers runs what is told to `Following`, inside the log sequencer and never within one of its calls
    /// @param reopening is told when the copy is whole
    static CopyBeside find(
            MemberGround ground, MemberLog log, Consumer<Runnable> answers, Image<Optional<Reopening>> reopening)
            throws OpenFailed {
        SideStore side = SideStore.find(ground.disk(), ground.config());
        CopyPlan plan = side == null ? null : CopyPlanLayout.decode(side.plan());
        long held = side == null || plan == null || !side.hasSnapshot() ? 0 : plan.positionOf(side.end());
        SideCopy found = plan == null || held > plan.bytes() ? null : new SideCopy(plan, held);
        return new CopyBeside(ground, log, answers, reopening, found == null ? null : side, found);
    }

    /// Called once, before the first connection.
    void serve(Following following) {
        copying = following.takesCopies(this, found);
    }

    private Copying copying() {
        Copying now = copying;
        if (now == null) {
            throw Invariant.broken("COPY-7 nothing is copied before somebody takes copies");
        }
        return now;
    }

    private void ask(Supplier<Runnable> toDo) {
        ask(new Work(false, toDo));
    }

    private void askAlone(Supplier<Runnable> toDo) {
        ask(new Work(true, toDo));
    }

    private void ask(Work work) {
        waiting.add(work);
        next();
    }

    private void next() {
        List<Work> row = working ? List.of() : row();
        if (row.isEmpty()) {
            return;
        }
        working = true;
        boolean maySync = !syncing;
        offload.run(() -> {
            List<Runnable> done = new ArrayList<>(row.size());
            row.forEach(work -> done.add(work.toDo().get()));
            SideStore.Unsynced due = maySync ? works.due() : null;
            boolean isFull = works.isFull();
            log.submitAlways(() -> {
                working = false;
                full = isFull;
                if (due != null) {
                    sync(due);
                }
                done.forEach(answers);
                next();
            });
        });
    }

    /// What may be done now: some that may be done beside a sync, or one that may not.
    private List<Work> row() {
        List<Work> row = new ArrayList<>();
        for (Work work = waiting.peek(); work != null && row.size() < MOST_AT_ONCE; work = waiting.peek()) {
            boolean mustWait = syncing && (work.alone() || full);
            if (mustWait || (work.alone() && !row.isEmpty())) {
                break;
            }
            row.add(waiting.remove());
            if (work.alone()) {
                break;
            }
        }
        return row;
    }

    private void sync(SideStore.Unsynced due) {
        syncing = true;
        offload.run(() -> {
            Disk.Done done = due.sync();
            log.submitAlways(() -> {
                syncing = false;
                if (done instanceof Disk.Done.Failed failed) {
                    // The next part of it is refused, or the switch finds no copy.
                    notices.warn(
                            "the copy of the leader's log could not be synced, and begins anew: " + failed.sentence());
                }
                next();
            });
        });
    }

    /// The bytes are lent for the call only.
    private static ByteBuffer kept(ByteBuffer frame, int at, int length) {
        return ByteBuffer.allocate(length)
                .put(frame.duplicate().limit(at + length).position(at))
                .flip();
    }

    @Override
    public void begin(CopyPlan plan, long from) {
        askAlone(() -> works.begin(plan, from));
    }

    @Override
    public void part(int part, long offset, ByteBuffer frame, int at, int length) {
        ByteBuffer bytes = kept(frame, at, length);
        ask(() -> works.part(part, offset, bytes));
    }

    @Override
    public void append(long offset, ByteBuffer frame, int at, int length) {
        ByteBuffer bytes = kept(frame, at, length);
        ask(() -> works.append(offset, bytes));
    }

    @Override
    public void switchOver(CopyPlan plan, long confirm, long seen) {
        askAlone(() -> {
            // What goes wrong here goes wrong again at the switch, which says so.
            works.sync();
            return () -> reopening.publish(Optional.of(new Reopening.SwitchOver(plan, confirm, seen)));
        });
    }

    @Override
    public void discard() {
        askAlone(works::discard);
    }

    /// What is done where waiting is allowed; each gives the answer, to be told inside the log sequencer.
    private final class Works {
        private @Nullable SideStore side;
        private @Nullable CopyPlan plan;
        private long position;
        /// After a rejection nothing is taken until the copy begins again.
        private boolean rejecting;

        private long syncedPosition;
        private long syncedNanos;

        Works(@Nullable SideStore side, @Nullable SideCopy found) {
            this.side = side;
            this.plan = found == null ? null : found.plan();
            this.position = found == null ? 0 : found.held();
        }

        Runnable begin(CopyPlan next, long from) {
            try {
                if (from == 0) {
                    side = null;
                    SideStore.discard(disk);
                }
                SideStore.Room room = SideStore.room(disk, config, next.bytes() - from, notices);
                if (!room.isEnough()) {
                    return () -> copying().noRoom(room.neededBytes(), room.freeBytes(), clock.nanos());
                }
                side = from == 0 ? anew(next) : goesOn(next, from);
            } catch (OpenFailed e) {
                side = null;
                String why = String.valueOf(e.getMessage());
                return () -> copying().lost(why, clock.nanos());
            }
            plan = next;
            position = from;
            rejecting = false;
            syncedPosition = from;
            syncedNanos = clock.nanos();
            return () -> copying().begun(clock.nanos());
        }

        private SideStore anew(CopyPlan next) throws OpenFailed {
            SideStore begun =
                    SideStore.begin(disk, config, next.begin(), next.snapshot().offset(), CopyPlanLayout.encode(next));
            for (var part : next.snapshot().parts()) {
                if (part.size() == 0) {
                    check(begun.part(part.name(), 0, ByteBuffer.allocate(0)));
                }
            }
            return begun;
        }

        private SideStore goesOn(CopyPlan next, long from) throws OpenFailed {
            SideStore kept = side;
            if (rejecting || kept == null) {
                kept = SideStore.find(disk, config);
                position = kept == null || !kept.hasSnapshot() ? 0 : next.positionOf(kept.end());
            }
            if (kept == null || position != from) {
                throw new OpenFailed("what is there of it ends at byte " + position + ", and should at " + from
                        + "; it begins anew");
            }
            if (!next.equals(plan)) {
                check(kept.replan(CopyPlanLayout.encode(next)));
            }
            return kept;
        }

        private static void check(Disk.Done done) throws OpenFailed {
            if (done instanceof Disk.Done.Failed failed) {
                throw new OpenFailed(failed.sentence());
            }
        }

        Runnable part(int part, long offset, ByteBuffer bytes) {
            SideStore to = side;
            CopyPlan of = plan;
            if (rejecting || to == null || of == null) {
                return () -> {};
            }
            int length = bytes.remaining();
            if (to.part(of.snapshot().parts().get(part).name(), offset, bytes) instanceof Disk.Done.Failed failed) {
                return rejected(Cause.LOG_FAILED, failed.sentence());
            }
            return written(of.startOf(part) + offset + length);
        }

        Runnable append(long offset, ByteBuffer bytes) {
            SideStore to = side;
            CopyPlan of = plan;
            if (rejecting || to == null || of == null) {
                return () -> {};
            }
            Copied copied = to.append(offset, bytes);
            position = of.positionOf(copied.end());
            if (copied.fault() != null) {
                return rejected(Cause.RECORD_DAMAGED, copied.fault());
            }
            return copied.refusal() == null
                    ? written(position)
                    : rejected(Cause.LOG_FAILED, copied.refusal().remark());
        }

        private Runnable written(long to) {
            position = to;
            return () -> copying().written(to, clock.nanos());
        }

        /// What has to be synced now; null when that can wait.
        SideStore.@Nullable Unsynced due() {
            SideStore to = side;
            boolean isDue = position - syncedPosition >= SYNC_EVERY_BYTES
                    || (position > syncedPosition && clock.nanos() - syncedNanos >= SYNC_EVERY.toNanos());
            if (to == null || rejecting || !isDue) {
                return null;
            }
            syncedPosition = position;
            syncedNanos = clock.nanos();
            return to.unsynced();
        }

        boolean isFull() {
            return position - syncedPosition >= MOST_UNSYNCED_BYTES;
        }

        void sync() {
            SideStore to = side;
            if (to != null) {
                syncedPosition = position;
                to.sync();
            }
        }

        private Runnable rejected(Cause cause, String why) {
            rejecting = true;
            long at = position;
            return () -> copying().rejected(at, cause, why, clock.nanos());
        }

        Runnable discard() {
            side = null;
            try {
                SideStore.discard(disk);
            } catch (OpenFailed e) {
                notices.warn("the copy of the leader's log that is not needed any more could not be deleted: "
                        + e.getMessage());
            }
            return () -> {};
        }
    }
}
