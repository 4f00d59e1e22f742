package gantry.judges.program;

/// One client of the program: a producer, a consumer, or a question.
///
/// For:   running on a thread of its own until it is done or told to stop.
/// Owner: the program.
/// Never: the choice of a client version; both run the same role.
interface Role {
    /// Runs until done. A consumer returns when it has started and goes on by itself.
    void run() throws Exception;

    /// Ends what `run` has left going. Called once at most, from another thread.
    default void stop() throws Exception {}
}
