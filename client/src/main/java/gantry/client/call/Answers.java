package gantry.client.call;

import gantry.base.Endpoint;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldName;

/// Reads fields of answers, which are a peer's claims.
///
/// For:   numbers that must be there.
/// Owner: none (stateless).
/// Never: a default for what is missing: unknown is not zero.
public final class Answers {
    private Answers() {}

    public static long whole(Endpoint from, Command answer, FieldName name) throws CallFailed {
        String text = answer.field(name);
        try {
            if (text != null) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // Told below like a missing one.
        }
        throw new CallFailed(
                "the answer of " + from + " has no number in the field " + name + " but " + text, answer.code());
    }
}
