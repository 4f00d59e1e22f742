package gantry.store;

import org.jspecify.annotations.Nullable;

/// A place of the commit log where there should be messages, and are none that can be believed.
///
/// For:   naming file, bytes and what is wrong, so that an operator can look and act.
/// Owner: none (immutable).
///
/// @param file of the commit log
/// @param from the first byte of the file that is wrong
/// @param to where messages go on, exclusive
/// @param what is there instead, for a sentence: "a message whose checksum does not match"
/// @param message which message it was ("topic/queue offset 12"), when its fields still say so; they may be wrong
public record Damage(
        FileId file,
        long from,
        long to,
        String what,
        @Nullable String message) {
    /// As one sentence, without a full stop.
    String sentence(Disk disk) {
        return disk.describe(file) + ": from byte " + from + " to " + to + " there is " + what
                + (message == null ? "" : "; it says that it is " + message);
    }
}
