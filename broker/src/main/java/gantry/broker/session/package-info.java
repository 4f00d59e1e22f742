/// One conversation with one connection: requests in, answers out.
///
/// ```
///   Network.Session.frame ─▶ ClientSession ─▶ RequestHandler by code ─┬─ Request.succeed / refuse …  (goes out at
/// burst end)
///                                                                      ├─ Reply                        (later, from
/// any thread)
///                                                                      └─ AppendBurst                  (answers when
/// confirmed)
/// ```
/// Neighbours: `send`, `pull`, `group`, `query` hold the handlers; this package knows none of them.
@NullMarked
package gantry.broker.session;

import org.jspecify.annotations.NullMarked;
