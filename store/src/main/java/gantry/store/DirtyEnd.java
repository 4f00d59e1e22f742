package gantry.store;

import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Cleans up behind a write that failed.
///
/// ```
///   clean ── a write failed: disk full ──▶ dirty: cut, sync ── done ──▶ clean
///                                            ▲     └── still full: again at the next tick
///                                            └───────┘ anything else: fenced
/// ```
/// For:   zeros behind the log's end, for certain, before the next append: a write that failed may have left
///        any part of its bytes there, where recovery would find them.
/// Owner: the log sequencer; the disk is waited for outside.
final class DirtyEnd {
    private final Disk disk;
    private final Offload offload;
    private final Sequencer sequencer;
    private final SegmentShelf shelf;
    private final LogTail tail;
    private final FullDisk fullDisk;
    private final Consumer<String> fence;
    private @Nullable Refusal refusal;
    private boolean underWay;

    /// @param fence told, inside, when it cannot be cleaned
    DirtyEnd(
            Disk disk,
            Offload offload,
            Sequencer sequencer,
            SegmentShelf shelf,
            LogTail tail,
            FullDisk fullDisk,
            Consumer<String> fence) {
        this.disk = disk;
        this.offload = offload;
        this.sequencer = sequencer;
        this.shelf = shelf;
        this.tail = tail;
        this.fullDisk = fullDisk;
        this.fence = fence;
    }

    /// What appends are refused with meanwhile; null when the end is clean.
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    boolean isClean() {
        return refusal == null;
    }

    /// A write has failed.
    void refuseWith(Refusal why) {
        refusal = why;
        clean();
    }

    /// Tries again, if there is something to clean.
    void tick() {
        if (refusal != null) {
            clean();
        }
    }

    private void clean() {
        if (underWay) {
            return;
        }
        underWay = true;
        long from = tail.end();
        List<Segment> dirty = shelf.read().between(from, tail.dirtyTo());
        offload.run(() -> {
            Done done = cutAll(dirty, from);
            sequencer.submitAlways(() -> cleaned(done));
        });
    }

    /// Outside of the sequencer: waits for the disk.
    private Done cutAll(List<Segment> dirty, long from) {
        Done done = Done.Ok.NOTHING;
        for (Segment segment : dirty) {
            done = done.isOk() ? disk.cut(segment.file(), Math.max(0, from - segment.base())) : done;
            done = done.isOk() ? disk.syncNow(segment.file()) : done;
        }
        return done;
    }

    private void cleaned(Done done) {
        underWay = false;
        switch (done) {
            case Done.Ok _ -> {
                tail.scrubbed();
                refusal = null;
            }
            case Done.Failed failed when failed.kind() == Done.Kind.FULL -> fullDisk.complain(failed.sentence());
            case Done.Failed failed ->
                fence.accept("The end of the commit log could not be cleaned (" + failed.sentence()
                        + "). Nothing is accepted any more; check the disk, then restart.");
        }
    }
}
