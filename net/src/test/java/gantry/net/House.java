package gantry.net;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.Acceptor;
import gantry.base.Network.Listener;
import gantry.base.Network.Session;
import gantry.base.Notices;
import gantry.base.Sequencer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A network that listens, with everything it is told written down.
final class House implements AutoCloseable {
    static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    final List<String> notices = new CopyOnWriteArrayList<>();
    final List<Throwable> broken = new CopyOnWriteArrayList<>();
    final List<Recorder> sessions = new CopyOnWriteArrayList<>();
    final NettyNetwork network;

    /// Moves the network's time, beyond the machine's own.
    private final AtomicLong aheadNanos = new AtomicLong();

    House() {
        this(NetConfig.DEFAULT);
    }

    House(NetConfig config) {
        this(config, Transport.best());
    }

    House(NetConfig config, Transport transport) {
        Notices told = (level, text) -> notices.add(level + " " + text);
        Sequencer.Faults faults = (where, cause) -> broken.add(cause);
        SystemClock machine = new SystemClock();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return machine.nanos() + aheadNanos.get();
            }

            @Override
            public long wallMillis() {
                return machine.wallMillis();
            }
        };
        network = new NettyNetwork(config, told, faults, clock, transport);
    }

    void moveTime(Duration ahead) {
        aheadNanos.addAndGet(ahead.toNanos());
        network.sweep();
    }

    /// Listens; every session is recorded and does `work` with each frame.
    Endpoint listen(Work work) throws Exception {
        Listener listener = network.listen(ANY_PORT, recording(work));
        return listener.local();
    }

    Acceptor recording(Work work) {
        return link -> {
            Recorder recorder = new Recorder(link, work);
            sessions.add(recorder);
            return recorder;
        };
    }

    String noticeWith(String part) {
        return notices.stream()
                .filter(n -> n.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        network.close();
    }

    /// What a session does with a frame.
    interface Work {
        void frame(Link link, ByteBuffer bytes, int offset, int length);
    }

    static final Work NOTHING = (link, bytes, offset, length) -> {};

    static final Work ECHO = (link, bytes, offset, length) -> {
        ByteBuffer body = bytes.duplicate().position(offset).limit(offset + length);
        link.send(new byte[0], 0, 0, body);
    };

    /// Writes down what its link tells.
    static final class Recorder implements Session {
        final Link link;
        final List<Integer> numbers = new CopyOnWriteArrayList<>();
        final List<String> closings = new CopyOnWriteArrayList<>();
        private final Work work;
        final AtomicInteger damaged = new AtomicInteger();
        final AtomicInteger bursts = new AtomicInteger();
        volatile @Nullable Thread thread;

        Recorder(Link link, Work work) {
            this.link = link;
            this.work = work;
        }

        @Override
        public void frame(ByteBuffer bytes, int offset, int length) {
            thread = Thread.currentThread();
            if (!Frames.isWhole(bytes, offset, length)) {
                damaged.incrementAndGet();
            }
            numbers.add(Frames.number(bytes, offset));
            work.frame(link, bytes, offset, length);
        }

        @Override
        public void burstEnded() {
            bursts.incrementAndGet();
        }

        @Override
        public void closed(String reason) {
            closings.add(reason);
        }
    }
}
