/// The face of the offline check: how far it has come, and what it found, for people and for scripts.
///
/// Neighbours: `gantry.store.StoreVerifier` does the work.
@NullMarked
package gantry.server.verify;

import org.jspecify.annotations.NullMarked;
