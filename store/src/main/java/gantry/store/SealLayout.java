package gantry.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The file that holds the block seals of one commit-log file.
///
/// ```
///   gantryseals/00000000001073741824         the commit-log file of the same name
///   0               8               16              24         28        32 … 63
///   ┌───────────────┬───────────────┬───────────────┬──────────┬─────────┬─────┐
///   │ GANTSE 0 1    │ base          │ segmentBytes  │blockBytes│ CRC32C  │ 0   │
///   └───────────────┴───────────────┴───────────────┴──────────┴─────────┴─────┘
///   64          68          72          76          80
///   ┌───────────┬───────────┬───────────┬───────────┬──
///   │ CRC32C of │ check of  │ CRC32C of │ check of  │ …      one pair for each block of the file; all zero: not
///   │ block 0   │ this pair │ block 1   │ this pair │        sealed (yet)
///   └───────────┴───────────┴───────────┴───────────┴──
/// ```
/// The check of a pair is the CRC32C over the block's log offset (8 bytes) and the pair's first half. So every pair
/// stands for itself: pairs are written in place and never synced, and one that a crash has torn is none.
///
/// History: version 1 is the first. Another version, or other sizes: the file is thrown away and made again.
///
/// For:   one place that knows the bytes.
/// Owner: none (immutable).
///
/// @param segmentBytes length of a commit-log file
/// @param blockBytes what one seal covers; the last block of a file may be shorter
record SealLayout(long segmentBytes, int blockBytes) {
    static final String FOLDER = "gantryseals";

    static final int HEADER_BYTES = 64;
    static final int PAIR_BYTES = 8;

    /// What one seal covers in files of usual size.
    private static final int USUAL_BLOCK_BYTES = 64 << 10;

    /// Small files still have so many blocks.
    private static final int FEWEST_BLOCKS = 16;

    private static final long MAGIC = 0x47414E5453450001L;
    private static final int BASE_AT = 8;
    private static final int SEGMENT_BYTES_AT = 16;
    private static final int BLOCK_BYTES_AT = 24;
    private static final int CRC_AT = 28;

    static SealLayout of(long segmentBytes) {
        return new SealLayout(segmentBytes, (int) Math.min(USUAL_BLOCK_BYTES, segmentBytes / FEWEST_BLOCKS));
    }

    static FileId fileAt(long base) {
        return new FileId(FOLDER + "/" + Names.ofOffset(base));
    }

    int blockCount() {
        return (int) ((segmentBytes + blockBytes - 1) / blockBytes);
    }

    /// The block that holds a byte of the file.
    int blockOf(long place) {
        return (int) (place / blockBytes);
    }

    /// The first byte of a block in its file.
    long startOf(int block) {
        return (long) block * blockBytes;
    }

    /// Exclusive.
    long endOf(int block) {
        return Math.min(segmentBytes, startOf(block) + blockBytes);
    }

    int fileBytes() {
        return pairAt(blockCount());
    }

    static int pairAt(int block) {
        return HEADER_BYTES + block * PAIR_BYTES;
    }

    /// A file without any seal.
    ByteBuffer empty(long base) {
        ByteBuffer content = ByteBuffer.allocate(fileBytes());
        content.putLong(0, MAGIC);
        content.putLong(BASE_AT, base);
        content.putLong(SEGMENT_BYTES_AT, segmentBytes);
        content.putInt(BLOCK_BYTES_AT, blockBytes);
        content.putInt(CRC_AT, crcOf(content, CRC_AT));
        return content;
    }

    /// What is wrong with a file's content as a whole, for a sentence; null when its pairs may be looked at.
    @Nullable
    String wrongWith(ByteBuffer content, long base) {
        if (content.capacity() != fileBytes()) {
            return "has " + content.capacity() + " bytes instead of " + fileBytes();
        }
        boolean same = content.slice(0, HEADER_BYTES).equals(empty(base).slice(0, HEADER_BYTES));
        return same ? null : "begins with something else than it should";
    }

    /// False when a file was only being made when the power went or the process was killed: nothing is lost with it.
    static boolean isBegun(ByteBuffer content) {
        int header = Math.min(HEADER_BYTES, content.capacity());
        return !content.slice(0, header).equals(ByteBuffer.allocate(header));
    }

    void putPair(ByteBuffer content, long base, int block, int sum) {
        content.putInt(pairAt(block), sum);
        content.putInt(pairAt(block) + Integer.BYTES, checkOf(base, block, sum));
    }

    static void clearPair(ByteBuffer content, int block) {
        content.putLong(pairAt(block), 0);
    }

    static boolean isEmptyPair(ByteBuffer content, int block) {
        return content.getLong(pairAt(block)) == 0;
    }

    boolean isPair(ByteBuffer content, long base, int block) {
        int at = pairAt(block);
        return content.getInt(at + Integer.BYTES) == checkOf(base, block, content.getInt(at));
    }

    private int checkOf(long base, int block, int sum) {
        ByteBuffer covered = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
        covered.putLong(base + startOf(block)).putInt(sum).flip();
        return crcOf(covered, covered.limit());
    }

    private static int crcOf(ByteBuffer bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, length));
        return (int) crc.getValue();
    }
}
