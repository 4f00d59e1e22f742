/// The commands of `./gantry admin` and `./gantry health`.
///
/// ```
///   picocli ─▶ one class per command ─▶ client ─▶ nameserver, broker
///                     └─▶ Table (for people) or JSON (for scripts)
/// ```
/// Neighbours: `server` gives these commands to its main command; nothing here starts a server part.
@NullMarked
package gantry.ops.cli;

import org.jspecify.annotations.NullMarked;
