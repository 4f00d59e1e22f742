package gantry.sim.disk;

import java.util.random.RandomGenerator;

/// What of the un-synced bytes is on the platter when the power goes.
///
/// For:   making the extreme outcomes as likely as the mixed ones.
/// Owner: none (immutable).
enum Survival {
    /// Nothing but what was synced.
    NOTHING,
    /// All of it.
    EVERYTHING,
    /// What was written up to some moment, with the last write torn.
    UP_TO_A_MOMENT,
    /// Each sector as it was at some moment of its own.
    EACH_FOR_ITSELF;

    static Survival any(RandomGenerator random) {
        return values()[random.nextInt(values().length)];
    }
}
