/// The leader's side: who is connected, what each member holds, who is in sync, and what is confirmed.
///
/// ```
///   connections ──▶ Strangers (bounded) ──▶ LeaderLink: hello, position ──▶ Member ──▶ ReplicaGroup
///                                               │ Stream: batches, credit               │ confirmOffset
///                                               └──▶ Outlet                             └──▶ LeaderOwner
/// ```
/// Neighbours: `hello`, `member` and `frame` below; the owner of the log gives it events and carries out what
/// it asks.
@NullMarked
package gantry.replica.lead;

import org.jspecify.annotations.NullMarked;
