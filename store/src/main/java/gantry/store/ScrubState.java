package gantry.store;

import org.jspecify.annotations.Nullable;

/// How far the scrubber has come.
///
/// For:   showing that old messages are looked at, and what was found.
/// Owner: none (immutable).
///
/// @param phase in one word: "off", "waiting", "reading", "fenced"
/// @param logOffset the round under way has come so far
/// @param rounds how many times the whole log was read
/// @param damageCount how many bad places were met since the store was opened
/// @param lastDamage the last of them as a sentence
public record ScrubState(
        String phase,
        long logOffset,
        long rounds,
        long damageCount,
        @Nullable String lastDamage) {}
