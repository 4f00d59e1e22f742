package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Network.Session;
import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.wire.frame.Command;
import gantry.wire.frame.HeaderReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Requests to one process and the answers to them, as a client has them on one connection at a time.
///
/// For:   pairing answers with requests, and giving up: a request without an answer closes its connection, so that
///        the next one goes out on a new one.
/// Owner: the scheduler's thread.
final class Conversation {
    /// What waits for one answer.
    private record Asked(Link link, Consumer<@Nullable Command> answer) {}

    private final SimScheduler scheduler;
    private final Life life;
    private final Network network;
    private final Endpoint there;
    private final TreeMap<Integer, Asked> waiting = new TreeMap<>();
    private @Nullable Link link;
    private int lastId;

    Conversation(SimScheduler scheduler, Life life, Network network, Endpoint there) {
        this.scheduler = scheduler;
        this.life = life;
        this.network = network;
        this.there = there;
    }

    /// @param answer is given the answer, or null once it is certain that none will be taken any more; never at once
    void ask(Command request, long patienceNanos, Consumer<@Nullable Command> answer) {
        int id = ++lastId;
        Link to = link;
        if (to == null) {
            to = network.dial(there, Ear::new);
            link = to;
        }
        waiting.put(id, new Asked(to, answer));
        byte[] frame = request.withCorrelationId(id).encode();
        if (!to.send(frame, 0, frame.length)) {
            scheduler.after(1, life, "request is not taken", () -> giveUp(id));
            return;
        }
        scheduler.after(patienceNanos, life, "client loses patience", () -> giveUp(id));
    }

    private void giveUp(int id) {
        Asked asked = waiting.remove(id);
        if (asked != null) {
            drop(asked.link);
            asked.link.close("no answer");
            asked.answer.accept(null);
        }
    }

    private void drop(Link gone) {
        Link now = link;
        if (now != null && now.id() == gone.id()) {
            link = null;
        }
    }

    private void answered(Command command) {
        Asked asked = waiting.remove(command.correlationId());
        if (asked != null) {
            asked.answer.accept(command);
        }
    }

    private void ended(Link gone) {
        drop(gone);
        List<Integer> lost = waiting.entrySet().stream()
                .filter(entry -> entry.getValue().link.id() == gone.id())
                .map(entry -> entry.getKey())
                .toList();
        for (int id : lost) {
            giveUp(id);
        }
    }

    /// Hears what comes back on one connection.
    private final class Ear implements Session {
        private final Link mine;

        Ear(Link mine) {
            this.mine = mine;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            HeaderReader header = new HeaderReader();
            if (!header.read(frame, offset, length)) {
                throw new SimFailure(
                        "a malformed frame of " + length + " bytes came from " + there + ": " + header.fault());
            }
            Command command = Command.of(header, frame);
            if (command.isAnswer()) {
                answered(command);
            }
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            ended(mine);
        }
    }
}
