package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Asks many processes the same thing at once.
///
/// For:   an answer about all of them in one bounded time, however many of them hang.
/// Owner: the main thread.
/// Never: tries twice.
final class Survey {
    /// What one of them said.
    sealed interface Said {
        record Answer(Command command) implements Said {}

        record Refusal(int code, @Nullable String remark) implements Said {
            String sentence() {
                return "it answered with code " + code + ": " + remark;
            }
        }

        /// @param sentence why there is no answer
        record Nothing(String sentence) implements Said {}
    }

    private Survey() {}

    /// @param limit for all of them together
    static Map<Endpoint, Said> ask(RemotingClient client, Collection<Endpoint> all, Command request, Duration limit) {
        Map<Endpoint, CompletableFuture<Command>> asked = new LinkedHashMap<>();
        for (Endpoint one : all) {
            asked.put(one, client.ask(one, request, limit));
        }
        long deadlineNanos = client.clock().nanos() + limit.toNanos();
        Map<Endpoint, Said> said = new LinkedHashMap<>();
        asked.forEach((one, answer) -> {
            long leftNanos = Math.max(0, deadlineNanos - client.clock().nanos());
            said.put(one, await(answer, leftNanos, limit));
        });
        return said;
    }

    private static Said await(CompletableFuture<Command> answer, long leftNanos, Duration limit) {
        try {
            Command command = answer.get(leftNanos, TimeUnit.NANOSECONDS);
            return command.code() == ResponseCodes.SUCCESS
                    ? new Said.Answer(command)
                    : new Said.Refusal(command.code(), command.remark());
        } catch (TimeoutException e) {
            // The client's own clock may be the first to say so; the reader gets the same words from both.
            return new Said.Nothing("no answer within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            return new Said.Nothing(e.getCause() instanceof CallFailed failed ? failed.why() : e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Said.Nothing("interrupted");
        }
    }
}
