package gantry.replica.frame;

/// What was wrong, once.
///
/// For:   closing a link with a reason that says what was expected and what came.
/// Owner: none (immutable).
public record Fault(Cause cause, String detail) {
    /// Texts are cut to this, so that no peer fills a log.
    public static final int MAX_DETAIL_CHARS = 200;

    public Fault {
        if (detail.length() > MAX_DETAIL_CHARS) {
            detail = detail.substring(0, MAX_DETAIL_CHARS);
        }
    }

    @Override
    public String toString() {
        return detail.isEmpty() ? cause.sentence() : cause.sentence() + ": " + detail;
    }
}
