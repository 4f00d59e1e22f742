package gantry.sim.net;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.sim.Life;

/// The network as one life of one simulated process sees it.
///
/// For:   `Network` for nodes.
/// Owner: the scheduler's thread.
final class SimNetwork implements Network {
    private final SimNet net;
    private final Life life;

    SimNetwork(SimNet net, Life life) {
        this.net = net;
        this.life = life;
    }

    @Override
    public Listener listen(Endpoint here, Acceptor acceptor) throws ListenFailed {
        return net.listen(life, here, acceptor);
    }

    @Override
    public Link dial(Endpoint there, Acceptor acceptor) {
        return new Dial(net, life, there).start(acceptor);
    }
}
