package gantry.broker.legacy;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;

/// What was wrong with a RocketMQ peer, once.
///
/// For:   closing a connection, and telling an operator.
/// Owner: none (immutable).
record LegacyFault(LegacyCause cause, String detail) {
    private static final int MOST_DETAIL_CHARS = 300;

    LegacyFault {
        if (detail.length() > MOST_DETAIL_CHARS) {
            detail = detail.substring(0, MOST_DETAIL_CHARS);
        }
    }

    /// What it is, what came, and what to do.
    String sentence() {
        return cause + ", " + cause.sentence() + ": " + detail + ". Next: " + cause.next();
    }

    Fault shown() {
        return new Fault(Cause.LEGACY, cause + ", " + detail + "; " + cause.next());
    }
}
