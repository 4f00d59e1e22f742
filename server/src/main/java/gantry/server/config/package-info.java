/// Configuration: from a properties file and flags to the immutable records of the components.
///
/// ```
///   broker.conf ─▶ ConfigFile ─▶ Values ◀─ flags
///                      │ every key is looked up in KeyTable: Keys (ours and Apache's that have an effect)
///                      ▼                              and ApacheKeys (Apache's that have none here, with the reason)
///   StartRefused: one sentence      BrokerSettings, NameserverSettings ─▶ StoreConfig, BrokerConfig, …
/// ```
/// Neighbours: read by `gantry.server`; knows no socket and starts nothing.
@NullMarked
package gantry.server.config;

import org.jspecify.annotations.NullMarked;
