package gantry.sim.net;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.Acceptor;
import gantry.sim.Life;
import gantry.sim.SimScheduler;

/// One attempt to connect.
///
/// For:   what lies between asking for a connection and having it: no answer, a refusal, or an accept that comes later
///        than the connection, because the machine answers even when its process hangs.
/// Owner: the scheduler's thread.
final class Dial {
    private static final long RETRY_NANOS = SimScheduler.SECOND;

    private final SimNet net;
    private final Endpoint there;
    private final SimLink near;

    Dial(SimNet net, Life life, Endpoint there) {
        this.net = net;
        this.there = there;
        this.near = net.newLink(life, net.ownEndpoint(life), there);
    }

    Link start(Acceptor acceptor) {
        // Until somebody accepts, what is sent waits in front of a wall.
        SimLink wall = net.newLink(new Life(there.host(), -1), there, near.local());
        near.tie(new Pipe(net, near, wall), new Pipe(net, wall, near));
        near.meet(acceptor);
        attempt();
        net.scheduler().after(net.weather().connectTimeoutNanos(), near.life(), "dial times out", () -> {
            if (near.connecting()) {
                near.end("connecting to " + there + " timed out");
            }
        });
        return near;
    }

    private void attempt() {
        net.scheduler().after(net.delay(), net.fabric(), "connection request arrives", () -> {
            if (!near.connecting() || !near.life().alive()) {
                return;
            }
            if (!net.reaches(near.local().host(), there.host())
                    || !net.reaches(there.host(), near.local().host())) {
                net.scheduler().after(RETRY_NANOS, near.life(), "dial tries again", this::attempt);
                return;
            }
            SimNet.Door door = net.door(there);
            if (door == null) {
                net.scheduler()
                        .after(
                                net.delay(),
                                near.life(),
                                "connection is refused",
                                () -> near.end("connection to " + there + " refused"));
                return;
            }
            connect(door);
        });
    }

    private void connect(SimNet.Door door) {
        SimScheduler scheduler = net.scheduler();
        SimLink far = net.newLink(door.life(), there, near.local());
        Pipe nearToFar = new Pipe(net, near, far);
        Pipe farToNear = new Pipe(net, far, near);
        nearToFar.adopt(near.out());
        near.tie(nearToFar, farToNear);
        far.tie(farToNear, nearToFar);
        net.remember(near);
        net.remember(far);
        scheduler.after(1, door.life(), "accepts", () -> {
            far.opened();
            far.meet(door.acceptor());
        });
        long known = net.delay();
        farToNear.open(scheduler.nanos() + known);
        scheduler.after(known, near.life(), "connected", () -> {
            near.opened();
            nearToFar.open(scheduler.nanos());
        });
    }
}
