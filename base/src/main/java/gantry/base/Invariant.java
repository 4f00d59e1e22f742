package gantry.base;

/// Stops when we are wrong.
///
/// For:   conditions that only a fault of ours can break; always on, also in production.
/// Owner: none (stateless).
/// Never: input of peers, files or users: those are refusals or events.
public final class Invariant {
    private Invariant() {}

    /// @param name the invariant's short name and sentence, as it stands in the documents: `LOG-1 a record …`
    public static void check(boolean holds, String name) {
        if (!holds) {
            throw broken(name);
        }
    }

    public static Broken broken(String name) {
        return new Broken(name);
    }

    /// An invariant does not hold; whoever runs a `Sequencer` ends the process on it.
    public static final class Broken extends Error {
        private static final long serialVersionUID = 1L;

        Broken(String name) {
            super(name);
        }
    }
}
