/// The judges: what an unmodified official client must be able to do, against a server in a process of its own.
///
/// Neighbours: `gantry.judges.court` starts and ends the processes.
@NullMarked
package gantry.judges;

import org.jspecify.annotations.NullMarked;
