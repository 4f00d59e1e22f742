package gantry.bench.load;

import java.nio.ByteBuffer;

/// What one line asks, and how it knows that an answer is right.
///
/// For:   the difference between a send, a batch and a pull.
/// Owner: the thread of the load loop.
/// Never: sockets and time.
interface Script {
    /// The most bytes that one request takes.
    int requestBytes();

    /// The most bytes that one answer takes.
    default int answerBytes() {
        return 64 * 1024;
    }

    /// How many messages one request carries at most; the loop asks for no more than it still needs.
    int messagesPerRequest();

    /// Whether there is anything left to ask for.
    default boolean exhausted() {
        return false;
    }

    void ask(ByteBuffer out, int correlationId, long nowMillis);

    /// Checks an answer whose correlation id and success are known already.
    ///
    /// @return how many messages it confirms
    int confirm(ByteBuffer in, AnswerHeader answer) throws LoadFailed;

    /// Whether an answer of this code means "not now, ask again", which real clients do.
    default boolean isRetryable(int code) {
        return code == Answers.SYSTEM_BUSY;
    }
}
