package gantry.client;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Sequencer;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Asks nameservers and brokers, and waits for their answers.
///
/// For:   calls with a deadline, one connection per address.
/// Owner: its sequencer owns connections and calls under way; `ask` and `call` are for any thread.
/// Never: waits longer than it was told; tries twice.
/// Holds: CALL-1 every call ends, with an answer, a closed connection, or its deadline.
public final class RemotingClient implements AutoCloseable {
    private final Network network;
    private final Clock clock;
    private final AutoCloseable owned;
    private final Sequencer sequencer =
            new Sequencer("client", Runnable::run, (name, cause) -> cause.printStackTrace(System.err));
    private final Map<Endpoint, Connection> connections = new HashMap<>();
    private int lastCorrelationId;

    /// Over a network of one event loop, which ends with this client.
    public static RemotingClient open() {
        NettyNetwork network = new NettyNetwork(
                NetConfig.DEFAULT.withEventLoops(1),
                (level, text) -> {},
                (name, cause) -> cause.printStackTrace(System.err));
        return new RemotingClient(network, new SystemClock(), network);
    }

    /// Over a network that somebody else closes.
    public RemotingClient(Network network, Clock clock) {
        this(network, clock, () -> {});
    }

    private RemotingClient(Network network, Clock clock, AutoCloseable owned) {
        this.network = network;
        this.clock = clock;
        this.owned = owned;
    }

    public Clock clock() {
        return clock;
    }

    /// Asks, and waits at most `limit`.
    ///
    /// @return the answer, whatever its code
    /// @throws CallFailed when none came
    public Command call(Endpoint to, Command request, Duration limit) throws CallFailed {
        CompletableFuture<Command> answer = ask(to, request);
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // A connection that answers nothing may be half-open: whoever asks next gets a new one.
            sequencer.submitAlways(() -> drop(to, "no answer within " + limit.toMillis() + " ms"));
            throw new CallFailed(
                    to + " did not answer request " + request.code() + " within " + limit.toMillis() + " ms",
                    CallFailed.NO_ANSWER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallFailed("interrupted while waiting for " + to, CallFailed.NO_ANSWER);
        } catch (ExecutionException e) {
            throw new CallFailed(
                    to + " did not answer request " + request.code() + ": "
                            + (e.getCause() == null ? "unknown" : e.getCause().getMessage()),
                    CallFailed.NO_ANSWER);
        }
    }

    /// As `call`, for requests that only SUCCESS is good for.
    public Command callOk(Endpoint to, Command request, Duration limit) throws CallFailed {
        Command answer = call(to, request, limit);
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw new CallFailed(
                    to + " answered request " + request.code() + " with code " + answer.code() + ": " + answer.remark(),
                    answer.code());
        }
        return answer;
    }

    /// Asks; the caller sets the deadline on the future. It fails when the connection closes.
    public CompletableFuture<Command> ask(Endpoint to, Command request) {
        CompletableFuture<Command> answer = new CompletableFuture<>();
        sequencer.submitAlways(() -> {
            int id = ++lastCorrelationId;
            Connection connection = connections.get(to);
            if (connection == null) {
                connection = new Connection(to);
                connections.put(to, connection);
                connection.link = network.dial(to, connection::opened);
            }
            connection.waiting.put(id, answer);
            byte[] frame = request.withCorrelationId(id).encode();
            Link link = connection.link;
            if (link == null || !link.send(frame, 0, frame.length)) {
                connection.ended("the connection takes no more");
            }
        });
        return answer;
    }

    @Override
    public void close() {
        sequencer.submitAlways(() -> {
            for (Connection connection : Map.copyOf(connections).values()) {
                connection.ended("the client is closed");
            }
        });
        try {
            owned.close();
        } catch (Exception e) {
            throw new IllegalStateException("the client's network does not close", e);
        }
    }

    private void drop(Endpoint to, String reason) {
        Connection connection = connections.get(to);
        if (connection != null) {
            connection.ended(reason);
        }
    }

    /// One connection with the calls that wait on it; everything inside the sequencer, but the callbacks, which submit.
    private final class Connection {
        private final Endpoint address;
        private final Map<Integer, CompletableFuture<Command>> waiting = new HashMap<>();
        private @Nullable Link link;

        Connection(Endpoint address) {
            this.address = address;
        }

        Network.Session opened(Link opened) {
            return new Network.Session() {
                @Override
                public void frame(ByteBuffer frame, int offset, int length) {
                    Command answer = Command.decode(frame, offset, length);
                    if (answer == null) {
                        opened.close("a malformed frame");
                    } else if (answer.isAnswer()) {
                        sequencer.submitAlways(() -> answered(answer));
                    }
                }

                @Override
                public void burstEnded() {}

                @Override
                public void closed(String reason) {
                    sequencer.submitAlways(() -> ended(reason));
                }
            };
        }

        private void answered(Command answer) {
            CompletableFuture<Command> waits = waiting.remove(answer.correlationId());
            if (waits != null) {
                sequencer.after(() -> waits.complete(answer));
            }
        }

        private void ended(String reason) {
            connections.remove(address, this);
            if (link != null) {
                link.close(reason);
            }
            for (CompletableFuture<Command> waits : waiting.values()) {
                sequencer.after(() -> waits.completeExceptionally(new CallFailed(reason, CallFailed.NO_ANSWER)));
            }
            waiting.clear();
        }
    }
}
