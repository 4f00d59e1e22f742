package gantry.client;

/// A call got no good answer.
///
/// For:   one sentence that says what was tried, where, and how long or with which answer.
/// Owner: none (immutable).
public final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /// No answer came, so no answer code either.
    public static final int NO_ANSWER = -1;

    private final int code;

    CallFailed(String sentence, int code) {
        super(sentence, null, false, false);
        this.code = code;
    }

    /// For callers that find out themselves that an answer is no good.
    public static CallFailed because(String sentence) {
        return new CallFailed(sentence, NO_ANSWER);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /// The answer's code, or `NO_ANSWER`.
    public int code() {
        return code;
    }
}
