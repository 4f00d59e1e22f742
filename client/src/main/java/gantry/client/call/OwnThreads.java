package gantry.client.call;

import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.net.Ticker;
import java.time.Duration;

/// Calls over real sockets, with one event loop and one ticker.
///
/// For:   programs that want a client and nothing else.
/// Owner: whoever made it; what it starts ends with `calls`.
/// Never: shares anything between two clients.
public final class OwnThreads {
    private static final Duration TICK = Duration.ofMillis(50);

    private final Sequencer.Faults faults;
    private final Ticker ticker;
    private final RemotingClient calls;

    public OwnThreads(Notices notices) {
        faults = (name, cause) ->
                notices.alarm("\"" + name + "\" of the client is broken by " + cause + ", a fault of this program");
        NettyNetwork network = new NettyNetwork(NetConfig.DEFAULT.withEventLoops(1), notices, faults);
        Ticker own = new Ticker("client-tick", notices);
        ticker = own;
        calls = new RemotingClient(network, new SystemClock(), faults, () -> {
            own.close();
            network.close();
        });
        tick("calls", calls::tick);
    }

    /// Calls; closing them ends everything.
    public RemotingClient calls() {
        return calls;
    }

    public Sequencer.Faults faults() {
        return faults;
    }

    /// From now on `work` comes several times a second.
    public void tick(String what, Runnable work) {
        ticker.every(TICK, what, work);
    }
}
