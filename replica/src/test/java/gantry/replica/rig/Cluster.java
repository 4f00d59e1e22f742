package gantry.replica.rig;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.frame.Cause;
import gantry.replica.lead.ReplicaGroup;
import gantry.replica.lead.SetDecider;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A leader and two followers in one thread from one seed, with every fault that links and processes have.
///
/// For:   asking after every step whether a promise was broken, and after healing whether all is well in time.
/// Owner: its test.
public final class Cluster implements SetDecider {
    private static final long STEP_NANOS = 10_000_000L;
    private static final long HEALING_NANOS = Duration.ofSeconds(20).toNanos();
    private static final Limits LIMITS = Limits.DEFAULTS.sending(400, 150).copying(60_000);

    /// A leader that began its reign on an old copy of the disk, which ended at `end`.
    private record Restored(long reign, int end) {}

    private final SplittableRandom random;
    private final Promise promise;
    private final boolean slowDecisions;
    private final boolean quiet;
    private final ArrayDeque<SyncSet> asked = new ArrayDeque<>();
    private SyncSet decided = new SyncSet(1, new TreeSet<>(Arrays.asList(1L)));
    private Leader leader;
    private int leaderSynced;
    private long reign = 1;
    private final Follower[] followers = new Follower[2];
    private final @Nullable Line[] lines = new Line[2];
    private long now;
    private byte[] ledger = new byte[0];
    private final List<Restored> restored = new ArrayList<>();
    /// What a follower held, as promised, on the disk that it lost, while its leader cannot know of that; else null.
    private final @Nullable MemoryLog[] lostUnseen = new MemoryLog[2];

    public int cuts;
    public int damaged;
    public int silences;
    public int restarts;
    public int waitsForUnion;
    public int refusedSends;
    public int copies;
    public int goneOn;
    public int noRooms;
    public int keptOld;
    public int crashedCopies;
    public int crashedSwitches;

    public Cluster(long seed) {
        random = new SplittableRandom(seed);
        promise = new Promise(1 + random.nextInt(3), random.nextBoolean());
        slowDecisions = random.nextInt(3) == 0;
        quiet = random.nextInt(8) == 0;
        leader = lead(new MemoryLog(), EpochTable.EMPTY, 0);
        for (int i = 0; i < 2; i++) {
            followers[i] = new Follower(2 + i, LIMITS);
        }
    }

    private Leader lead(MemoryLog log, EpochTable epochs, long confirm) {
        leaderSynced = log.end();
        asked.clear();
        Arrays.fill(lostUnseen, null);
        decided = new SyncSet(1, new TreeSet<>(Arrays.asList(1L)));
        return new Leader(
                log,
                epochs,
                reign++,
                log.end(),
                confirm,
                promise,
                LIMITS,
                this,
                new TreeSet<>(Arrays.asList(2L, 3L)),
                random.nextLong());
    }

    @Override
    public void propose(SyncSet wanted, ReplicaGroup asker) {
        if (!slowDecisions) {
            decided = wanted;
            asker.decided(wanted);
        } else if (asked.size() < 10) {
            asked.add(wanted);
        }
    }

    /// Faults for a while, then none; everything is checked after every step.
    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(true);
        }
        heal();
    }

    private void heal() {
        long until = now + HEALING_NANOS;
        leader.add("the last", now);
        leaderSynced = leader.log.end();
        while (!isHealed()) {
            assertThat(now)
                    .as(
                            "liveness: %s, %s, %s",
                            leader.group.states(), followers[0].following.state(), followers[1].following.state())
                    .isLessThan(until);
            step(false);
        }
        for (Follower each : followers) {
            assertThat(each.log.end()).isEqualTo(leader.log.end());
            assertThat(each.log.sameAs(leader.log, leader.log.end())).isTrue();
            int begin = Math.max(each.log.begin(), leader.log.begin());
            assertThat(each.log.begin()).isLessThanOrEqualTo(Math.max(leader.log.begin(), leader.log.boundary(begin)));
            assertThat(each.epochs.dropBelow(begin)).isEqualTo(leader.epochs.dropBelow(begin));
            assertThat(each.side).as("no copy is left over").isNull();
        }
        assertThat(leader.keptFrom).as("retention is free again").isEqualTo(Long.MAX_VALUE);
        assertThat(leader.given).as("no snapshot is left over").isEmpty();
    }

    private boolean isHealed() {
        boolean healed = leader.confirmed == leader.log.end();
        for (Follower each : followers) {
            healed &= leader.group.states().get(each.id) instanceof MemberState.InSync
                    && each.following.state() instanceof MemberState.InSync
                    && each.written() == leader.log.end()
                    && each.confirmed == leader.confirmed;
        }
        healed &= leader.keptFrom == Long.MAX_VALUE;
        return healed && (promise.members() == 1 || leader.group.syncSet().size() == 3);
    }

    private void step(boolean foul) {
        now += STEP_NANOS;
        long before = leader.confirmed;
        if (foul) {
            write();
            mishap();
        } else {
            syncLeader();
            leader.snapshotDue = false;
        }
        for (int i = 0; i < 2; i++) {
            connect(i, foul);
            logAnswers(followers[i], foul);
        }
        if (!asked.isEmpty() && random.nextInt(8) == 0) {
            decide();
        }
        if (now % (10 * STEP_NANOS) == 0) {
            tick();
        }
        check(before);
    }

    private void write() {
        if (random.nextInt(3) == 0 && !quiet) {
            if (leader.group.refusesSends() != null) {
                refusedSends++;
            }
            byte[] body = new byte[random.nextInt(300) == 0 ? 900 : random.nextInt(60)];
            random.nextBytes(body);
            leader.log.add(MemoryLog.record(body));
            leader.group.appended(leader.log.end(), now);
        }
        if (random.nextInt(5) == 0) {
            syncLeader();
        }
        leader.cold = random.nextInt(10) == 0;
        if (!leader.cold) {
            leader.group.readable(now);
        }
    }

    private void syncLeader() {
        leader.cold = false;
        leaderSynced = leader.log.end();
        leader.group.synced(leaderSynced);
    }

    private void mishap() {
        int i = random.nextInt(2);
        Line line = lines[i];
        switch (random.nextInt(400)) {
            case 0 -> restartLeader();
            case 1 -> restartFollower(i);
            case 2 -> {
                if (line != null) {
                    line.swallow();
                }
            }
            case 3 -> {
                if (line != null) {
                    line.lose(false);
                }
            }
            case 4, 5 -> dropHead();
            case 6 -> {
                if (random.nextInt(3) == 0) {
                    loseDisk(i);
                }
            }
            case 7 -> {
                if (random.nextInt(4) == 0) {
                    restoreLeader();
                }
            }
            case 8, 9 -> {
                if (followers[i].following.state() instanceof MemberState.Reseeding reseeding
                        && reseeding.totalBytes() > 0) {
                    followers[i].rejectCopy();
                }
            }
            case 10, 11 -> {
                if (followers[i].side != null) {
                    crashedCopies++;
                    restartFollower(i);
                }
            }
            default -> {}
        }
        leader.snapshotDue = random.nextInt(3) == 0;
        followers[i].room = random.nextInt(4) == 0 ? random.nextInt(500) : Long.MAX_VALUE;
    }

    /// Retention, which seldom takes what a copy needs, as if the disk were full.
    private void dropHead() {
        long most = random.nextInt(10) == 0 ? leader.confirmed : Math.min(leader.confirmed, leader.keptFrom);
        if (most > leader.log.begin()) {
            long back = random.nextInt(3) == 0 ? 0 : random.nextInt(2_000);
            leader.log.dropBelow(leader.log.boundary(Math.max(leader.log.begin(), most - back)));
        }
    }

    /// A follower comes again with an empty disk.
    private void loseDisk(int i) {
        Line line = lines[i];
        if (line != null) {
            line.lose(random.nextBoolean());
            lines[i] = null;
        }
        count(followers[i]);
        lostUnseen[i] = heldBy(i);
        followers[i] = new Follower(
                followers[i].id, new MemoryLog(), LogId.NONE, EpochTable.EMPTY, 0, 0, LIMITS, random.nextLong());
    }

    /// It shows what its leader was restored without, and has followed no later one yet.
    private boolean isOrphan(Follower follower) {
        return restored.stream().anyMatch(each -> follower.seen < each.reign && follower.confirmed > each.end);
    }

    private MemoryLog heldBy(int i) {
        MemoryLog before = lostUnseen[i];
        if (before != null) {
            return before;
        }
        MemoryLog held = followers[i].log.duplicate();
        held.cut(Math.min(held.end(), (int) promise.counted(followers[i].written(), followers[i].synced)));
        return held;
    }

    /// The leader has seen the new log of whoever has lost its disk, and counts the old one no more.
    private void seeLost(int i) {
        boolean seen = leader.group.states().get(followers[i].id) instanceof MemberState.Reseeding
                || switch (followers[i].following.state()) {
                    case MemberState.CatchingUp _,
                            MemberState.InSync _,
                            MemberState.Reseeding _,
                            MemberState.Diverged _ -> true;
                    case MemberState.NeverSeen _,
                            MemberState.Connecting _,
                            MemberState.Silent _,
                            MemberState.Refused _ -> false;
                };
        if (seen) {
            lostUnseen[i] = null;
        }
    }

    /// An operator starts the leader on an old copy of its disk: what was confirmed later is lost there.
    private void restoreLeader() {
        restarts++;
        for (Line each : lines) {
            if (each != null) {
                each.lose(random.nextBoolean());
            }
        }
        MemoryLog old = leader.log.duplicate();
        old.cut(old.boundary(Math.max(old.begin(), old.end() - random.nextInt(1_500))));
        long confirm = Math.min(leader.confirmed, old.end());
        ledger = Arrays.copyOf(ledger, Math.min(ledger.length, old.end()));
        restored.add(new Restored(reign, old.end()));
        leader = lead(old, leader.epochs.cutAt(old.end()), confirm);
    }

    /// A loss of power where the promise is about the disk, else the end of the process.
    private void restartLeader() {
        restarts++;
        for (Line each : lines) {
            if (each != null) {
                each.lose(random.nextBoolean());
            }
        }
        MemoryLog log = leader.log;
        if (promise.onDisk()) {
            log.cut(leaderSynced);
        }
        long confirm = random.nextBoolean() ? leader.confirmed : leader.confirmed / 2;
        silences += (int) leader.group.refused(Cause.SILENT);
        damaged += (int) leader.group.refused(Cause.CHECKSUM);
        leader = lead(log, leader.epochs.cutAt(log.end()), log.boundary(confirm));
    }

    private void restartFollower(int i) {
        restarts++;
        Line line = lines[i];
        if (line != null) {
            line.lose(random.nextBoolean());
            lines[i] = null;
        }
        Follower gone = followers[i];
        Follower.Side side = gone.side;
        if (gone.isSwitching()) {
            crashedSwitches++;
            if (random.nextBoolean()) {
                gone.changeLog();
                side = null;
            }
        } else if (side != null) {
            side.lose(random.nextBoolean() ? 0 : random.nextInt(300));
            side = random.nextInt(10) == 0 ? null : side;
        }
        gone.log.cut(promise.onDisk() ? gone.synced : gone.written());
        count(gone);
        long end = gone.log.end();
        followers[i] = new Follower(
                gone.id,
                gone.log,
                gone.logId,
                gone.epochs.cutAt(end),
                Math.min(gone.confirmed, end),
                gone.seen,
                LIMITS,
                random.nextLong(),
                side);
    }

    private void count(Follower gone) {
        cuts += gone.cuts;
        copies += gone.copies;
        goneOn += gone.goneOn;
        noRooms += gone.noRooms;
        keptOld += gone.keptOld;
    }

    private void connect(int i, boolean foul) {
        Follower follower = followers[i];
        Line line = lines[i];
        if (line != null && line.isOver()) {
            lines[i] = null;
            line = null;
        }
        if (follower.following.wantsLink(now)) {
            line = new Line(leader, follower, now);
            lines[i] = line;
        }
        if (line != null) {
            line.move(random, foul, now);
        }
    }

    private void logAnswers(Follower follower, boolean foul) {
        if (!foul) {
            follower.room = Long.MAX_VALUE;
            follower.answerAll(now);
            return;
        }
        if (random.nextInt(3) != 0) {
            follower.answerOne(now);
        }
        if (random.nextInt(5) == 0) {
            follower.sync(now);
        }
    }

    private void decide() {
        SyncSet wanted = asked.remove();
        if (wanted.version() == decided.version() + 1 && random.nextInt(4) != 0) {
            decided = wanted;
        }
        if (random.nextInt(4) != 0) {
            leader.group.decided(decided);
        }
    }

    private void tick() {
        leader.group.tick(now, now / 1_000_000);
        for (Follower each : followers) {
            each.following.tick(now);
        }
    }

    private void check(long before) {
        if (!decided.members().equals(leader.group.syncSet().members())) {
            waitsForUnion++;
        }
        if (leader.confirmed > before && before >= 0) {
            int holders = leader.log.end() >= leader.confirmed ? 1 : 0;
            assertThat(promise.counted(leader.log.end(), leaderSynced)).isGreaterThanOrEqualTo(leader.confirmed);
            for (int i = 0; i < 2; i++) {
                Follower each = followers[i];
                MemoryLog held = heldBy(i);
                boolean holds = held.end() >= leader.confirmed && held.sameAs(leader.log, (int) leader.confirmed);
                holders += holds ? 1 : 0;
                boolean counts = leader.group.syncSet().has(each.id) || decided.has(each.id);
                assertThat(holds || !counts)
                        .as("CONFIRM-2: member %s at %s", each.id, now)
                        .isTrue();
            }
            assertThat(holders).as("CONFIRM-3").isGreaterThanOrEqualTo(promise.members());
        }
        keep();
        for (int i = 0; i < 2; i++) {
            seeLost(i);
            Follower each = followers[i];
            boolean inSync = leader.group.states().get(each.id) instanceof MemberState.InSync;
            if (isOrphan(each)) {
                assertThat(inSync)
                        .as("who holds what its leader has lost is not in sync")
                        .isFalse();
                continue;
            }
            boolean copies = leader.group.states().get(each.id) instanceof MemberState.Reseeding;
            assertThat(copies && (leader.group.syncSet().has(each.id) && decided.has(each.id) && !slowDecisions))
                    .as("who copies is not in the set")
                    .isFalse();
            assertThat(each.confirmed).isLessThanOrEqualTo(Math.min(each.written(), ledger.length));
            int from = Math.min((int) each.confirmed, each.log.begin());
            assertThat(Arrays.equals(each.log.copy(), from, (int) each.confirmed, ledger, from, (int) each.confirmed))
                    .as("what a follower shows is what was confirmed")
                    .isTrue();
        }
    }

    /// What was confirmed once stays what it is.
    private void keep() {
        byte[] log = leader.log.copy();
        assertThat(log.length >= ledger.length && Arrays.equals(log, 0, ledger.length, ledger, 0, ledger.length))
                .as("P1 nothing that was confirmed is lost")
                .isTrue();
        if (leader.confirmed > ledger.length) {
            ledger = Arrays.copyOf(log, (int) leader.confirmed);
        }
    }

    /// Adds what happened to what is counted already.
    public void total() {
        for (Follower each : followers) {
            count(each);
        }
        silences += (int) leader.group.refused(Cause.SILENT);
        damaged += (int) leader.group.refused(Cause.CHECKSUM);
    }
}
