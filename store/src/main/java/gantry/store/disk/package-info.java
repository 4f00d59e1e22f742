/// The real `Disk`: the only room of the store that opens files, starts threads and takes locks.
///
/// Neighbours: `server` makes a `FileDisk` and hands it to `Store`; nobody else looks in here.
@NullMarked
package gantry.store.disk;

import org.jspecify.annotations.NullMarked;
