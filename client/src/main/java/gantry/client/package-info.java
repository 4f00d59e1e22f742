/// Gantry's own Java client; in this slice what the command line needs: calls, a simple producer, a simple puller.
///
/// ```
///   SimpleProducer, SimplePuller, ops ─▶ Routes ─▶ RemotingClient ─▶ Network (net)
/// ```
/// Neighbours: `ops` uses it; it knows the wire and the network, and no server part.
@NullMarked
package gantry.client;

import org.jspecify.annotations.NullMarked;
