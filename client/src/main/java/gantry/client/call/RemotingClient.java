package gantry.client.call;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Asks nameservers and brokers, and waits for their answers.
///
/// For:   calls with a deadline, over one connection per address.
/// Owner: its sequencer owns the connections and the calls on their way; every method is safe from any thread.
/// Never: asks twice; whoever calls knows whether that is safe.
/// Holds: CALL-1 every call ends: with an answer, with the end of its connection, or at its deadline;
///        CALL-2 a peer that has said nothing at all for as long as a call waited loses its connection, so that the
///        next call dials anew; CALL-3 a peer that says nothing while calls wait, not even to a ping, loses its
///        connection within `PING_AFTER` and `PING_PATIENCE`, however long the calls may wait.
public final class RemotingClient implements AutoCloseable {
    /// A connection is taken for hung only after so long a silence: a call with a shorter limit proves nothing.
    static final Duration LEAST_SILENCE = Duration.ofMillis(500);

    /// After so long without a word while calls wait, the peer is asked for a sign of life.
    static final Duration PING_AFTER = Duration.ofSeconds(1);

    /// How long it may take to give one; then its connection is closed and the calls on it fail.
    static final Duration PING_PATIENCE = Duration.ofSeconds(2);

    /// Calls on their way to one address; more are refused.
    static final int MOST_CALLS = 10_000;

    /// How much later than its limit a blocking call gives up by itself, if nobody ticks.
    private static final Duration TICK_SLACK = Duration.ofSeconds(1);

    private final Network network;
    private final Clock clock;
    private final Runnable whenClosed;
    private final Sequencer sequencer;
    private final Map<Endpoint, Connection> connections = new LinkedHashMap<>();
    /// What peers may ask of this client, by code.
    private final Image<Map<Integer, PeerRequest>> answering = new Image<>(Map.of());
    private int lastCorrelationId;
    private boolean closed;

    /// Over TCP, with threads of its own that end with `close`.
    public static RemotingClient open(Notices notices) {
        return new OwnThreads(notices).calls();
    }

    /// The same, for programs that look at the failures only.
    public static RemotingClient open() {
        return open((level, text) -> {});
    }

    /// Over a network that somebody else closes; somebody must also call `tick` several times a second.
    public RemotingClient(Network network, Clock clock, Sequencer.Faults faults) {
        this(network, clock, faults, () -> {});
    }

    RemotingClient(Network network, Clock clock, Sequencer.Faults faults, Runnable whenClosed) {
        this.network = network;
        this.clock = clock;
        this.whenClosed = whenClosed;
        this.sequencer = new Sequencer("calls", Runnable::run, faults);
    }

    /// Asks, and waits.
    ///
    /// @return the answer, whatever its code
    /// @throws CallFailed when none came
    public Command call(Endpoint there, Command request, Duration limit) throws CallFailed {
        CompletableFuture<Command> answer = ask(there, request, limit);
        try {
            return answer.get(limit.plus(TICK_SLACK).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CallFailed failed) {
                throw new CallFailed(failed);
            }
            throw new AssertionError("a call fails with CallFailed only", e);
        } catch (TimeoutException e) {
            CallFailed late = new Call(there, request, 0, limit, answer).unanswered();
            answer.completeExceptionally(late);
            throw late;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Call(there, request, 0, limit, answer).failed("interrupted while waiting");
        }
    }

    /// As `call`, for requests for which only SUCCESS is a good answer.
    public Command callOk(Endpoint there, Command request, Duration limit) throws CallFailed {
        Command answer = call(there, request, limit);
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw refused(there, request, answer);
        }
        return answer;
    }

    /// Asks. The future completes with the answer, whatever its code, or with a `CallFailed`, at the latest soon after
    /// `limit`; what depends on it runs on an event loop and must not block.
    public CompletableFuture<Command> ask(Endpoint there, Command request, Duration limit) {
        Call call = new Call(there, request, clock.nanos(), limit, new CompletableFuture<>());
        if (!sequencer.submit(() -> begin(call))) {
            call.answer().completeExceptionally(call.failed("this client has too much to do"));
        }
        return call.answer();
    }

    /// From now on requests of peers with this code go to `handler`; other codes are answered as not supported.
    public void answer(int code, PeerRequest handler) {
        sequencer.runAndWait(() -> {
            Map<Integer, PeerRequest> more = new LinkedHashMap<>(answering.read());
            more.put(code, handler);
            answering.publish(Map.copyOf(more));
        });
    }

    /// Ends the calls whose time is over.
    public void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            for (Connection connection : new ArrayList<>(connections.values())) {
                connection.tick(now);
            }
        });
    }

    /// Closes the connection to an address, if there is one; calls on their way fail, and the next one dials anew.
    public void disconnect(Endpoint there, String why) {
        sequencer.submitAlways(() -> {
            Connection connection = connections.get(there);
            if (connection != null) {
                connection.end(why);
            }
        });
    }

    /// Closes every connection; calls on their way fail.
    @Override
    public void close() {
        sequencer.runAndWait(() -> {
            closed = true;
            for (Connection connection : new ArrayList<>(connections.values())) {
                connection.end("this client was closed");
            }
        });
        whenClosed.run();
    }

    /// What a refused call throws.
    public static CallFailed refused(Endpoint there, Command request, Command answer) {
        String remark = answer.remark();
        return new CallFailed(
                RequestNames.of(request.code()) + " to " + there + ": answered with code " + answer.code()
                        + (remark == null ? "" : ", " + remark),
                answer.code());
    }

    /// By which its deadlines are kept.
    public Clock clock() {
        return clock;
    }

    private void begin(Call call) {
        if (closed) {
            fail(List.of(call), "this client is closed");
            return;
        }
        Connection connection = connections.get(call.there());
        if (connection == null) {
            connection = new Connection(call.there(), this);
            connections.put(call.there(), connection);
            connection.dial(network);
        }
        connection.send(call, nextCorrelationId());
    }

    // --- For its connections. ---

    void asked(Endpoint from, Command request, Consumer<Command> reply) {
        PeerRequest handler = answering.read().get(request.code());
        if (handler == null) {
            reply.accept(Command.answer(request, ResponseCodes.REQUEST_CODE_NOT_SUPPORTED)
                    .withRemark("this client carries out no requests with the code " + request.code()));
        } else {
            handler.asked(from, request, reply);
        }
    }

    Sequencer sequencer() {
        return sequencer;
    }

    int nextCorrelationId() {
        return ++lastCorrelationId;
    }

    void forget(Connection connection) {
        sequencer.requireInside();
        connections.remove(connection.there(), connection);
    }

    /// Once the sequencer is left, so that what depends on the answers does not hold up others.
    void fail(List<Call> calls, String why) {
        sequencer.after(() -> {
            for (Call call : calls) {
                call.answer().completeExceptionally(call.failed(why));
            }
        });
    }
}
