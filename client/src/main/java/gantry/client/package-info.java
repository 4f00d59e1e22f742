/// Gantry's own Java client.
///
/// ```
///   produce, pull ──▶ route ──▶ call ──▶ Network (net)
///        └ each wait has a Deadline; each failure is a CallFailed that says what was tried, where and how long
/// ```
/// Neighbours: `ops` and applications use it; it knows the wire and the network, and no part of a server.
@NullMarked
package gantry.client;

import org.jspecify.annotations.NullMarked;
