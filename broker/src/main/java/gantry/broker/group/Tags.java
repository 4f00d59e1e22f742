package gantry.broker.group;

import gantry.store.TagCodes;
import java.util.Arrays;

/// Reads the tag expression of a subscription.
///
/// For:   turning `TagA || TagB` into the hash codes that queue entries carry.
/// Owner: none (stateless).
/// Never: compares tags themselves; the client does that, because hashes collide.
public final class Tags {
    private Tags() {}

    /// From `*`, an empty text, or tags joined by `||`.
    public static TagCodes of(String expression) {
        String bare = expression.strip();
        if (bare.isEmpty() || bare.equals("*")) {
            return TagCodes.ANY;
        }
        return TagCodes.of(Arrays.stream(bare.split("\\|\\|"))
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .mapToLong(String::hashCode)
                .toArray());
    }
}
