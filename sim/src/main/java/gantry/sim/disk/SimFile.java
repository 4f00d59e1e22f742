package gantry.sim.disk;

import gantry.sim.SimFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// The content of one file: as programs see it, and as it may be found after a power cut.
///
/// For:   keeping, per sector, every version since the last sync.
/// Owner: its disk, on the scheduler's thread.
/// Holds: FILE-1 a sector without an entry in `unsynced` is on the platter as programs see it.
final class SimFile {
    static final int SECTOR_BYTES = 512;
    /// Space is taken in blocks of this size, when they are first written.
    static final int BLOCK_BYTES = 4096;

    /// One version of a sector; `order` counts the writes of the whole disk.
    private static final class Version {
        final long order;
        final byte[] bytes;

        Version(long order, byte[] bytes) {
            this.order = order;
            this.bytes = bytes;
        }
    }

    private final Arena arena;
    private MemorySegment content;
    private long length;
    private long syncedLength;
    private long lengthSyncedAt;
    private final BitSet blocks = new BitSet();
    private final TreeMap<Integer, List<Version>> unsynced = new TreeMap<>();
    /// Sectors that a failed sync gave up: programs see one thing, the platter has another, and no sync will help.
    private final TreeMap<Integer, byte[]> givenUp = new TreeMap<>();
    private int mappings;

    SimFile(Arena arena) {
        this.arena = arena;
        this.content = MemorySegment.NULL;
    }

    long length() {
        return length;
    }

    long takenBytes() {
        return (long) blocks.cardinality() * BLOCK_BYTES;
    }

    /// How much more space a write would take.
    long wantedBytes(long position, int size) {
        int from = (int) (position / BLOCK_BYTES);
        int to = (int) ((position + size + BLOCK_BYTES - 1) / BLOCK_BYTES);
        return (long) (to - from - blocks.get(from, to).cardinality()) * BLOCK_BYTES;
    }

    void resize(long bytes, long order) {
        if (bytes < length) {
            if (mappings > 0) {
                throw new SimFailure("a mapped file is made shorter: its readers would die");
            }
            cut(bytes, order);
        }
        reserve(bytes);
        length = bytes;
    }

    private void reserve(long bytes) {
        if (bytes <= content.byteSize()) {
            return;
        }
        if (mappings > 0) {
            throw new SimFailure("a mapped file grows: not simulated");
        }
        long capacity = content.byteSize() == 0 ? bytes : Math.max(bytes, content.byteSize() * 2);
        long rounded = (capacity + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
        MemorySegment larger = arena.allocate(rounded, 8);
        larger.asSlice(0, content.byteSize()).copyFrom(content);
        content = larger;
    }

    void write(long position, ByteBuffer source, int size, long order) {
        if (size == 0) {
            return;
        }
        reserve(position + size);
        int first = (int) (position / SECTOR_BYTES);
        int last = (int) ((position + size - 1) / SECTOR_BYTES);
        remember(first, last);
        MemorySegment from = MemorySegment.ofBuffer(source.duplicate()).asSlice(0, size);
        content.asSlice(position, size).copyFrom(from);
        length = Math.max(length, position + size);
        blocks.set((int) (position / BLOCK_BYTES), (int) ((position + size - 1) / BLOCK_BYTES) + 1);
        for (int sector = first; sector <= last; sector++) {
            addVersion(sector, order);
        }
    }

    /// Zeroes everything from `position` on and gives its space back.
    void cut(long position, long order) {
        if (position >= length) {
            return;
        }
        int first = (int) (position / SECTOR_BYTES);
        int last = (int) ((length - 1) / SECTOR_BYTES);
        for (int sector = first; sector <= last; sector++) {
            if (isTouched(sector)) {
                remember(sector, sector);
                long from = Math.max(position, (long) sector * SECTOR_BYTES);
                content.asSlice(from, (sector + 1L) * SECTOR_BYTES - from).fill((byte) 0);
                addVersion(sector, order);
            }
        }
        int firstFree = (int) ((position + BLOCK_BYTES - 1) / BLOCK_BYTES);
        blocks.clear(firstFree, Math.max(firstFree, blocks.length()));
    }

    private boolean isTouched(int sector) {
        return blocks.get((int) ((long) sector * SECTOR_BYTES / BLOCK_BYTES));
    }

    private void remember(int first, int last) {
        for (int sector = first; sector <= last; sector++) {
            if (!unsynced.containsKey(sector)) {
                byte[] platter = givenUp.remove(sector);
                List<Version> versions = new ArrayList<>();
                versions.add(new Version(-1, platter != null ? platter : sectorBytes(sector)));
                unsynced.put(sector, versions);
            }
        }
    }

    private void addVersion(int sector, long order) {
        List<Version> versions = unsynced.get(sector);
        if (versions == null) {
            throw new IllegalStateException("sector " + sector + " was not remembered");
        }
        versions.add(new Version(order, sectorBytes(sector)));
    }

    private byte[] sectorBytes(int sector) {
        return content.asSlice((long) sector * SECTOR_BYTES, SECTOR_BYTES).toArray(ValueLayout.JAVA_BYTE);
    }

    int read(long position, ByteBuffer into) {
        int size = (int) Math.max(0, Math.min(into.remaining(), length - position));
        into.put(content.asSlice(Math.min(position, length), size).asByteBuffer());
        return size;
    }

    MemorySegment map(Arena reader) {
        mappings++;
        return content.asSlice(0, length).reinterpret(reader, null).asReadOnly();
    }

    void unmap() {
        mappings--;
    }

    /// Everything that was written with an order up to `upTo` is on the platter now.
    void synced(long upTo, long lengthThen) {
        if (upTo >= lengthSyncedAt) {
            syncedLength = lengthThen;
            lengthSyncedAt = upTo;
        }
        Iterator<Map.Entry<Integer, List<Version>>> all = unsynced.entrySet().iterator();
        while (all.hasNext()) {
            List<Version> versions = all.next().getValue();
            while (versions.size() > 1 && versions.get(1).order <= upTo) {
                versions.removeFirst();
            }
            if (versions.size() == 1) {
                all.remove();
            }
        }
    }

    /// A sync failed: each sector may or may not have reached the platter, and nothing will write it again.
    void syncFailed(RandomGenerator random) {
        unsynced.forEach((sector, versions) -> {
            if (random.nextBoolean()) {
                givenUp.put(sector, versions.getFirst().bytes);
            }
        });
        unsynced.clear();
    }

    boolean hasGivenUp() {
        return !givenUp.isEmpty();
    }

    /// @return `to`, or a position from `from` on whose byte could be another after a power cut
    long certainUpTo(long from, long to) {
        if (syncedLength < to) {
            return Math.max(from, syncedLength);
        }
        for (Map.Entry<Integer, List<Version>> entry : unsynced.entrySet()) {
            for (Version version : entry.getValue()) {
                long differs = differsFrom(entry.getKey(), version.bytes, from, to);
                if (differs < to) {
                    return differs;
                }
            }
        }
        for (Map.Entry<Integer, byte[]> entry : givenUp.entrySet()) {
            long differs = differsFrom(entry.getKey(), entry.getValue(), from, to);
            if (differs < to) {
                return differs;
            }
        }
        return to;
    }

    private long differsFrom(int sector, byte[] other, long from, long to) {
        long base = (long) sector * SECTOR_BYTES;
        for (long at = Math.max(from, base); at < Math.min(to, base + SECTOR_BYTES); at++) {
            if (content.get(ValueLayout.JAVA_BYTE, at) != other[(int) (at - base)]) {
                return at;
            }
        }
        return to;
    }

    /// The power goes. What programs see from now on is what was on the platter.
    void powerCut(Survival survival, long moment, RandomGenerator random) {
        givenUp.forEach(this::restore);
        unsynced.forEach((sector, versions) -> restore(sector, survivor(versions, survival, moment, random)));
        givenUp.clear();
        unsynced.clear();
        long least = Math.min(syncedLength, length);
        long most = Math.max(syncedLength, length);
        length = switch (survival) {
            case NOTHING -> syncedLength;
            case EVERYTHING -> length;
            case UP_TO_A_MOMENT, EACH_FOR_ITSELF -> random.nextBoolean() ? least : most;
        };
        reserve(length);
        if (length < content.byteSize()) {
            content.asSlice(length).fill((byte) 0);
        }
        syncedLength = length;
        int firstFree = (int) ((length + BLOCK_BYTES - 1) / BLOCK_BYTES);
        blocks.clear(firstFree, Math.max(firstFree, blocks.length()));
    }

    private byte[] survivor(List<Version> versions, Survival survival, long moment, RandomGenerator random) {
        return switch (survival) {
            case NOTHING -> versions.getFirst().bytes;
            case EVERYTHING -> versions.getLast().bytes;
            case UP_TO_A_MOMENT -> {
                byte[] found = versions.getFirst().bytes;
                for (Version version : versions) {
                    boolean whole = version.order < moment;
                    boolean torn = version.order == moment && random.nextBoolean();
                    found = whole || torn ? version.bytes : found;
                }
                yield found;
            }
            case EACH_FOR_ITSELF -> versions.get(random.nextInt(versions.size())).bytes;
        };
    }

    private void restore(int sector, byte[] bytes) {
        content.asSlice((long) sector * SECTOR_BYTES, SECTOR_BYTES).copyFrom(MemorySegment.ofArray(bytes));
    }

    int byteAt(long at) {
        return content.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    /// One bit turns over, on the platter and in everybody's eyes.
    void flip(long bit) {
        long at = bit / 8;
        byte old = content.get(ValueLayout.JAVA_BYTE, at);
        content.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ (1 << (bit % 8))));
    }

    /// Every byte is zero, as after `flip`.
    void zero() {
        content.asSlice(0, length).fill((byte) 0);
    }

    /// Forgets the mappings of an ended process.
    void processEnded() {
        mappings = 0;
    }
}
