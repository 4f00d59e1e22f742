package gantry.server.config;

/// Gantry does not start, and the sentence says why and what to do.
///
/// For:   everything a user can get wrong before anything runs: keys, flags, folders, ports.
/// Owner: none (immutable).
/// Never: our own faults; those are not the user's to read.
public final class StartRefused extends Exception {
    private static final long serialVersionUID = 1L;

    public StartRefused(String sentence) {
        super(sentence);
    }

    public StartRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /// The one sentence for the user.
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
