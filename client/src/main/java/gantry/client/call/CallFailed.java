package gantry.client.call;

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
    private final String why;

    public CallFailed(String sentence, int code) {
        this("", sentence, code);
    }

    /// @param tried what was tried and where, as the beginning of the sentence
    CallFailed(String tried, String why, int code) {
        super(tried + why);
        this.code = code;
        this.why = why;
    }

    /// The same failure, seen from the thread that waited for it.
    public CallFailed(CallFailed there) {
        super(there.sentence(), there);
        this.code = there.code;
        this.why = there.why;
    }

    /// For callers that find out themselves that an answer is no good.
    public static CallFailed because(String sentence) {
        return new CallFailed(sentence, NO_ANSWER);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /// The sentence without what was tried and where, for a table whose row says both.
    public String why() {
        return why;
    }

    /// The answer's code, or `NO_ANSWER`.
    public int code() {
        return code;
    }
}
