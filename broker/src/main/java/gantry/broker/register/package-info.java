/// Tells the nameservers that this broker is here and which topics it serves.
///
/// ```
///   tick ─▶ Registration (one owner) ─▶ NameserverContact × n ──103, 904, 104──▶ nameserver
///               Catalogue.changes() ──┘        each with its own state, so that one that hangs delays nobody
/// ```
/// A follower hears in the answers where its leader is (`LeaderNews`). Neighbours: `topic` says what is served.
@NullMarked
package gantry.broker.register;

import org.jspecify.annotations.NullMarked;
