package gantry.wire.message;

/// The bits of a stored message's `sysFlag`.
///
/// For:   naming what a message carries.
/// Owner: none (constants).
/// Never: a message's user flag; the flags of a frame, a pull or a topic.
public final class MessageFlags {
    public static final int COMPRESSED = 0x1;
    public static final int MULTI_TAGS = 0x2;

    public static final int TRANSACTION_MASK = 0xC;
    public static final int TRANSACTION_NONE = 0;
    public static final int TRANSACTION_PREPARED = 0x4;
    public static final int TRANSACTION_COMMIT = 0x8;
    public static final int TRANSACTION_ROLLBACK = 0xC;

    public static final int BORN_HOST_V6 = 0x10;
    public static final int STORE_HOST_V6 = 0x20;

    /// One record that stands for several messages, which the consumer takes apart.
    public static final int NEED_UNWRAP = 0x40;

    public static final int INNER_BATCH = 0x80;

    /// 0 in messages of writers before 5.0, which knew only zlib.
    public static final int COMPRESSION_MASK = 0x700;
    public static final int COMPRESSION_LZ4 = 0x100;
    public static final int COMPRESSION_ZSTD = 0x200;
    public static final int COMPRESSION_ZLIB = 0x300;

    private MessageFlags() {}

    public static int transaction(int flags) {
        return flags & TRANSACTION_MASK;
    }

    public static int withTransaction(int flags, int transaction) {
        return (flags & ~TRANSACTION_MASK) | transaction;
    }

    public static boolean isCompressed(int flags) {
        return (flags & COMPRESSED) != 0;
    }

    public static boolean isBornV6(int flags) {
        return (flags & BORN_HOST_V6) != 0;
    }

    public static boolean isStoreV6(int flags) {
        return (flags & STORE_HOST_V6) != 0;
    }
}
