package gantry.server.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Finds the known word that a misspelt one was meant to be.
///
/// For:   "did you mean …" for keys and flags.
/// Owner: none (stateless).
public final class Nearest {
    private Nearest() {}

    /// The known word with the fewest changed, missing, added or swapped letters; none when all are too far away.
    public static Optional<String> of(String word, Collection<String> known) {
        String best = null;
        int least = Math.max(2, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /// Letters to change, with two neighbours that are swapped counted as one.
    private static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            steps[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            steps[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int fewest = Math.min(steps[i - 1][j - 1] + same, Math.min(steps[i - 1][j] + 1, steps[i][j - 1] + 1));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                steps[i][j] = swapped ? Math.min(fewest, steps[i - 2][j - 2] + 1) : fewest;
            }
        }
        return steps[a.length()][b.length()];
    }
}
