package gantry.store;

import gantry.base.Require;

/// What is done so that a bit that changes on disk is noticed.
///
/// For:   everything about checksums that an operator may set.
/// Owner: none (immutable).
///
/// @param scrubBytesPerSecond how fast old messages are read again to find what has changed on disk; 0 never
/// @param sealsBlocks whether blocks of the log get checksums in files beside it
/// @param recordCrc whether each record ends in a property with a checksum over all of it (`enabledAppendPropCRC`)
public record IntegrityConfig(long scrubBytesPerSecond, boolean sealsBlocks, boolean recordCrc) {
    public static final IntegrityConfig DEFAULT = new IntegrityConfig(4 << 20, true, false);

    public IntegrityConfig {
        Require.that(scrubBytesPerSecond >= 0, "scrubBytesPerSecond must not be negative");
    }

    public IntegrityConfig withScrub(long bytesPerSecond) {
        return new IntegrityConfig(bytesPerSecond, sealsBlocks, recordCrc);
    }

    public IntegrityConfig withSeals(boolean seals) {
        return new IntegrityConfig(scrubBytesPerSecond, seals, recordCrc);
    }

    public IntegrityConfig withRecordCrc(boolean crc) {
        return new IntegrityConfig(scrubBytesPerSecond, sealsBlocks, crc);
    }
}
