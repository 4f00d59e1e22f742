package gantry.bench.load;

/// A server did not do what the load asked; the measurement is void.
///
/// For:   one sentence for the user, with what was asked and what came.
/// Owner: none (immutable).
/// Never: a server that says it is busy; that is counted (see `Outcome`).
public final class LoadFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public LoadFailed(String sentence) {
        super(sentence);
    }

    /// What happened, without the server's last words that may follow it.
    public String firstLine() {
        return String.valueOf(getMessage()).lines().findFirst().orElse("");
    }
}
