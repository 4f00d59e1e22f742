package gantry.client.call;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Network.Session;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One connection to one address, with the calls that wait on it.
///
/// For:   `RemotingClient`.
/// Owner: the client's sequencer; the session's callbacks submit to it.
/// Never: connects again; the client makes another.
final class Connection {
    private final Endpoint there;
    private final RemotingClient client;
    private final Map<Integer, Call> waiting = new LinkedHashMap<>();
    private @Nullable Link link;
    private long heardNanos;
    private long tickedNanos;
    /// Something was asked then, and nothing has been heard since.
    private long askedNanos;
    private boolean asked;
    private long pingedNanos;
    private boolean pinged;
    private boolean ended;

    Connection(Endpoint there, RemotingClient client) {
        this.there = there;
        this.client = client;
        this.heardNanos = client.clock().nanos();
        this.tickedNanos = heardNanos;
    }

    Endpoint there() {
        return there;
    }

    void dial(Network network) {
        link = network.dial(there, Hearing::new);
    }

    void send(Call call, int correlationId) {
        client.sequencer().requireInside();
        Link open = link;
        if (open == null || ended) {
            client.fail(List.of(call), "the connection has just ended");
            return;
        }
        if (waiting.size() >= RemotingClient.MOST_CALLS) {
            client.fail(List.of(call), RemotingClient.MOST_CALLS + " calls wait on this connection already");
            return;
        }
        byte[] frame = call.request().withCorrelationId(correlationId).encode();
        if (frame.length > Network.MAX_FRAME_BYTES) {
            client.fail(List.of(call), "the request has " + frame.length + " bytes, more than a frame may have");
            return;
        }
        if (call.request().isOneway()) {
            boolean taken = open.send(frame, 0, frame.length);
            client.sequencer().after(() -> {
                if (taken) {
                    call.answer().complete(Command.answer(call.request(), ResponseCodes.SUCCESS));
                } else {
                    call.answer().completeExceptionally(call.failed("the connection takes nothing more"));
                }
            });
            return;
        }
        waiting.put(correlationId, call);
        if (!asked) {
            asked = true;
            askedNanos = client.clock().nanos();
        }
        if (!open.send(frame, 0, frame.length)) {
            // Why it takes nothing more comes with `closed`, which fails this call too.
            client.forget(this);
        }
    }

    void tick(long now) {
        if (now - tickedNanos >= RemotingClient.PING_AFTER.toNanos()) {
            // We stood still ourselves; what the peer said meanwhile still waits in the socket.
            heard();
        }
        tickedNanos = now;
        endLateCalls(now);
        if (!ended) {
            ping(now);
        }
    }

    /// While nothing comes back to what was asked, asks for a sign of life; without one the peer hangs, or the way to
    /// it.
    /// Calls that have given up meanwhile count, too: with short limits nobody may be waiting any more.
    private void ping(long now) {
        if (!asked) {
            return;
        }
        if (pinged && now - pingedNanos >= RemotingClient.PING_PATIENCE.toNanos()) {
            end("the peer has said nothing for " + (now - askedNanos) / 1_000_000
                    + " ms, not even to a ping: it hangs, or the way to it is cut");
            return;
        }
        Link open = link;
        if (!pinged && open != null && now - askedNanos >= RemotingClient.PING_AFTER.toNanos()) {
            pinged = true;
            pingedNanos = now;
            byte[] frame = Command.request(RequestCodes.GANTRY_PING)
                    .withCorrelationId(client.nextCorrelationId())
                    .encode();
            open.send(frame, 0, frame.length);
        }
    }

    /// A word of the peer.
    private void heard() {
        heardNanos = client.clock().nanos();
        asked = !waiting.isEmpty();
        askedNanos = heardNanos;
        pinged = false;
    }

    private void endLateCalls(long now) {
        List<Call> late = new ArrayList<>();
        boolean hung = false;
        for (Call call : waiting.values()) {
            if (call.isLate(now)) {
                late.add(call);
                boolean silent = heardNanos - call.sentNanos() <= 0;
                hung |= silent && now - call.sentNanos() >= RemotingClient.LEAST_SILENCE.toNanos();
            }
        }
        if (late.isEmpty()) {
            return;
        }
        waiting.values().removeAll(late);
        client.sequencer().after(() -> {
            for (Call call : late) {
                call.answer().completeExceptionally(call.unanswered());
            }
        });
        if (hung) {
            end("the peer has stopped answering");
        }
    }

    /// Ends it from this side.
    void end(String why) {
        Link open = link;
        if (open != null) {
            open.close(why);
        }
        closed(why);
    }

    private void closed(String why) {
        client.sequencer().requireInside();
        if (ended) {
            return;
        }
        ended = true;
        client.forget(this);
        List<Call> left = new ArrayList<>(waiting.values());
        waiting.clear();
        client.fail(left, why);
    }

    private void answered(Command answer) {
        Call call = waiting.remove(answer.correlationId());
        heard();
        if (call != null) {
            client.sequencer().after(() -> call.answer().complete(answer));
        }
    }

    /// The peer asks us something, which is a sign of life too.
    private void asked(Command request, Link from) {
        heard();
        client.sequencer()
                .after(() -> client.asked(there, request, answer -> {
                    if (!request.isOneway()) {
                        byte[] frame = answer.withCorrelationId(request.correlationId())
                                .encode();
                        from.send(frame, 0, frame.length);
                    }
                }));
    }

    /// Hears what arrives, on the event loop.
    private final class Hearing implements Session {
        private final Link from;

        Hearing(Link from) {
            this.from = from;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            Command command = Command.decode(frame, offset, length);
            if (command == null) {
                from.close("the peer sent a malformed frame");
            } else if (command.isAnswer()) {
                client.sequencer().submitAlways(() -> answered(command));
            } else {
                client.sequencer().submitAlways(() -> asked(command, from));
            }
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            client.sequencer().submitAlways(() -> Connection.this.closed(reason));
        }
    }
}
