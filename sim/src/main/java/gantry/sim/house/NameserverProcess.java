package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.control.nameserver.KeyValueShelf;
import gantry.control.nameserver.NameserverConfig;
import gantry.control.nameserver.NameserverNode;
import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.SimOffload;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;

/// The nameserver of the house.
///
/// For:   wiring `NameserverNode` to simulated seams.
/// Owner: the scheduler's thread.
final class NameserverProcess extends SimProcess {
    NameserverProcess(SimScheduler scheduler, SimNet net, Endpoint address) {
        super(scheduler, net, address);
    }

    @Override
    void boot(Life now) {
        NameserverNode node = new NameserverNode(
                NameserverConfig.DEFAULT,
                clock,
                new SimOffload(scheduler, now),
                notices(),
                faults(),
                KeyValueShelf.inMemory());
        try {
            net.network(now).listen(address, node);
        } catch (Network.ListenFailed e) {
            throw new SimFailure("the nameserver cannot listen: " + e.getMessage(), e);
        }
        scheduler.every(NameserverNode.TICK_MILLIS * SimScheduler.MILLI, now, "nameserver ticks", node::tick);
    }
}
