/// One process: its folders, logs, parts, and its orderly end.
///
/// ```
///   Standalone, NameserverProcess, BrokerProcess      start the parts in order, in one …
///        └── Parts ── stop in reverse, each by name, bounded ◀── ProcessEnd (SIGTERM, SIGINT; the exit code)
///   DataFolder (made, writable, locked)   Logs (bounded files)   FaultsEndProcess (we are wrong: dump and end)
/// ```
/// Neighbours: started by the commands in `gantry.server`; settings come from `gantry.server.config`.
@NullMarked
package gantry.server.node;

import org.jspecify.annotations.NullMarked;
