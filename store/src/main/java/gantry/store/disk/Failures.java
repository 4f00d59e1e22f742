package gantry.store.disk;

import gantry.store.Disk.Done;
import gantry.store.Disk.Done.Failed;
import gantry.store.Disk.Done.Kind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/// Turns what Java says about a failed file operation into a value and a sentence.
///
/// For:   one place that knows the operating system's messages.
/// Owner: none (stateless).
final class Failures {
    private Failures() {}

    /// @param deed what was tried, as in "writing 512 bytes at 4096"
    static Done failed(Path path, String deed, IOException e) {
        return failure(path, deed, e);
    }

    static Failed failure(Path path, String deed, IOException e) {
        Kind kind = kindOf(e);
        return new Failed(kind, path.toAbsolutePath() + ": " + deed + " failed: " + reason(kind, e));
    }

    private static Kind kindOf(IOException e) {
        if (e instanceof NoSuchFileException || (e instanceof FileNotFoundException && says(e, "no such file"))) {
            return Kind.MISSING;
        }
        if (e instanceof AccessDeniedException || says(e, "read-only") || says(e, "permission denied")) {
            return Kind.READ_ONLY;
        }
        if (says(e, "no space left") || says(e, "quota exceeded")) {
            return Kind.FULL;
        }
        return Kind.IO;
    }

    private static boolean says(IOException e, String part) {
        String message = e.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains(part);
    }

    private static String reason(Kind kind, IOException e) {
        return switch (kind) {
            case FULL -> "the disk is full (" + e.getMessage() + ")";
            case READ_ONLY -> "no permission to write (" + e.getMessage() + ")";
            case MISSING -> "there is no such file";
            case POISONED, LATE, IO -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
