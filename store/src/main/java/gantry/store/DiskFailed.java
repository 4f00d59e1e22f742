package gantry.store;

/// A disk operation that has a result failed.
///
/// For:   the cold calls of `Disk` that return something (`map`, `list`, `lock`).
/// Owner: none (immutable).
public final class DiskFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Disk.Done.Failed failure;

    public DiskFailed(Disk.Done.Failed failure) {
        super(failure.sentence());
        this.failure = failure;
    }

    public Disk.Done.Failed failure() {
        return failure;
    }
}
