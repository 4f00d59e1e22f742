package gantry.client;

/// A call got no good answer.
///
/// For:   one sentence that says what was tried, where, and how long or with which answer.
/// Owner: none (immutable).
/// Never: a fault of ours; those are unchecked.
public final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /// No answer came, so there is no answer's code either; whether the request was carried out is not known.
    public static final int NO_ANSWER = -1;

    private final int code;

    CallFailed(String sentence, int code) {
        super(sentence);
        this.code = code;
    }

    /// The same failure, seen from the thread that waited for it.
    CallFailed(CallFailed there) {
        super(there.sentence(), there);
        this.code = there.code;
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
