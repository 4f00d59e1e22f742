package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.broker.replica.Reopening;
import gantry.broker.replica.ReplicaRole;
import gantry.sim.Life;
import gantry.sim.SimEntropy;
import gantry.sim.SimFailure;
import gantry.sim.SimOffload;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.disk.SimDisk;
import gantry.sim.net.SimNet;
import gantry.store.ConsumeQueue;
import gantry.store.Disk;
import gantry.store.Durability;
import gantry.store.OpenFailed;
import gantry.store.State;
import gantry.store.Store;
import org.jspecify.annotations.Nullable;

/// The broker of the house.
///
/// For:   wiring `BrokerNode` to simulated seams and to a disk that outlives it, and reading its whole log after every
///        start.
/// Owner: the scheduler's thread.
final class BrokerProcess extends SimProcess {
    private static final long TICK_NANOS = 100 * SimScheduler.MILLI;
    private static final long RETRY_NANOS = 500 * SimScheduler.MILLI;

    SimDisk disk;
    private final BrokerConfig config;
    private final Lens lens;
    private final boolean looksInside;
    private final Ledger ledger;
    private final OffsetLedger offsets;
    private @Nullable BrokerNode node;
    private @Nullable BrokerProbe probe;
    /// What the last store to serve had made durable for certain.
    private long durable;
    /// What the next start must find: everything that ends at or below this log offset.
    private long certainBelow = Ledger.EVERYTHING;

    /// What has to be done to the files before the next node is opened.
    private @Nullable Reopening wanted;

    private int changes;
    private int copies;
    private int starts;
    private int refusedStarts;

    /// @param looksInside whether the store is looked at, or only what clients see
    BrokerProcess(
            SimScheduler scheduler,
            SimNet net,
            Endpoint address,
            BrokerConfig config,
            Lens lens,
            boolean looksInside,
            Ledger ledger,
            OffsetLedger offsets) {
        super(scheduler, net, address);
        this.disk = new SimDisk(scheduler, address.host());
        this.config = config;
        this.lens = lens;
        this.looksInside = looksInside;
        this.ledger = ledger;
        this.offsets = offsets;
    }

    @Override
    void boot(Life now) {
        Disk mounted = lens.disk(disk.mount(now));
        Network network = lens.network(net.network(now), mounted, () -> store(now));
        BrokerNode opened;
        try {
            Reopening change = wanted;
            if (change != null) {
                BrokerNode.change(change, config, mounted, clock, notices());
                wanted = null;
                changes++;
                copies += change instanceof Reopening.SwitchOver ? 1 : 0;
            }
            opened = BrokerNode.open(
                    config,
                    mounted,
                    network,
                    clock,
                    new SimEntropy(scheduler, now),
                    new SimOffload(scheduler, now),
                    notices(),
                    faults());
        } catch (OpenFailed e) {
            if (now.alive()) {
                refused(now, e);
            }
            return;
        }
        if (!now.alive()) {
            return;
        }
        starts++;
        node = opened;
        recover(opened);
        if (looksInside) {
            probe = new BrokerProbe(opened.store(), config.store().durability(), disk);
        }
        try {
            opened.listenForFollowers();
            opened.start(address);
        } catch (Network.ListenFailed e) {
            throw new SimFailure("the broker cannot listen: " + e.getMessage(), e);
        }
        scheduler.every(TICK_NANOS, now, "broker ticks", () -> {
            opened.tick();
            opened.reopening().ifPresent(this::reopen);
        });
    }

    /// As the process does it: the node ends, what it asked for is done to its files, and another takes its place.
    private void reopen(Reopening work) {
        scheduler.note(life() + " opens its store anew: " + work);
        wanted = work;
        stopCleanly(false);
        scheduler.after(SimScheduler.MILLI, net.fabric(), "the store is opened anew", this::start);
    }

    /// The store said why it does not open: legal only while its disk is at fault.
    private void refused(Life now, OpenFailed why) {
        refusedStarts++;
        scheduler.note(now + " does not start: " + why.getMessage());
        if (disk.faults().none()) {
            throw new SimFailure(
                    "P4 the broker does not open a store that only crashes have touched: " + why.getMessage(), why);
        }
        kill();
        scheduler.after(RETRY_NANOS, net.fabric(), "somebody starts the broker again", this::start);
    }

    private Store store(Life asking) {
        BrokerNode now = node;
        if (now == null || asking != life()) {
            throw new IllegalStateException(asking + " has no store");
        }
        return now.store();
    }

    /// Everything below it can no longer be taken back; the largest number while nobody can tell.
    long confirmOffset() {
        BrokerNode now = node;
        return now == null ? Long.MAX_VALUE : now.store().confirmOffset();
    }

    /// Where the log begins; 0 while nobody can tell.
    long minOffset() {
        BrokerNode now = node;
        return now == null ? 0 : now.store().minOffset();
    }

    /// Compares what is there with what was promised.
    private void recover(BrokerNode opened) {
        if (!looksInside && certainBelow == Ledger.EVERYTHING) {
            return;
        }
        if (certainBelow == Ledger.EVERYTHING && isRebuilding(opened)) {
            // Nothing may be missing then either.
            Life now = life();
            scheduler.after(5 * TICK_NANOS, now, "looks at the store again", () -> {
                if (node == opened) {
                    recover(opened);
                }
            });
            return;
        }
        if (isRebuilding(opened)) {
            // All of it is looked at now, which needs a disk that works.
            disk.faults().heal();
        }
        // What cannot be read just now is not lost.
        var content = disk.faults()
                .withoutReadFailures(
                        () -> LogContents.of(opened.store(), config.store().durability() == Durability.WRITTEN));
        ledger.recovered(content, certainBelow);
        certainBelow = Ledger.EVERYTHING;
    }

    private static boolean isRebuilding(BrokerNode opened) {
        return opened.store().queues().stream().anyMatch(ConsumeQueue::isBeingRebuilt);
    }

    @Override
    void dying(boolean power) {
        BrokerNode dead = node;
        if (dead != null) {
            durable = dead.store().durable();
        }
        node = null;
        probe = null;
        if (power) {
            expectOnlyDurable();
        }
    }

    /// What a follower lacks its leader still has.
    private boolean isFollower() {
        return config.replica()
                .map(replica -> replica.role() == ReplicaRole.FOLLOWER)
                .orElse(false);
    }

    private void expectOnlyDurable() {
        if (!isFollower() && config.store().durability() == Durability.WRITTEN) {
            certainBelow = Math.min(certainBelow, durable);
            offsets.forget();
        }
    }

    /// The cache shows bytes that a failed sync never brought to the platter: the operator restarts the machine.
    @Override
    boolean isSick() {
        return disk.hasGivenUp();
    }

    @Override
    void killed() {
        disk.processEnded();
    }

    @Override
    void lostPower() {
        disk.powerCut();
    }

    /// Stops as an operator stops it: in every mode everything survives then, whatever happens to the machine.
    ///
    /// @param thenPowerCut whether the machine loses power right after
    void stopCleanly(boolean thenPowerCut) {
        BrokerNode stopped = node;
        if (stopped == null) {
            return;
        }
        scheduler.note(life() + " stops cleanly");
        boolean healthy = !isFenced() && disk.faults().none();
        stopped.stop();
        stopped.close();
        boolean clean = healthy && isUp();
        kill();
        if (thenPowerCut) {
            if (!clean) {
                expectOnlyDurable();
            }
            disk.powerCut();
        }
    }

    void check() {
        BrokerProbe now = probe;
        if (now != null && isUp()) {
            now.check();
        }
    }

    /// Whether it has stepped aside, and only a restart helps.
    boolean isFenced() {
        BrokerNode now = node;
        return now != null && now.store().state() instanceof State.Fenced;
    }

    @Nullable
    BrokerNode node() {
        return node;
    }

    /// Another disk, with nothing on it, takes the place of the one that was there.
    void loseDisk() {
        kill();
        scheduler.note(address + " gets an empty disk");
        wanted = null;
        disk.close();
        disk = new SimDisk(scheduler, address.host());
    }

    /// How often a copy of the leader's log took the place of the one that was there.
    int copies() {
        return copies;
    }

    /// How often the files were changed between two nodes.
    int changes() {
        return changes;
    }

    int starts() {
        return starts;
    }

    int refusedStarts() {
        return refusedStarts;
    }
}
