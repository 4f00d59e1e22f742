package gantry.wire.body;

/// The permission bits of a topic on a broker.
///
/// For:   giving the bits names.
/// Owner: none (stateless).
public final class Permission {
    /// Queues of new topics inherit from this one.
    public static final int INHERIT = 1;

    public static final int WRITE = 2;
    public static final int READ = 4;
    public static final int PRIORITY = 8;
    public static final int READ_WRITE = READ | WRITE;

    private Permission() {}

    public static boolean isWriteable(int permission) {
        return (permission & WRITE) != 0;
    }

    public static boolean isReadable(int permission) {
        return (permission & READ) != 0;
    }
}
