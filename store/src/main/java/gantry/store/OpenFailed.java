package gantry.store;

/// The store cannot be opened; nothing was changed that cannot be repeated.
///
/// For:   telling an operator in one or two sentences which file, what was expected, and what to do.
/// Owner: none (immutable).
public final class OpenFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public OpenFailed(String sentence) {
        super(sentence);
    }

    public OpenFailed(DiskFailed cause) {
        super(cause.failure().sentence(), cause);
    }
}
