/// The official libraries, as judges: loaded from their own jars, apart from everything that the product uses.
///
/// ```
///   golden tests ──▶ PeerLibrary ──▶ class loader of judges/client-4.9.8 or -5.5.0 ── parent: the JDK only
/// ```
/// Neighbours: every golden test of this module; imports nothing.
@NullMarked
package gantry.wire.peer;

import org.jspecify.annotations.NullMarked;
