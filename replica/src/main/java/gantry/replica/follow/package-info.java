/// The follower's side: which leader it follows, what it has taken, and what it may show.
///
/// ```
///   dialled connection ──▶ FollowerLink: hello, position, verdict checked ──▶ Following ──▶ FollowerLog
///                                  │ acknowledgements                          confirmOffset, cut, epochs
///                                  ├──▶ Outlet
///                                  └──▶ Copying ──▶ CopyTarget: a copy of the leader's log, beside ours
/// ```
/// Neighbours: `hello`, `member` and `frame` below; the owner of the log dials, gives it events and carries out
/// what it asks.
@NullMarked
package gantry.replica.follow;

import org.jspecify.annotations.NullMarked;
