package gantry.base;

/// Tells the operator something in the operator's words.
///
/// For:   log lines from modules that know no logging library.
/// Owner: none.
/// Never: per-message chatter; a repeated notice is rate-limited by its sender.
public interface Notices {
    enum Level {
        /// Normal life: started, recovered, closed.
        INFO,
        /// A trouble that was told has ended; whoever read of it reads this too.
        OVER,
        /// Something is not as it should be, and heals or is worked around.
        WARN,
        /// An operator has to act; the text says how.
        ALARM
    }

    void tell(Level level, String text);

    default void info(String text) {
        tell(Level.INFO, text);
    }

    default void over(String text) {
        tell(Level.OVER, text);
    }

    default void warn(String text) {
        tell(Level.WARN, text);
    }

    default void alarm(String text) {
        tell(Level.ALARM, text);
    }
}
