package gantry.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Sums the log's blocks while their bytes are on their way to the disk.
///
/// ```
///   blocks   │  summed   │  summed   │ running ┊
///   writes     ├────┼──────────┼──────────┼────┤ pass
/// ```
/// For:   sealing what was meant to be written, without reading it again.
/// Owner: the log sequencer.
/// Never: sums a block of which it has missed a byte: such a block is read when it is sealed.
final class RunningSum {
    private final SealLayout layout;
    private final CRC32C crc = new CRC32C();
    private BlockSums sums = new BlockSums();
    private long next = -1;

    RunningSum(SealLayout layout) {
        this.layout = layout;
    }

    /// The remaining bytes were written at a place of the log.
    void pass(long logOffset, ByteBuffer bytes) {
        int end = bytes.limit();
        long at = logOffset;
        while (bytes.position() < end) {
            long base = at - at % layout.segmentBytes();
            int block = layout.blockOf(at - base);
            long start = base + layout.startOf(block);
            long blockEnd = base + layout.endOf(block);
            int length = (int) Math.min(end - bytes.position(), blockEnd - at);
            if (at == start) {
                crc.reset();
                next = at;
            }
            if (at == next) {
                crc.update(bytes.limit(bytes.position() + length));
                bytes.limit(end);
                next = at + length;
                if (next == blockEnd) {
                    sums.add(start, (int) crc.getValue());
                }
            } else {
                bytes.position(bytes.position() + length);
            }
            at += length;
        }
    }

    /// Hands over what was summed since the last time.
    BlockSums take() {
        BlockSums taken = sums;
        sums = new BlockSums();
        return taken;
    }
}
