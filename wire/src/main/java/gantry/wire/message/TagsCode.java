package gantry.wire.message;

import java.nio.charset.StandardCharsets;

/// The hash of a tag, by which queue entries are filtered.
///
/// For:   the eight bytes `tagsCode` of a queue entry and the `codeSet` of a subscription.
/// Owner: none (stateless).
/// Never: a proof: different tags may share a code, so the consumer compares the tags again.
public final class TagsCode {
    /// Of a message without a tag.
    public static final long NONE = 0;

    private TagsCode() {}

    public static long of(String tag) {
        return tag.hashCode();
    }

    /// The code of a tag in UTF-8, without making a string when it is plain ASCII.
    public static long of(byte[] utf8, int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            if (utf8[i] < 0) {
                return of(new String(utf8, from, length, StandardCharsets.UTF_8));
            }
            hash = 31 * hash + utf8[i];
        }
        return hash;
    }
}
