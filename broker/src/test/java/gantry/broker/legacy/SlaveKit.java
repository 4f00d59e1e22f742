package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.broker.PromptDisk;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.member.Promise;
import gantry.store.Confirmation;
import gantry.store.Copied;
import gantry.store.LogOwner;
import gantry.store.MemberLog;
import gantry.store.OpenFailed;
import gantry.store.RetentionConfig;
import gantry.store.Store;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A master with a port for RocketMQ's slaves, and slaves that say what a test wants, with a clock that is moved by
/// hand.
///
/// For:   claims about what a slave is given and believed, without a socket.
/// Owner: one test.
final class SlaveKit implements Network, Clock, AutoCloseable {
    static final String HOST = "10.0.0.3";

    /// One connection of a slave.
    static final class Slave implements Link {
        private static long lastId;

        private final long id = ++lastId;
        private final Endpoint from;
        private final Network.Session session;

        /// All that it was sent.
        final ByteArrayOutputStream heard = new ByteArrayOutputStream();

        boolean takesBytes = true;

        @Nullable
        String closed;

        Slave(String host, Network.Acceptor acceptor) {
            this.from = new Endpoint(host, 40_000 + (int) (id % 10_000));
            this.session = acceptor.accept(this);
        }

        Slave report(long offset) {
            return say(ByteBuffer.allocate(8).putLong(offset).array());
        }

        Slave say(byte[] bytes) {
            if (closed == null) {
                session.frame(ByteBuffer.wrap(bytes), 0, bytes.length);
                session.burstEnded();
            }
            return this;
        }

        void hangUp() {
            session.closed("the slave hangs up");
        }

        /// The log that it was sent, checked to be without a gap, from the first frame's offset on.
        byte[] log() {
            ByteBuffer all = ByteBuffer.wrap(heard.toByteArray());
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            long next = -1;
            while (all.hasRemaining()) {
                long offset = all.getLong();
                byte[] body = new byte[all.getInt()];
                if (next >= 0 && offset != next) {
                    throw new AssertionError("a frame for " + offset + " where " + next + " is next");
                }
                all.get(body);
                log.writeBytes(body);
                next = offset + body.length;
            }
            return log.toByteArray();
        }

        /// Where each frame with bytes of the log ended.
        List<Long> frameEnds() {
            List<Long> ends = new ArrayList<>();
            ByteBuffer all = ByteBuffer.wrap(heard.toByteArray());
            while (all.hasRemaining()) {
                long offset = all.getLong();
                int size = all.getInt();
                all.position(all.position() + size);
                if (size > 0) {
                    ends.add(offset + size);
                }
            }
            return ends;
        }

        /// Where the first frame belongs; -1 while there is none.
        long begin() {
            return heard.size() == 0 ? -1 : ByteBuffer.wrap(heard.toByteArray()).getLong();
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Endpoint remote() {
            return from;
        }

        @Override
        public Endpoint local() {
            return new Endpoint("10.0.0.2", 10_913);
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length) {
            heard.write(bytes, offset, length);
            return takesBytes && closed == null;
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
            heard.write(bytes, offset, length);
            byte[] copy = new byte[body.remaining()];
            body.duplicate().get(copy);
            heard.writeBytes(copy);
            return takesBytes && closed == null;
        }

        @Override
        public void limitFrames(int bytes) {}

        @Override
        public void takeAsItComes() {}

        @Override
        public void close(String reason) {
            closed = closed == null ? reason : closed;
        }
    }

    final List<String> notices = new ArrayList<>();
    final LegacySlaves slaves;
    final Store store;
    final MemberLog log;
    private final FileDisk disk;
    int settled;
    long nanos = 1;

    private Network.@Nullable Acceptor acceptor;

    SlaveKit(Path folder) throws OpenFailed, Network.ListenFailed {
        this.disk = new FileDisk(folder, folder.resolve("commitlog"), 64);
        this.store = Store.open(
                StoreConfig.DEFAULT
                        .withSegmentBytes(MasterKit.SEGMENT_BYTES)
                        .withQueueFileBytes(2000)
                        .withConfirmation(Confirmation.BY_OWNER),
                PromptDisk.of(disk),
                this,
                Runnable::run,
                (level, text) -> notices.add(level + " " + text),
                (name, cause) -> {
                    throw new AssertionError("fault in " + name, cause);
                },
                _ -> {});
        this.log = store.ownedBy(new LogOwner() {
            @Override
            public void appended(long end) {}

            @Override
            public void durable(long end) {}

            @Override
            public void tick(long nowNanos) {}
        });
        this.slaves = new LegacySlaves(
                new LegacyDoor(List.of(HOST, "10.0.0.4"), new Endpoint("10.0.0.2", 0)),
                () -> settled++,
                store,
                this,
                Runnable::run,
                (level, text) -> notices.add(level + " " + text),
                (name, cause) -> {
                    throw new AssertionError("fault in " + name, cause);
                });
        slaves.start(this);
    }

    /// A log of several files, from 0 on.
    static byte[] files(int count, int bodyBytes) {
        ByteBuffer log = ByteBuffer.allocate(2 * count * (bodyBytes + 300));
        for (int i = 0; i < count; i++) {
            RecordHost host = RecordHost.of(new Endpoint("127.0.0.1", 10911));
            RecordDraft draft = new RecordDraft()
                    .topic("orders".getBytes(StandardCharsets.UTF_8))
                    .body(new byte[bodyBytes])
                    .bornMillis(1)
                    .bornHost(host)
                    .storeHost(host);
            int at = log.position();
            RecordWriter.write(log, draft);
            int left = MasterKit.SEGMENT_BYTES - at % MasterKit.SEGMENT_BYTES;
            if (log.position() - at > left - 8) {
                // It goes to the next file.
                log.position(at).putInt(left).putInt(MessageLayout.MAGIC_BLANK).put(new byte[left - 8]);
                i--;
            } else {
                RecordWriter.number(log, at, i, at, 1000 + i);
            }
        }
        return Arrays.copyOf(log.array(), log.position());
    }

    /// The log has these bytes, the first so many of them confirmed; a message ends there.
    SlaveKit hold(byte[] bytes, long confirmed) {
        log.submitAlways(() -> {
            // What comes at once is confirmed as a whole.
            copy(bytes, (int) confirmed);
            log.confirm(confirmed);
            copy(bytes, bytes.length);
        });
        if (store.confirmOffset() != confirmed) {
            throw new AssertionError("confirmed up to " + store.confirmOffset());
        }
        return this;
    }

    private void copy(byte[] bytes, int to) {
        int from = (int) log.end();
        if (from < to) {
            Copied copied = log.copyForeign(
                    from, ByteBuffer.wrap(bytes, from, to - from).slice());
            if (copied.end() != to) {
                throw new AssertionError("copied up to " + copied.end() + ": " + copied.fault());
            }
        }
    }

    /// Retention deletes the oldest files, while no slave is looked after.
    ///
    /// @return where the log begins then
    long deleteBelow(long logOffset) {
        store.retain(RetentionConfig.DEFAULT.keeping(Duration.ofDays(3), store.appended() - logOffset));
        for (int ticks = 0; store.minOffset() < logOffset && ticks < 1200; ticks++) {
            nanos += 100_000_000L;
            store.tick();
        }
        return store.minOffset();
    }

    /// Nothing is written behind a test that is over.
    @Override
    public void close() {
        store.close();
        disk.close();
    }

    Slave connect(String host) {
        Network.Acceptor there = acceptor;
        if (there == null) {
            throw new AssertionError("nobody listens");
        }
        return new Slave(host, there);
    }

    /// Time goes on in ticks.
    SlaveKit pass(int millis) {
        for (int left = millis; left > 0; left -= 100) {
            nanos += 100_000_000L;
            store.tick();
            slaves.tick();
        }
        return this;
    }

    List<MemberStatus> shown() {
        return status().members();
    }

    ReplicaStatus status() {
        return slaves.in(new ReplicaStatus(
                ReplicaRole.LEADER,
                0,
                Promise.of(false, false, 1, 1),
                1,
                store.minOffset(),
                store.appended(),
                store.durable(),
                store.confirmOffset(),
                null,
                List.of(),
                new TreeMap<>(),
                0));
    }

    /// How the first slave stands.
    String state() {
        return shown().getFirst().state().words();
    }

    @Override
    public Listener listen(Endpoint here, Network.Acceptor taker) {
        acceptor = taker;
        return new Listener() {
            @Override
            public Endpoint local() {
                return here;
            }

            @Override
            public void close() {
                acceptor = null;
            }
        };
    }

    @Override
    public Link dial(Endpoint there, Network.Acceptor taker) {
        throw new AssertionError("nobody is dialled");
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + nanos / 1_000_000;
    }
}
