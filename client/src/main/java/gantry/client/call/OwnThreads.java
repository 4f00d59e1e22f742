package gantry.client.call;

import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.net.Ticker;
import java.time.Duration;

/// Puts a client on real sockets, with one event loop and one ticker.
///
/// For:   programs that want a client and nothing else.
/// Owner: none (stateless); what it starts ends with the client.
/// Never: shares anything between two clients.
final class OwnThreads {
    private static final Duration TICK = Duration.ofMillis(50);

    private OwnThreads() {}

    static RemotingClient open(Notices notices) {
        Sequencer.Faults faults = (name, cause) ->
                notices.alarm("\"" + name + "\" of the client is broken by " + cause + ", a fault of this program");
        NettyNetwork network = new NettyNetwork(NetConfig.DEFAULT.withEventLoops(1), notices, faults);
        Ticker ticker = new Ticker("client-tick", notices);
        RemotingClient client = new RemotingClient(network, new SystemClock(), faults, () -> {
            ticker.close();
            network.close();
        });
        ticker.every(TICK, "calls", client::tick);
        return client;
    }
}
