/// The segmented commit log in RocketMQ's format, and everything derived from it.
///
/// ```
///   session ── AppendBatch ──▶ Store.append ─▶ [log sequencer] number ─▶ Disk.write ─▶ written
///                                                   │  sync done / confirmOffset moves
///                                                   ▼
///              confirmed ◀── answers          ConsumeQueue.maxOffset ── QueueListener.grown
///   pull ── Store.fetch ──▶ entries (memory tail or Disk.read) ──▶ log bytes (mapped) ──▶ FetchSink
/// ```
/// Everything crosses threads as a command to the log sequencer, as an `Image`, or as a `Published` long.
/// Neighbours: `broker` calls in; `gantry.store.disk` (or the simulator) stands behind the seam `Disk`.
/// Knows no leader, no group and no socket.
@NullMarked
package gantry.store;

import org.jspecify.annotations.NullMarked;
