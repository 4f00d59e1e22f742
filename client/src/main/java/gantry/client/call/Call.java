package gantry.client.call;

import gantry.base.Endpoint;
import gantry.wire.frame.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// One request on its way, with the answer that is awaited.
///
/// For:   the table of a connection.
/// Owner: none (immutable, but for the future, which completes once).
/// Never: its own clock.
record Call(Endpoint there, Command request, long sentNanos, Duration limit, CompletableFuture<Command> answer) {
    boolean isLate(long nowNanos) {
        return nowNanos - sentNanos >= limit.toNanos();
    }

    CallFailed unanswered() {
        return failed("no answer within " + limit.toMillis() + " ms");
    }

    /// @param why how it went, behind what was tried and where
    CallFailed failed(String why) {
        return new CallFailed(RequestNames.of(request.code()) + " to " + there + ": ", why, CallFailed.NO_ANSWER);
    }
}
