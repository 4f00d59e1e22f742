package gantry.server.node;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.server.config.StartRefused;

/// Opens a port, or says in one sentence why it cannot be opened.
///
/// For:   the ports of all parts.
/// Owner: none (stateless).
final class Listening {
    private Listening() {}

    static Network.Listener on(Network network, Endpoint here, Network.Acceptor acceptor, String who)
            throws StartRefused {
        try {
            return network.listen(here, acceptor);
        } catch (Network.ListenFailed e) {
            throw refused(who, here, e);
        }
    }

    static StartRefused refused(String who, Endpoint here, Network.ListenFailed e) {
        return new StartRefused(
                who + " cannot listen on " + here + ": " + e.getMessage()
                        + ". The address is set by --host or bindAddress, the port by listenPort or standalone's flags.",
                e);
    }
}
