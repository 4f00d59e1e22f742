package gantry.client.call;

import gantry.base.Endpoint;
import gantry.wire.frame.Command;
import java.util.function.Consumer;

/// What a peer asks of this client.
///
/// For:   brokers that say that a group's members have changed, ask whether a transaction went well, and the like.
/// Owner: runs on whatever thread brought the request, and must not block.
/// Never: trusts the request; it is a stranger's claim until it is checked.
public interface PeerRequest {
    /// @param reply takes one answer, now or later, from any thread; a oneway request gets none
    void asked(Endpoint from, Command request, Consumer<Command> reply);
}
