/// One connection to each address, and the calls that wait on them.
///
/// ```
///   whoever asks ──▶ RemotingClient (one owner) ──▶ Connection, one an address ──▶ Network (net)
///        └ each wait has a Deadline; each failure is a CallFailed that says what was tried, where and how long
/// ```
/// Neighbours: all rooms of the client ask through it.
@NullMarked
package gantry.client.call;

import org.jspecify.annotations.NullMarked;
