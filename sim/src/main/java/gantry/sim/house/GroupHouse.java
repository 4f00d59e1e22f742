package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.replica.hello.Trust;
import gantry.replica.member.CompareLimits;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.net.SimNet;
import gantry.sim.net.Weather;
import gantry.store.ConsumeQueue;
import gantry.store.Durability;
import gantry.store.RetentionConfig;
import gantry.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A nameserver, a leader and two followers, with clients, from one seed.
///
/// ```
///   chaos: work under faults ─▶ heal ─▶ sends succeed, followers in sync, consumers catch up ─▶ all members are equal
/// ```
/// For:   P1, P2 and P4 of a replica group, and equal state on all members.
/// Owner: the thread that calls `run`.
public final class GroupHouse implements AutoCloseable {
    static final String TOPIC = "orders";

    private static final Endpoint NAMESERVER = new Endpoint("10.0.0.1", 9876);
    private static final int HA_PORT = 10_912;
    private static final int MEMBERS = 3;
    private static final long RECOVERS_WITHIN = 120 * SimScheduler.SECOND;
    private static final int SENDS_AFTER_HEALING = 20;

    /// Three disks, and what is on its way, are in memory.
    private static final long BYTES_PER_SECOND = 200_000;

    /// But for one house in eight, which sends as often as its plan says.
    private static final long SENDS_PER_SECOND = 60;

    /// So long everything is quiet before bits turn over: every checkpoint lies behind them then.
    private static final long QUIET_BEFORE_ROT = 15 * SimScheduler.SECOND;

    /// How often logs and states are compared, and how much at once.
    private static final CompareLimits COMPARES =
            new CompareLimits(Duration.ofSeconds(8), 512 << 10, 16 << 10, Duration.ofSeconds(4), Duration.ofSeconds(1));

    /// So soon a state that is not the leader's has a name, once its member is in sync.
    private static final long NAMED_WITHIN = 20 * SimScheduler.SECOND;

    /// Messages that a copy may have while one is sent.
    private static final int COPIED_FOR_A_SEND = 8;

    /// What goes wrong.
    private enum Blow {
        KILL_LEADER,
        CUT_POWER_OF_LEADER,
        KILL_FOLLOWER,
        CUT_POWER_OF_FOLLOWER,
        STOP_FOLLOWER_CLEANLY,
        PAUSE_A_MEMBER,
        BLOCK_ONE_PATH,
        ISOLATE_A_MEMBER,
        RESET_A_LINK,
        SILENCE_A_LINK,
        STALL_A_DISK,
        LOSE_DISK_OF_FOLLOWER,
        RESTART_A_CONSUMER
    }

    private final SimScheduler scheduler;
    private final SimNet net;
    private final RandomGenerator random;
    private final Promise promise;
    private final Ledger ledger = new Ledger();
    private final OffsetLedger offsets = new OffsetLedger();
    private final NameserverProcess nameserver;
    private final List<BrokerProcess> members = new ArrayList<>();
    private final List<Producer> producers = new ArrayList<>();
    private final Fickle fickle;
    private final List<gantry.sim.house.Consumer> consumers = new ArrayList<>();
    private final Life life = new Life("fate", 0);
    private final long chaosNanos;
    private final long segmentBytes;
    private final RetentionConfig retention;
    private final boolean isOnDiskAtOnce;
    private final Rot rot;
    private boolean healed;
    private boolean expectsDifference;
    private int everInSync;
    private final Set<String> statesCompared = new HashSet<>();

    /// @param trace gets a line for everything that happens, or null
    public GroupHouse(long seed, @Nullable Consumer<String> trace) {
        scheduler = new SimScheduler(seed, trace);
        random = scheduler.fork("group");
        Plan plan = Plan.of(scheduler.fork("plan"))
                .atMost(BYTES_PER_SECOND, random.nextInt(8) == 0 ? Long.MAX_VALUE : SENDS_PER_SECOND);
        promise = new Promise(1 + random.nextInt(MEMBERS), plan.durability() == Durability.SYNCED);
        segmentBytes = plan.segmentBytes();
        retention = House.store(plan).retention();
        isOnDiskAtOnce = plan.durability() == Durability.SYNCED;
        rot = new Rot(scheduler.fork("rot"));
        chaosNanos = plan.chaosNanos() + 5 * SimScheduler.SECOND;
        scheduler.note(plan + " " + promise.words());
        // A follower's credit has to fit an outbox.
        net = new SimNet(scheduler, plan.weather().withOutbox(1 << 20, 32 << 20));
        nameserver = new NameserverProcess(scheduler, net, NAMESERVER);
        for (int id = 0; id < MEMBERS; id++) {
            Endpoint address = new Endpoint("10.0.0." + (2 + id), 10_911);
            members.add(new BrokerProcess(
                    scheduler, net, address, config(plan, id, address), Lens.CLEAR, false, ledger, offsets));
        }
        for (int i = 1; i <= plan.producers(); i++) {
            producers.add(new Producer(scheduler, net, NAMESERVER, i, plan, TOPIC, ledger));
        }
        fickle = new Fickle(scheduler, net, NAMESERVER);
        consumers.add(consumer(0, 1));
        consumers.add(consumer(1, 1));
    }

    /// A copy takes a second or more, so that something can go wrong meanwhile; and the log does not outrun it.
    private static Limits limits(Plan plan) {
        return Limits.DEFAULTS
                .sending(64 << 10, 4 << 10)
                .copying(Math.max(40 << 10, COPIED_FOR_A_SEND * plan.bytesPerSecond()))
                .comparing(COMPARES);
    }

    private BrokerConfig config(Plan plan, int id, Endpoint address) {
        Endpoint leader = new Endpoint("10.0.0.2", HA_PORT);
        TreeSet<Long> others = new TreeSet<>();
        for (long other = 0; other < MEMBERS; other++) {
            if (other != id) {
                others.add(other);
            }
        }
        ReplicaConfig replica = new ReplicaConfig(
                id == 0 ? ReplicaRole.LEADER : ReplicaRole.FOLLOWER,
                promise,
                Trust.bySecret("the secret of this house".getBytes(StandardCharsets.US_ASCII)),
                limits(plan),
                others,
                new Endpoint(address.host(), HA_PORT),
                Optional.of(leader),
                true);
        return BrokerConfig.named("cluster", "broker-a", address.host(), List.of(NAMESERVER))
                .withStore(House.store(plan))
                .inGroup(id, replica);
    }

    private gantry.sim.house.Consumer consumer(int index, int number) {
        return new gantry.sim.house.Consumer(
                scheduler,
                net,
                NAMESERVER,
                "10.0.2." + (index + 1),
                number,
                TOPIC,
                "group-" + index,
                index == 1,
                leader()::confirmOffset,
                ledger,
                offsets);
    }

    private BrokerProcess leader() {
        return members.getFirst();
    }

    /// @throws SimFailure with the promise that was broken
    public Outcome run() {
        nameserver.start();
        members.forEach(BrokerProcess::start);
        sendsBegin();
        consumers.forEach(gantry.sim.house.Consumer::begin);
        new Stranger(scheduler, net).begin();
        nextBlow();
        scheduler.every(SimScheduler.SECOND, life, "the operator looks", this::look);
        scheduler.runUntil(chaosNanos);

        recovers();
        if (random.nextInt(4) == 0) {
            scheduler.runUntil(scheduler.nanos() + QUIET_BEFORE_ROT);
            rot.strike(members, segmentBytes);
            sendsBegin();
            healed = false;
            nextBlow();
            scheduler.runUntil(scheduler.nanos() + chaosNanos / 2);
            recovers();
        }
        if (random.nextBoolean()) {
            leaveOneBehind();
            recovers();
        }
        int changes = members.stream().mapToInt(BrokerProcess::changes).sum();
        int copies = members.stream().mapToInt(BrokerProcess::copies).sum();
        return new Outcome(
                scheduler.hash(),
                acknowledged(),
                ledger.seenCount(),
                everInSync,
                changes,
                copies,
                fickle.deleted(),
                rot.mended(),
                statesCompared.size());
    }

    /// One character of a follower's files changes while it is down, and nothing else happens.
    ///
    /// @return what the follower says of its state then
    StateComparison falsified() {
        healed = true;
        net.weather(Weather.FAIR);
        nameserver.start();
        members.forEach(BrokerProcess::start);
        sendsBegin();
        scheduler.every(SimScheduler.SECOND, life, "the operator looks", this::look);
        within("followers are in sync", this::allInSync);
        within("sends succeed", () -> acknowledged() >= SENDS_AFTER_HEALING);
        within("the state is compared", () -> statesCompared.size() > MEMBERS);
        BrokerProcess follower = members.get(1 + random.nextInt(MEMBERS - 1));
        follower.stopCleanly(false);
        Falsified.topic(follower.disk, TOPIC);
        expectsDifference = true;
        follower.start();
        within("followers are in sync", this::allInSync);
        within("the difference is named", NAMED_WITHIN, () -> state(follower).differs());
        return state(follower);
    }

    private static StateComparison state(BrokerProcess member) {
        BrokerNode node = member.node();
        return node == null
                ? StateComparison.NONE
                : node.replica().map(seen -> seen.comparison().state()).orElse(StateComparison.NONE);
    }

    private void recovers() {
        heal();
        long before = acknowledged();
        within("P4 followers are in sync", this::allInSync);
        within("P4 sends succeed again", () -> acknowledged() >= before + SENDS_AFTER_HEALING);
        sendsEnd();
        within("P4 everything is confirmed everywhere", this::isQuiet);
        within("P4 consumers catch up", this::isDrained);
        ledger.allDelivered();
        within("P4 what is rotten is mended", () -> !rot.isThere());
        // A pull's progress is in the log with the next tick that carries it.
        within("P4 facts are folded everywhere", () -> isFolded() && haveSameOffsets());
        members.forEach(GroupHouse::nothingDiffers);
        for (BrokerProcess follower : members.subList(1, MEMBERS)) {
            Equality.check(node(leader()), node(follower));
        }
    }

    /// The leader's log loses its head, which everybody has read, while one follower is away or before it loses its
    /// disk: it has to copy all of the log, while fate goes on.
    private void leaveOneBehind() {
        BrokerProcess behind = members.get(1 + random.nextInt(MEMBERS - 1));
        boolean neededForSends = promise.members() == MEMBERS;
        boolean losesDisk = neededForSends || random.nextBoolean();
        scheduler.note("fate leaves " + behind.address + " behind" + (losesDisk ? ", which loses its disk" : ""));
        long had = losesDisk ? 0 : node(behind).store().appended();
        if (!neededForSends) {
            behind.kill();
        }
        long from = node(leader()).store().appended();
        sendsBegin();
        within("P4 the log grows", () -> node(leader()).store().confirmOffset() >= from + 3 * segmentBytes);
        sendsEnd();
        within("P4 consumers catch up", this::isDrained);
        Store store = node(leader()).store();
        store.retain(RetentionConfig.DEFAULT.keeping(Duration.ofDays(3), 1));
        // Retention deletes a few files at a time.
        long patience = RECOVERS_WITHIN + (had / segmentBytes + 1) * SimScheduler.SECOND;
        within("retention lets the head of the log go", patience, () -> store.minOffset() > had);
        store.retain(retention);
        if (losesDisk) {
            behind.loseDisk();
        }
        behind.start();
        sendsBegin();
        healed = false;
        nextBlow();
        scheduler.runUntil(scheduler.nanos() + chaosNanos / 2);
    }

    private void sendsBegin() {
        producers.forEach(Producer::begin);
        fickle.begin();
    }

    private void sendsEnd() {
        producers.forEach(Producer::stop);
        fickle.stop();
    }

    private void look() {
        for (BrokerProcess member : members) {
            if (member.isFenced()) {
                member.disk.faults().heal();
                member.kill();
                member.start();
            }
        }
        BrokerNode leads = leader().node();
        if (leads != null && leader().isUp()) {
            leads.replica().map(ReplicaStatus::members).orElse(List.of()).stream()
                    .filter(each -> each.state() instanceof MemberState.InSync)
                    .forEach(each -> everInSync++);
        }
        members.forEach(this::lookAtState);
    }

    private void lookAtState(BrokerProcess member) {
        StateComparison seen = state(member);
        if (seen.differs() && !expectsDifference) {
            throw new SimFailure("P3 the state of " + member.address + " is not its leader's: " + seen);
        }
        if (seen.outcome() == StateComparison.Outcome.SAME) {
            statesCompared.add(member.address + " " + seen.logOffset());
        }
    }

    private void nextBlow() {
        scheduler.after(1 + random.nextLong(3 * SimScheduler.SECOND), life, "next blow", () -> {
            if (!healed) {
                strike(Blow.values()[random.nextInt(Blow.values().length)]);
                nextBlow();
            }
        });
    }

    private void strike(Blow blow) {
        scheduler.note("fate: " + blow);
        BrokerProcess follower = members.get(1 + random.nextInt(MEMBERS - 1));
        BrokerProcess any = members.get(random.nextInt(MEMBERS));
        switch (blow) {
            case KILL_LEADER -> {
                leader().kill();
                restart(leader());
            }
            case CUT_POWER_OF_LEADER -> {
                if (rot.isIn(leader())) {
                    // A seal that the power takes away says nothing any more.
                    return;
                }
                // A leader that loses what others have is the leader still; then only "on disk" is a promise.
                // And what retention has deleted cannot be looked for.
                boolean looksForAll = leader().minOffset() > 0 && !isOnDiskAtOnce;
                if (!promise.onDisk() || looksForAll) {
                    return;
                }
                leader().powerCut();
                restart(leader());
            }
            case KILL_FOLLOWER -> {
                follower.kill();
                restart(follower);
            }
            case CUT_POWER_OF_FOLLOWER -> {
                if (rot.isIn(follower)) {
                    return;
                }
                follower.powerCut();
                restart(follower);
            }
            case LOSE_DISK_OF_FOLLOWER -> {
                if (rot.isThere()) {
                    // It may have the only sound copy.
                    return;
                }
                follower.loseDisk();
                restart(follower);
            }
            case STOP_FOLLOWER_CLEANLY -> {
                // With a loss of power behind it, seals are gone that were not on disk yet.
                follower.stopCleanly(random.nextBoolean() && !rot.isIn(follower));
                restart(follower);
            }
            case PAUSE_A_MEMBER ->
                any.life().pauseUntil(scheduler.nanos() + 1 + random.nextLong(8 * SimScheduler.SECOND));
            case BLOCK_ONE_PATH -> {
                BrokerProcess other = members.get(random.nextInt(MEMBERS));
                net.block(any.address.host(), other.address.host());
                unblockSoon();
            }
            case ISOLATE_A_MEMBER -> {
                for (BrokerProcess other : members) {
                    if (other != any) {
                        net.block(any.address.host(), other.address.host());
                        net.block(other.address.host(), any.address.host());
                    }
                }
                unblockSoon();
            }
            case RESET_A_LINK -> net.resetOne();
            case SILENCE_A_LINK -> net.silenceOne();
            case STALL_A_DISK -> {
                any.disk.faults().stall(random.nextLong(8 * SimScheduler.SECOND));
                scheduler.after(6 * SimScheduler.SECOND, life, "the disk works again", any.disk.faults()::heal);
            }
            case RESTART_A_CONSUMER -> {
                int index = random.nextInt(consumers.size());
                var old = consumers.get(index);
                old.life.end();
                net.processEnded(old.life);
                var fresh = consumer(index, old.life.number() + 1);
                consumers.set(index, fresh);
                fresh.begin();
            }
        }
    }

    private void restart(BrokerProcess process) {
        scheduler.after(
                1 + random.nextLong(3 * SimScheduler.SECOND),
                life,
                "somebody starts " + process.address,
                process::start);
    }

    private void unblockSoon() {
        scheduler.after(1 + random.nextLong(8 * SimScheduler.SECOND), life, "paths are open again", net::unblockAll);
    }

    private void heal() {
        scheduler.note("fate heals everything");
        healed = true;
        net.unblockAll();
        net.weather(Weather.FAIR);
        for (BrokerProcess member : members) {
            member.disk.faults().heal();
            if (member.isFenced()) {
                member.kill();
            }
            member.start();
        }
        nameserver.start();
    }

    /// No member found two sound copies of a place to be different.
    private static void nothingDiffers(BrokerProcess member) {
        node(member)
                .replica()
                .ifPresent(status -> status.comparison().members().forEach(each -> {
                    if (each.differing() > 0) {
                        throw new SimFailure("logs differ, and both are said to be sound: " + each);
                    }
                }));
    }

    private boolean allInSync() {
        BrokerNode leads = leader().node();
        return leads != null
                && leads.replica()
                        .map(status -> status.members().size() == MEMBERS - 1
                                && status.members().stream()
                                        .allMatch(each -> each.state() instanceof MemberState.InSync))
                        .orElse(false);
    }

    private boolean isQuiet() {
        BrokerNode leads = leader().node();
        if (leads == null) {
            return false;
        }
        long end = leads.store().appended();
        for (BrokerProcess member : members) {
            BrokerNode node = member.node();
            if (node == null || node.store().appended() != end || node.store().confirmOffset() != end) {
                return false;
            }
        }
        return true;
    }

    private boolean isDrained() {
        BrokerNode leads = leader().node();
        if (leads == null) {
            return false;
        }
        return leads.store().queues().stream()
                .filter(queue -> queue.topic().equals(TOPIC))
                .allMatch(queue ->
                        consumers.stream().allMatch(consumer -> consumer.next(queue.queueId()) == queue.maxOffset()));
    }

    private boolean isFolded() {
        return isQuiet() && members.stream().allMatch(member -> node(member).hasFolded());
    }

    private boolean haveSameOffsets() {
        return members.stream()
                .allMatch(member ->
                        node(member).consumerOffsets().equals(node(leader()).consumerOffsets()));
    }

    private static BrokerNode node(BrokerProcess member) {
        BrokerNode node = member.node();
        if (node == null) {
            throw new SimFailure("a member died while nothing happened");
        }
        return node;
    }

    private long acknowledged() {
        return producers.stream().mapToLong(Producer::acknowledged).sum();
    }

    private void within(String what, BooleanSupplier holds) {
        within(what, RECOVERS_WITHIN, holds);
    }

    private void within(String what, long nanos, BooleanSupplier holds) {
        long end = scheduler.nanos() + nanos;
        while (!holds.getAsBoolean()) {
            if (scheduler.nanos() > end || !scheduler.step()) {
                throw new SimFailure(what + ": not within " + nanos / SimScheduler.SECOND
                        + " s after everything healed; the leader says " + leaderSays() + consumersStand()
                        + rot.words());
            }
        }
    }

    private String leaderSays() {
        BrokerNode leads = leader().node();
        return leads == null
                ? "nothing"
                : leads.replica().map(ReplicaStatus::toString).orElse("nothing");
    }

    /// Where each consumer is in each queue, for a sentence.
    private String consumersStand() {
        StringBuilder words = new StringBuilder("; ");
        BrokerNode leads = leader().node();
        for (ConsumeQueue queue :
                leads == null ? List.<ConsumeQueue>of() : leads.store().queues()) {
            if (queue.topic().equals(TOPIC)) {
                words.append(queue)
                        .append(" from ")
                        .append(queue.minOffset())
                        .append(" to ")
                        .append(queue.maxOffset());
                consumers.forEach(each -> words.append(", consumer at ").append(each.next(queue.queueId())));
                words.append("; ");
            }
        }
        return words.toString();
    }

    @Override
    public void close() {
        members.forEach(member -> member.disk.close());
    }

    /// What a run came to.
    ///
    /// @param hash of every event
    /// @param everInSync how often, looked at every second, a follower was in sync
    /// @param changes how often a follower's log was cut back or exchanged
    /// @param copies how often it was exchanged for a copy of the leader's
    /// @param deletions how often a topic was deleted while messages for it were on their way
    /// @param mended how many bits that had turned over were right again in the end
    /// @param states how many places of the log a member was seen to have compared its state at
    public record Outcome(
            long hash,
            long acknowledged,
            long seen,
            int everInSync,
            int changes,
            int copies,
            int deletions,
            int mended,
            int states) {}
}
