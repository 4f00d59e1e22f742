/// A simulated disk that survives its process, and forgets what nobody synced when the power goes.
///
/// ```
///   store ── MountedDisk (one life's door, the faults) ── SimDisk (what is on the platter) ── SimFolder, SimFile
///                                                            │ power cut: every file and folder for itself
///                                                            ▼
///              each 512-byte sector falls back to any version since its last sync; each folder to any list of names
/// ```
/// Neighbours: implements `gantry.store.Disk` on `gantry.sim.SimScheduler`.
@NullMarked
package gantry.sim.disk;

import org.jspecify.annotations.NullMarked;
