/// Gantry's own Java client; in this slice what the command line and the health check need.
///
/// ```
///   SimpleProducer, SimplePuller ──▶ Routes ──▶ RemotingClient ──▶ Network (net)
///        └ each wait has a Deadline; each failure is a CallFailed that says what was tried, where and how long
/// ```
/// Neighbours: `ops` and applications use it; it knows the wire and the network, and no part of a server.
@NullMarked
package gantry.client;

import org.jspecify.annotations.NullMarked;
