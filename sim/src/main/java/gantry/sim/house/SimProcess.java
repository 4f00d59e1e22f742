package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.sim.Life;
import gantry.sim.SimClock;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;

/// One server process of the house, over all its lives.
///
/// For:   what every server has in common: a machine, a clock, and ways to end.
/// Owner: the scheduler's thread.
abstract class SimProcess {
    final SimScheduler scheduler;
    final SimNet net;
    final SimClock clock;
    final Endpoint address;
    private Life life;
    private boolean dark;

    SimProcess(SimScheduler scheduler, SimNet net, Endpoint address) {
        this.scheduler = scheduler;
        this.net = net;
        this.address = address;
        // Monotonic clocks begin anywhere; near the overflow is the nastiest place.
        boolean overflows = scheduler.fork(address + "/clock").nextInt(4) == 0;
        this.clock = new SimClock(scheduler, overflows ? Long.MAX_VALUE - 5 * SimScheduler.SECOND : 0);
        this.life = new Life(address.host(), 0);
        life.end();
    }

    final Life life() {
        return life;
    }

    final boolean isUp() {
        return life.alive();
    }

    /// Begins the next life; does nothing when one is under way.
    final void start() {
        if (isUp()) {
            return;
        }
        if (dark) {
            net.powerBack(address.host());
            dark = false;
        }
        life = new Life(address.host(), life.number() + 1);
        scheduler.note(life + " starts");
        boot(life);
    }

    /// The process ends at once; what it wrote stays, its connections are closed by its machine.
    final void kill() {
        if (isUp() && isSick()) {
            powerCut();
        } else if (isUp()) {
            scheduler.note(life + " is killed");
            dying(false);
            life.end();
            net.processEnded(life);
            killed();
        }
    }

    /// The machine loses power.
    final void powerCut() {
        if (isUp()) {
            scheduler.note(life + " loses power");
            dying(true);
            life.end();
            net.powerLost(life);
            dark = true;
            lostPower();
        }
    }

    /// Makes the node and lets it serve.
    abstract void boot(Life now);

    /// Right before the end, which the node does not see coming.
    void dying(boolean power) {}

    /// Whether only a restart of the machine helps, so that nobody merely ends the process.
    boolean isSick() {
        return false;
    }

    void killed() {}

    void lostPower() {}

    final Notices notices() {
        Life mine = life;
        return (level, text) -> scheduler.trace(mine + " says: " + level + " " + text);
    }

    final Sequencer.Faults faults() {
        Life mine = life;
        return (sequencer, cause) -> {
            if (mine.alive()) {
                throw new SimFailure(
                        "a command of the sequencer \"" + sequencer + "\" of " + mine + " failed: " + cause, cause);
            }
        };
    }
}
