package gantry.replica.copy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The folded state at one log offset, as named parts whose bytes mean nothing here.
///
/// For:   giving a copy the state that the dropped head of the log had led to.
/// Owner: none (immutable).
///
/// @param id drawn when it was made: the same number means the same bytes
/// @param offset the state is that of the log up to here
public record Snapshot(long id, long offset, List<Part> parts) {
    public static final int MAX_PARTS = 64;
    public static final int MAX_NAME_BYTES = 200;
    public static final long MAX_PART_BYTES = 1L << 40;

    private static final String NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

    /// One named row of bytes, such as a file.
    public record Part(String name, long size) {}

    public Snapshot {
        parts = List.copyOf(parts);
    }

    /// How many bytes all parts have.
    public long bytes() {
        long sum = 0;
        for (Part each : parts) {
            sum += each.size();
        }
        return sum;
    }

    /// What cannot be; null when nothing is wrong.
    public @Nullable String fault() {
        if (parts.size() > MAX_PARTS) {
            return parts.size() + " parts, the limit is " + MAX_PARTS;
        }
        for (Part each : parts) {
            if (each.size() < 0 || each.size() > MAX_PART_BYTES) {
                return "a part of " + each.size() + " bytes, the limit is " + MAX_PART_BYTES;
            }
            if (!isName(each.name())) {
                return "a part's name is not of letters, digits and .-_ or begins with a dot";
            }
        }
        long names = parts.stream().map(Part::name).distinct().count();
        return names < parts.size() ? "two parts have the same name" : null;
    }

    /// A name can be a file's name, and never lead out of a directory.
    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME_BYTES || name.charAt(0) == '.') {
            return false;
        }
        return name.chars().allMatch(each -> NAME_CHARACTERS.indexOf(each) >= 0);
    }
}
