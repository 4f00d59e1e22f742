package gantry.store;

import java.util.Arrays;

/// Checksums of blocks of the log, in the order of the log, until they become seals.
///
/// For:   handing them from the log to the sealer, and keeping them there until their blocks are durable.
/// Owner: whoever holds it.
/// Never: more than `MOST`: what comes then is left out, and is read when it is sealed.
final class BlockSums {
    /// 64 KiB each: a gigabyte of the log, 192 KiB here.
    static final int MOST = 16_384;

    private static final int FIRST = 16;

    private long[] starts = new long[FIRST];
    private int[] sums = new int[FIRST];
    private int head;
    private int end;
    private int taken;

    int count() {
        return end - head;
    }

    /// @param start the log offset of the block's first byte
    void add(long start, int sum) {
        if (count() == MOST) {
            return;
        }
        if (end == starts.length) {
            makeRoom();
        }
        starts[end] = start;
        sums[end++] = sum;
    }

    void addAll(BlockSums others) {
        for (int i = others.head; i < others.end; i++) {
            add(others.starts[i], others.sums[i]);
        }
    }

    void dropBelow(long logOffset) {
        while (head < end && starts[head] < logOffset) {
            head++;
        }
    }

    /// Takes the sum of the block that starts there, and drops those before it.
    ///
    /// @return false when there is none; else `taken` tells it
    boolean takes(long start) {
        dropBelow(start);
        if (head == end || starts[head] != start) {
            return false;
        }
        taken = sums[head++];
        return true;
    }

    int taken() {
        return taken;
    }

    private void makeRoom() {
        int count = count();
        int length = count * 2 > starts.length ? starts.length * 2 : starts.length;
        long[] roomyStarts = new long[length];
        System.arraycopy(starts, head, roomyStarts, 0, count);
        starts = roomyStarts;
        sums = Arrays.copyOf(Arrays.copyOfRange(sums, head, end), length);
        head = 0;
        end = count;
    }
}
