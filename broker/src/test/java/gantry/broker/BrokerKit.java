package gantry.broker;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.store.Disk;
import gantry.store.OpenFailed;
import gantry.store.StoreConfig;
import gantry.wire.frame.Command;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A broker with a hand-moved clock and links that are lists.
///
/// For:   claims about what a client sees, without a socket.
/// Owner: one test.
final class BrokerKit {
    /// Time that the test moves.
    static final class HandClock implements Clock {
        private long nanos = 1;
        private long wall = 1_800_000_000_000L;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return wall;
        }

        void advance(Duration by) {
            nanos += by.toNanos();
            wall += by.toMillis();
        }
    }

    /// A client's connection: what was sent to it stands in `received`.
    static final class Client implements Link {
        private static long lastId;

        private final long id = ++lastId;
        private final Network.Session session;
        final ArrayDeque<Command> received = new ArrayDeque<>();
        final List<String> closedWith = new ArrayList<>();
        private int correlationIds;

        Client(Network.Acceptor acceptor) {
            this.session = acceptor.accept(this);
        }

        /// Sends in one burst.
        int say(Command... requests) {
            for (Command request : requests) {
                byte[] frame = request.withCorrelationId(++correlationIds).encode();
                session.frame(ByteBuffer.wrap(frame), 0, frame.length);
            }
            session.burstEnded();
            return correlationIds;
        }

        /// Sends, and takes the one answer that has to be there by now.
        Command ask(Command request) {
            int id = say(request);
            Command answer = received.poll();
            if (answer == null || answer.correlationId() != id) {
                throw new AssertionError("no answer to " + request + ", but " + answer);
            }
            return answer;
        }

        void sayBytes(byte[] frame) {
            session.frame(ByteBuffer.wrap(frame), 0, frame.length);
            session.burstEnded();
        }

        void hangUp() {
            session.closed("the client hangs up");
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Endpoint remote() {
            return new Endpoint("127.0.0.1", 40_000);
        }

        @Override
        public Endpoint local() {
            return new Endpoint("127.0.0.1", 10_911);
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length) {
            int at = offset;
            while (at < offset + length) {
                int size = 4 + ByteBuffer.wrap(bytes).getInt(at);
                Command command = Command.decode(ByteBuffer.wrap(bytes), at, size);
                if (command == null) {
                    throw new AssertionError("the broker sent a malformed frame");
                }
                received.add(command);
                at += size;
            }
            return true;
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
            ByteBuffer whole = ByteBuffer.allocate(length + body.remaining());
            whole.put(bytes, offset, length).put(body.duplicate());
            return send(whole.array(), 0, whole.capacity());
        }

        @Override
        public void close(String reason) {
            closedWith.add(reason);
        }
    }

    /// Where the broker listens; what it dials goes nowhere.
    private static final class Lists implements Network {
        @Override
        public Listener listen(Endpoint here, Acceptor acceptor) {
            return new Listener() {
                @Override
                public Endpoint local() {
                    return new Endpoint("127.0.0.1", 10_911);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Link dial(Endpoint there, Acceptor acceptor) {
            throw new AssertionError("nobody to dial");
        }
    }

    final HandClock clock;
    final List<String> notices = new ArrayList<>();
    final BrokerNode node;

    BrokerKit(Disk disk, HandClock clock, StoreConfig store) throws OpenFailed, Network.ListenFailed {
        this.clock = clock;
        Notices told = (level, text) -> notices.add(level + " " + text);
        this.node = BrokerNode.open(
                BrokerConfig.named("DefaultCluster", "broker-a", "127.0.0.1", List.of())
                        .withStore(store),
                disk,
                new Lists(),
                clock,
                purpose -> new SplittableRandom(purpose.hashCode()),
                Runnable::run,
                told,
                (name, cause) -> {
                    throw new AssertionError("fault in " + name, cause);
                });
        node.start(new Endpoint("127.0.0.1", 0));
    }

    Client connect() {
        return new Client(node);
    }

    /// Moves time on in steps of a tick.
    void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            clock.advance(Duration.ofMillis(Math.min(100, left)));
            node.tick();
        }
    }

    void stop() {
        node.stop();
        node.close();
    }
}
