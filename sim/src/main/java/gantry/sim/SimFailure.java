package gantry.sim;

/// The simulation shows a defect.
///
/// For:   a sentence that names the broken promise, with the time and the event at which it broke.
/// Owner: none (immutable).
public final class SimFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    public SimFailure(String sentence) {
        super(sentence);
    }

    public SimFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
