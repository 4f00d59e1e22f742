package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.wire.json.JsonFault;

/// Turns answers that cannot be read into failed calls.
///
/// For:   one sentence instead of a stack trace.
/// Owner: none (stateless).
final class Faults {
    private Faults() {}

    static CallFailed unreadable(String what, JsonFault fault) {
        return CallFailed.because(what + " cannot be read: " + fault.sentence());
    }
}
