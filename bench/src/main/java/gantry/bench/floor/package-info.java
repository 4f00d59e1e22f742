/// What the machine itself costs: bytes into a file, and a sync of them.
///
/// Neighbours: the campaign measures it beside the servers.
@NullMarked
package gantry.bench.floor;

import org.jspecify.annotations.NullMarked;
