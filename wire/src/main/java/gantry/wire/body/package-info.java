/// What stands in the bodies of requests and answers that are not messages: routes, registrations, heartbeats, tables.
///
/// ```
///   frame's body ──▶ gantry.wire.json.Json ──▶ T.fromJson ──▶ record ──▶ toBytes ──▶ frame's body
///                          └ zlib form of a registration: CompressedRegistration
/// ```
/// Each record stands for the union of what 4.9 and 5.x peers know; what a peer leaves out has that peer's default.
/// Names here are ours, the wire's spelling stays inside the `write` and `fromJson` of each record.
/// Neighbours: `gantry.wire.json` below; brokers, nameservers, clients and tools above.
@NullMarked
package gantry.wire.body;

import org.jspecify.annotations.NullMarked;
