package gantry.store;

import java.util.Arrays;

/// Index entries that wait in memory, in the order of the log.
///
/// For:   gathering so many that each page of the slots is written once for several of them.
/// Owner: the index sequencer.
/// Never: more than `MAX_ENTRIES` and the keys of one message: 20 bytes each, about 5.5 MB when the store is busy.
final class PendingKeys {
    static final int MAX_ENTRIES = 262_144;

    private static final int FIRST_ENTRIES = 1024;

    private int[] hashes = new int[FIRST_ENTRIES];
    private long[] logOffsets = new long[FIRST_ENTRIES];
    private long[] millis = new long[FIRST_ENTRIES];
    private int count;

    int count() {
        return count;
    }

    boolean isFull() {
        return count >= MAX_ENTRIES;
    }

    int hash(int i) {
        return hashes[i];
    }

    long logOffset(int i) {
        return logOffsets[i];
    }

    long millis(int i) {
        return millis[i];
    }

    void add(int hash, long logOffset, long storeMillis) {
        if (count == hashes.length) {
            resize(count * 2);
        }
        hashes[count] = hash;
        logOffsets[count] = logOffset;
        millis[count] = storeMillis;
        count++;
    }

    /// How many belong to messages below a place in the log.
    int countBelow(long logOffset) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (logOffsets[middle] < logOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The first `done` are in a file now; memory that a burst needed is given back.
    void drop(int done) {
        int left = count - done;
        System.arraycopy(hashes, done, hashes, 0, left);
        System.arraycopy(logOffsets, done, logOffsets, 0, left);
        System.arraycopy(millis, done, millis, 0, left);
        int before = count;
        count = left;
        if (hashes.length > FIRST_ENTRIES && before < hashes.length / 4) {
            resize(Math.max(FIRST_ENTRIES, hashes.length / 2));
        }
    }

    private void resize(int length) {
        hashes = Arrays.copyOf(hashes, length);
        logOffsets = Arrays.copyOf(logOffsets, length);
        millis = Arrays.copyOf(millis, length);
    }
}
