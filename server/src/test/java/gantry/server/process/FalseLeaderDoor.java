package gantry.server.process;

import gantry.base.Endpoint;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Position;
import gantry.replica.frame.RangeLayout;
import gantry.replica.frame.Verdict;
import gantry.replica.hello.Identity;
import gantry.replica.hello.LeaderHello;
import gantry.replica.hello.Trust;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The door at which a follower looks for its leader: behind it is the true one, or one that lies.
///
/// For:   a fuzzer on real sockets; the follower decides how often it comes.
/// Owner: its test; a thread of its own answers.
final class FalseLeaderDoor implements AutoCloseable {
    private static final int WAITS_MILLIS = 20_000;
    private static final List<FrameType> TYPES = List.of(FrameType.values());

    private final ServerSocket door = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final Endpoint leader;
    private final byte[] secret;
    private final SplittableRandom random;
    private final int mostBeats;
    private volatile boolean lies;
    private final AtomicLong said = new AtomicLong();
    private final AtomicLong conversations = new AtomicLong();
    private final AtomicLong believed = new AtomicLong();
    private volatile @Nullable Socket current;

    /// @param mostBeats that are said, one after another, before a lie
    FalseLeaderDoor(Endpoint leader, byte[] secret, int mostBeats, SplittableRandom random) throws IOException {
        this.leader = leader;
        this.secret = secret;
        this.mostBeats = mostBeats;
        this.random = random;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /// From now on whoever comes is lied to, or led to the true leader; who is there has to come again.
    void lies(boolean now) throws IOException {
        lies = now;
        Socket there = current;
        if (there != null) {
            there.close();
        }
    }

    long said() {
        return said.get();
    }

    long conversations() {
        return conversations.get();
    }

    /// How often the follower took this for the leader whose log goes on where its own ends.
    long believed() {
        return believed.get();
    }

    private void accept() {
        while (!door.isClosed()) {
            try (Socket follower = door.accept()) {
                current = follower;
                follower.setTcpNoDelay(true);
                if (lies) {
                    conversations.incrementAndGet();
                    follower.setSoTimeout(WAITS_MILLIS);
                    new Conversation(follower).run();
                } else {
                    lead(follower);
                }
            } catch (IOException e) {
                // The follower has gone: what is to be.
            }
        }
    }

    private void lead(Socket follower) throws IOException {
        try (Socket far = new Socket(leader.host(), leader.port())) {
            Thread back = Thread.ofVirtual().start(() -> pump(far, follower));
            pump(follower, far);
            back.join();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One side is gone, and so is the way.
        }
    }

    private final class Conversation {
        private final FrameEnd frames;
        private final OutputStream out;
        private final FrameWriter writer;
        private final FrameReader reader = new FrameReader();
        private final LeaderHello hello =
                new LeaderHello(new Identity("c", "a", 0, 1), Trust.bySecret(secret), random, null);

        Conversation(Socket socket) throws IOException {
            this.frames = new FrameEnd(new DataInputStream(socket.getInputStream()));
            this.writer = new FrameWriter(frames);
            this.out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        }

        void run() throws IOException {
            int kind = random.nextInt(8);
            byte[] greeting = read();
            if (kind == 0) {
                say(noise());
            } else if (take(greeting)) {
                say(kind == 1 ? changed(frames.take()) : frames.take());
                if (kind > 1 && take(read())) {
                    say(kind == 2 ? changed(frames.take()) : frames.take());
                    if (kind > 2) {
                        reader.trust();
                        lead(kind);
                    }
                }
            }
            out.flush();
            frames.awaitClose();
        }

        private void lead(int kind) throws IOException {
            byte[] frame = read();
            if (frame == null || reader.check(ByteBuffer.wrap(frame), 0, frame.length) != null) {
                return;
            }
            Position position = Position.read(new BodyReader(ByteBuffer.wrap(frame), reader), hello.agreed());
            LogView its = position.log();
            switch (kind) {
                case 3 -> falseVerdict(its, position.seen());
                case 4 -> falseCopy(its, position.seen());
                default -> stream(its, position.seen());
            }
        }

        private void falseVerdict(LogView its, long seen) throws IOException {
            long end = Math.max(0, its.end() - random.nextInt(100));
            LogView view = new LogView(its.logId(), its.epochs(), 0, end, Math.min(end, its.confirm()));
            long reign = random.nextInt(3) == 0 ? Epoch.MAX_NUMBER : seen + random.nextInt(3) - 1;
            new Verdict(1 + random.nextInt(3), random.nextBoolean() ? its.end() : word(its), Math.max(1, reign), view)
                    .write(writer);
            writer.send(FrameType.VERDICT);
            say(random.nextInt(3) == 0 ? changed(frames.take()) : frames.take());
            lies(its, reign);
        }

        /// As a leader whose log's head is gone and that lost what was confirmed; its copy is none.
        private void falseCopy(LogView its, long seen) throws IOException {
            EpochTable table = EpochTable.EMPTY.begin(new Epoch(seen, 0, random.nextLong()));
            new Verdict(Verdict.COPY, 0, seen, new LogView(its.logId(), table, 0, its.end() + 99, 0)).write(writer);
            writer.send(FrameType.VERDICT);
            say(frames.take());
            List<Snapshot.Part> parts = List.of(new Snapshot.Part("topics.json", 1 + random.nextInt(300)));
            new CopyOffer(0, 0, its.end() + 99, 0, new Snapshot(1 + random.nextInt(9), 0, parts)).write(writer);
            writer.send(FrameType.COPY_OFFER);
            say(random.nextInt(3) == 0 ? changed(frames.take()) : frames.take());
            for (int i = random.nextInt(5); i > 0; i--) {
                if (random.nextBoolean()) {
                    CopyLayout.writePart(writer, random.nextInt(2), random.nextInt(2));
                    writer.send(FrameType.COPY_PART, ByteBuffer.wrap(noise()));
                } else {
                    CopyLayout.writeLog(writer, word(its));
                    writer.send(FrameType.COPY_LOG, ByteBuffer.wrap(noise()));
                }
                say(frames.take());
            }
            lies(its, seen);
        }

        /// True up to the lie.
        private void stream(LogView its, long seen) throws IOException {
            new Verdict(Verdict.CONTINUE, its.end(), seen, its).write(writer);
            writer.send(FrameType.VERDICT);
            say(frames.take());
            believed.incrementAndGet();
            long end = its.end();
            for (int i = mostBeats - random.nextInt(mostBeats) / 2; i > 0; i--) {
                end += random.nextInt(3);
                BeatLayout.write(writer, seen, end, its.confirm(), random.nextLong());
                writer.send(FrameType.BEAT);
                say(frames.take());
            }
            lies(its, seen);
        }

        private void lies(LogView its, long reign) throws IOException {
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                long epoch = random.nextInt(4) == 0 ? word(its) : reign;
                switch (random.nextInt(4)) {
                    case 0 -> {
                        BatchLayout.write(writer, epoch, random.nextInt(3) == 0 ? word(its) : its.end(), its.end(), 1);
                        writer.send(FrameType.BATCH, ByteBuffer.wrap(noise()));
                    }
                    case 1 -> {
                        BeatLayout.write(writer, epoch, word(its), word(its), 1);
                        writer.send(FrameType.BEAT);
                    }
                    case 2 -> {
                        RangeLayout.writeRequest(writer, word(its), random.nextInt());
                        writer.send(FrameType.RANGE_REQUEST);
                        RangeLayout.writeCompare(writer, word(its), word(its));
                        writer.send(FrameType.COMPARE);
                        say(frames.take());
                    }
                    default -> {
                        ByteBuffer body = writer.body(128);
                        for (int j = random.nextInt(12); j > 0; j--) {
                            body.putLong(word(its));
                        }
                        writer.send(TYPES.get(random.nextInt(TYPES.size())));
                    }
                }
                say(frames.take());
            }
        }

        private boolean take(byte @Nullable [] frame) {
            if (frame == null) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            return reader.check(bytes, 0, frame.length) == null && hello.take(reader, bytes, writer) == null;
        }

        private byte @Nullable [] read() throws IOException {
            out.flush();
            return frames.read();
        }

        private void say(byte[] bytes) throws IOException {
            said.incrementAndGet();
            out.write(bytes);
        }
    }

    private byte[] noise() {
        byte[] bytes = new byte[1 + random.nextInt(300)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] changed(byte[] frame) {
        frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        return frame;
    }

    private long word(LogView its) {
        return switch (random.nextInt(7)) {
            case 0 -> -1;
            case 1 -> Long.MAX_VALUE - random.nextInt(3);
            case 2 -> Long.MIN_VALUE;
            case 3 -> random.nextLong();
            default -> random.nextLong(its.end() + 2);
        };
    }

    @Override
    public void close() throws IOException {
        door.close();
        lies(true);
    }
}
