package gantry.replica.rig;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.EpochTable;
import gantry.replica.frame.Cause;
import gantry.replica.lead.ReplicaGroup;
import gantry.replica.lead.SetDecider;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
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
    private static final Limits LIMITS = new Limits(
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            64,
            8,
            16,
            400,
            150);

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

    public int cuts;
    public int damaged;
    public int silences;
    public int restarts;
    public int waitsForUnion;
    public int refusedSends;

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
            assertThat(each.log.copy()).isEqualTo(leader.log.copy());
            assertThat(each.epochs).isEqualTo(leader.epochs);
        }
    }

    private boolean isHealed() {
        boolean healed = leader.confirmed == leader.log.end();
        for (Follower each : followers) {
            healed &= leader.group.states().get(each.id) instanceof MemberState.InSync
                    && each.following.state() instanceof MemberState.InSync
                    && each.written() == leader.log.end()
                    && each.confirmed == leader.confirmed;
        }
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
            default -> {}
        }
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
        leader = lead(log, leader.epochs.cutAt(log.end()), boundary(log, confirm));
    }

    /// The last end of a record at or below `offset`.
    private static long boundary(MemoryLog log, long offset) {
        int at = 0;
        while (at < offset && log.recordEnd(at) <= offset) {
            at = log.recordEnd(at);
        }
        return at;
    }

    private void restartFollower(int i) {
        restarts++;
        Line line = lines[i];
        if (line != null) {
            line.lose(random.nextBoolean());
            lines[i] = null;
        }
        Follower gone = followers[i];
        gone.log.cut(promise.onDisk() ? gone.synced : gone.written());
        cuts += gone.cuts;
        long end = gone.log.end();
        followers[i] = new Follower(
                gone.id,
                gone.log,
                gone.logId,
                gone.epochs.cutAt(end),
                Math.min(gone.confirmed, end),
                gone.seen,
                LIMITS,
                random.nextLong());
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
            for (Follower each : followers) {
                boolean holds = promise.counted(each.written(), each.synced) >= leader.confirmed
                        && each.log.sameAs(leader.log, (int) leader.confirmed);
                holders += holds ? 1 : 0;
                boolean counts = leader.group.syncSet().has(each.id) || decided.has(each.id);
                assertThat(holds || !counts)
                        .as("CONFIRM-2: member %s at %s", each.id, now)
                        .isTrue();
            }
            assertThat(holders).as("CONFIRM-3").isGreaterThanOrEqualTo(promise.members());
        }
        keep();
        for (Follower each : followers) {
            assertThat(each.confirmed).isLessThanOrEqualTo(Math.min(each.written(), ledger.length));
            assertThat(Arrays.equals(each.log.copy(), 0, (int) each.confirmed, ledger, 0, (int) each.confirmed))
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
            cuts += each.cuts;
        }
        silences += (int) leader.group.refused(Cause.SILENT);
        damaged += (int) leader.group.refused(Cause.CHECKSUM);
    }
}
