package gantry.broker.session;

import gantry.store.Refusal;
import gantry.wire.frame.ResponseCodes;

/// Says with which code a refusal of the store is answered.
///
/// For:   codes that make official clients try again where trying again helps (remoting.md §3.1).
/// Owner: none (stateless).
/// Never: sentences; the refusal has its own.
public final class Refusals {
    private Refusals() {}

    public static int codeOf(Refusal refusal) {
        return switch (refusal.kind()) {
            case BUSY, LATE -> ResponseCodes.SYSTEM_BUSY;
            case DISK_FULL, FENCED, FOLLOWING, CLOSED, GONE -> ResponseCodes.SERVICE_NOT_AVAILABLE;
            case TOO_LARGE -> ResponseCodes.MESSAGE_ILLEGAL;
        };
    }
}
