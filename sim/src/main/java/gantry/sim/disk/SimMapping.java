package gantry.sim.disk;

import gantry.sim.Life;
import gantry.store.Disk;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/// A mapped file that can no longer be touched once it is closed.
///
/// For:   showing the live content, and finding whoever reads too late.
/// Owner: whoever asked for it.
final class SimMapping implements Disk.Mapping {
    private final SimFile file;
    private final Life life;
    private final Arena arena;
    private final ByteBuffer bytes;

    @SuppressWarnings("MustBeClosedChecker") // closed by `close`
    SimMapping(SimFile file, Life life) {
        this.file = file;
        this.life = life;
        this.arena = Arena.ofConfined();
        this.bytes = file.map(arena).asByteBuffer();
    }

    @Override
    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public void close() {
        arena.close();
        if (life.alive()) {
            file.unmap();
        }
    }
}
