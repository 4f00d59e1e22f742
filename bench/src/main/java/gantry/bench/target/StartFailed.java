package gantry.bench.target;

/// A server could not be made ready to start.
///
/// For:   one sentence for the user, with what to do.
/// Owner: none (immutable).
public final class StartFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public StartFailed(String sentence) {
        super(sentence);
    }
}
