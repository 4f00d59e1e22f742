package gantry.replica.frame;

/// Where things stand in every frame, all numbers big-endian.
///
/// ```
///   0        4        8     9     10      12         16         20
///   ┌────────┬────────┬─────┬─────┬───────┬──────────┬──────────┬────────────────┐
///   │ length │ magic  │ ver │ type│ zero  │ sequence │ CRC32C   │ body           │
///   └────────┴────────┴─────┴─────┴───────┴──────────┴──────────┴────────────────┘
/// ```
/// `length` counts what stands behind it. `sequence` counts the frames of one direction from 0. The checksum
/// covers everything before it and everything behind it. `ver` is the version of this header and of the hello's
/// four frames, and stays 1; the version of all other frames is agreed in the hello.
///
/// For:   every place in a frame's header, and the bounds of frames.
/// Owner: none (constants).
public final class FrameLayout {
    public static final int MAGIC = 0x47_61_52_70;
    public static final int VERSION = 1;

    public static final int LENGTH = 0;
    public static final int MAGIC_AT = 4;
    public static final int VERSION_AT = 8;
    public static final int TYPE_AT = 9;
    public static final int ZERO_AT = 10;
    public static final int SEQUENCE_AT = 12;
    public static final int CHECKSUM_AT = 16;
    public static final int HEADER_BYTES = 20;
    static final int LENGTH_BYTES = 4;
    static final int CHECKSUM_BYTES = 4;

    /// The longest frame of somebody who has not proved to be a member.
    public static final int MAX_HELLO_FRAME_BYTES = 1_024;
    /// The longest payload of a batch: one record may be as large as this.
    public static final int MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;
    /// The longest frame of a member.
    public static final int MAX_FRAME_BYTES = MAX_PAYLOAD_BYTES + 1_024;

    private FrameLayout() {}
}
