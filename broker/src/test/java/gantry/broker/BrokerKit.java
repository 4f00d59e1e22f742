package gantry.broker;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.store.Disk;
import gantry.store.OpenFailed;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.RequestCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        public void limitFrames(int bytes) {}

        @Override
        public void close(String reason) {
            closedWith.add(reason);
        }
    }

    /// What a broker dialled: hears its frames, answers the last request when told to.
    static final class Nameserver implements Link {
        private static long lastId = 1_000_000;

        private final long id = ++lastId;
        private final Endpoint address;
        private final Network.Session session;
        final ArrayDeque<Command> heard = new ArrayDeque<>();
        final List<String> closedWith = new ArrayList<>();
        private int lastCorrelationId;

        Nameserver(Endpoint address, Network.Acceptor acceptor) {
            this.address = address;
            this.session = acceptor.accept(this);
        }

        void answer(int code) {
            answer(Command.request(code));
        }

        void answer(Command answer) {
            byte[] frame = answer.withFlags(FrameFlags.ANSWER)
                    .withCorrelationId(lastCorrelationId)
                    .encode();
            session.frame(ByteBuffer.wrap(frame), 0, frame.length);
            session.burstEnded();
        }

        void hangUp(String reason) {
            session.closed(reason);
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Endpoint remote() {
            return address;
        }

        @Override
        public Endpoint local() {
            return new Endpoint("127.0.0.1", 50_000);
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length) {
            Command command = Command.decode(ByteBuffer.wrap(bytes), offset, length);
            if (command == null) {
                throw new AssertionError("the broker sent a malformed frame");
            }
            if (!command.isOneway()) {
                lastCorrelationId = command.correlationId();
            }
            return heard.add(command);
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
            throw new AssertionError("a broker sends nameservers no stored bytes");
        }

        @Override
        public void limitFrames(int bytes) {}

        @Override
        public void close(String reason) {
            closedWith.add(reason);
        }
    }

    /// Where the broker listens; what it dials is remembered by its address.
    private final class Lists implements Network {
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
            Nameserver nameserver = new Nameserver(there, acceptor);
            dialled.put(there, nameserver);
            return nameserver;
        }
    }

    /// A message for queue 0 of a topic, in the short form of a send.
    static Command send(String topic, byte[] body) {
        return send(topic, 0, "", body);
    }

    /// @param properties as the wire has them: names, values and separators
    static Command send(String topic, int queueId, String properties, byte[] body) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", "PG")
                .with("b", topic)
                .with("c", "TBW102")
                .with("d", "4")
                .with("e", Integer.toString(queueId))
                .with("f", "0")
                .with("g", "1800000000000")
                .with("h", "0")
                .with("i", properties)
                .withBody(body);
    }

    /// A pull that does not wait.
    static Command pull(String group, String topic, int queueId, long offset) {
        return Command.request(RequestCodes.PULL_MESSAGE)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.QUEUE_OFFSET, offset)
                .with(FieldNames.MAX_MSG_NUMS, 32)
                .with(FieldNames.SYS_FLAG, 4)
                .with(FieldNames.COMMIT_OFFSET, 0)
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, 0)
                .with(FieldNames.SUBSCRIPTION, "*")
                .with(FieldNames.SUB_VERSION, 0);
    }

    final HandClock clock;
    final List<String> notices = new ArrayList<>();
    int offloaded;
    final BrokerNode node;
    private final Map<Endpoint, Nameserver> dialled = new HashMap<>();

    BrokerKit(Disk disk, HandClock clock, StoreConfig store) throws OpenFailed, Network.ListenFailed {
        this(disk, clock, store, List.of());
    }

    BrokerKit(Disk disk, HandClock clock, StoreConfig store, List<Endpoint> nameservers)
            throws OpenFailed, Network.ListenFailed {
        this(
                disk,
                clock,
                BrokerConfig.named("DefaultCluster", "broker-a", "127.0.0.1", nameservers)
                        .withStore(store));
    }

    BrokerKit(Disk disk, HandClock clock, BrokerConfig config) throws OpenFailed, Network.ListenFailed {
        this.clock = clock;
        Notices told = (level, text) -> notices.add(level + " " + text);
        this.node = BrokerNode.open(
                config,
                // Nothing comes back on a thread of the disk's own: every answer is there when it is looked for.
                disk instanceof FileDisk ? PromptDisk.of(disk) : disk,
                new Lists(),
                clock,
                purpose -> new SplittableRandom(purpose.hashCode()),
                this::offload,
                told,
                (name, cause) -> {
                    throw new AssertionError("fault in " + name, cause);
                });
        node.start(new Endpoint("127.0.0.1", 0));
    }

    private void offload(Runnable work) {
        offloaded++;
        work.run();
    }

    /// The last connection to this nameserver.
    Nameserver dialled(Endpoint nameserver) {
        Nameserver last = dialled.get(nameserver);
        if (last == null) {
            throw new AssertionError(nameserver + " was never dialled");
        }
        return last;
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
