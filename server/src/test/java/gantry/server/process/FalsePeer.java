package gantry.server.process;

import gantry.base.Endpoint;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.FrameLayout;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Position;
import gantry.replica.frame.RangeLayout;
import gantry.replica.frame.Verdict;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Connects to a replication port again and again, each time to say something that no member would.
///
/// For:   a fuzzer on real sockets; several at a time, each from an address and with a member's number of its own.
/// Owner: a thread of its test.
final class FalsePeer {
    /// The leader gives strangers 5 s.
    private static final int CLOSES_WITHIN_MILLIS = 20_000;

    private static final List<FrameType> TYPES = List.of(FrameType.values());

    private final Endpoint leader;
    private final byte[] secret;
    private final int number;
    private final SplittableRandom random;
    private final List<String> leftOpen = new ArrayList<>();
    /// The leader's log, as it was shown last to this peer.
    private LogView shown = new LogView(LogId.NONE, EpochTable.EMPTY, 0, 0, 0);

    private long reign;
    private long said;
    private long accepted;
    private long connections;

    /// @param number of the member that it says it is
    FalsePeer(Endpoint leader, byte[] secret, int number, SplittableRandom random) {
        this.leader = leader;
        this.secret = secret;
        this.number = number;
        this.random = random;
    }

    /// Says that many frames at least; each connection is over before the next is opened.
    void sayFrames(int count) throws IOException {
        long end = said + count;
        while (said < end) {
            connections++;
            try (Socket socket = new Socket()) {
                // So many strangers as there may be from one host are fewer than what connects in a second.
                socket.bind(new InetSocketAddress("127.0.0." + number, 0));
                socket.connect(new InetSocketAddress(leader.host(), leader.port()));
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(CLOSES_WITHIN_MILLIS);
                // A connection that is reset leaves no port behind that waits.
                socket.setSoLinger(true, 0);
                new Conversation(socket).run();
            }
        }
    }

    /// How often the leader took this peer for a member.
    long accepted() {
        return accepted;
    }

    long said() {
        return said;
    }

    long connections() {
        return connections;
    }

    /// What was said where the leader did not close.
    List<String> leftOpen() {
        return leftOpen;
    }

    private final class Conversation {
        private final Socket socket;
        private final FrameEnd frames;
        private final FrameWriter writer;
        private final FrameReader reader = new FrameReader();
        private final FollowerHello hello;

        Conversation(Socket socket) throws IOException {
            this.socket = socket;
            this.frames = new FrameEnd(new DataInputStream(socket.getInputStream()));
            this.writer = new FrameWriter(frames);
            this.hello = new FollowerHello(
                    new Identity("c", "a", number, random.nextLong()), Trust.bySecret(secret), random, null);
        }

        void run() throws IOException {
            int kind = random.nextInt(8);
            try {
                switch (kind) {
                    case 0 -> say(noise());
                    case 1 -> say(helloOfNoise());
                    case 2 -> {
                        hello.start(writer);
                        say(changed(frames.take()));
                    }
                    case 3 -> {
                        hello.start(writer);
                        say(frames.take());
                        if (answer()) {
                            say(changed(frames.take()));
                        }
                    }
                    case 4 -> {
                        if (greet()) {
                            position();
                            say(changed(frames.take()));
                        }
                    }
                    case 5 -> {
                        if (greet()) {
                            falsePosition();
                        }
                    }
                    case 6 -> {
                        if (greet()) {
                            falseCopy();
                        }
                    }
                    default -> {
                        if (greet()) {
                            lie();
                        }
                    }
                }
                // A frame that was cut short may still be waited for, and a lie may happen to be a truth.
                socket.shutdownOutput();
                frames.awaitClose();
            } catch (SocketTimeoutException e) {
                leftOpen.add("kind " + kind + " of frame " + said);
            } catch (IOException e) {
                // Reset, while we spoke: what is to be.
                return;
            }
        }

        private boolean greet() throws IOException {
            hello.start(writer);
            say(frames.take());
            if (!answer()) {
                return false;
            }
            say(frames.take());
            answer();
            if (hello.isDone()) {
                accepted++;
                reader.trust();
            }
            return hello.isDone();
        }

        /// Takes the leader's next frame of the hello.
        private boolean answer() throws IOException {
            byte[] frame = frames.read();
            if (frame == null) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            return reader.check(bytes, 0, frame.length) == null && hello.take(reader, bytes, writer) == null;
        }

        private void position() {
            new Position(new LogView(LogId.NONE, EpochTable.EMPTY, 0, 0, 0), 0, 0, 1 << 20, 0)
                    .write(writer, hello.version());
            writer.send(FrameType.POSITION);
        }

        /// One that may be true but for some of it.
        private void falsePosition() throws IOException {
            List<Epoch> epochs = new ArrayList<>();
            for (Epoch each : shown.epochs().epochs()) {
                if (random.nextInt(3) != 0) {
                    epochs.add(
                            random.nextInt(3) != 0 ? each : new Epoch(each.number(), each.start(), random.nextLong()));
                }
            }
            EpochTable table = EpochTable.of(epochs);
            LogId logId = random.nextInt(4) == 0 ? LogId.NONE : shown.logId();
            LogView view = new LogView(logId, table == null ? EpochTable.EMPTY : table, near(), near(), near());
            // One that may be true makes the leader begin a reign, and everybody connects again.
            long seen = random.nextInt(300) == 0 ? word() : view.epochs().newest();
            if (random.nextInt(4) == 0) {
                seen = Epoch.MAX_NUMBER - random.nextInt(2);
            }
            new Position(view, near(), seen, (int) word(), random.nextInt(4) == 0 ? word() : 0)
                    .write(writer, hello.version());
            writer.send(FrameType.POSITION);
            say(frames.take());
            lies();
        }

        /// Says that it holds as confirmed what the leader lacks, so that a copy is due.
        private void falseCopy() throws IOException {
            EpochTable table = EpochTable.EMPTY.begin(new Epoch(1, 0, random.nextLong()));
            LogView view = new LogView(shown.logId(), table, 0, 1 << 16, 1 << 16);
            new Position(view, 1 << 16, 1, 1 << 20, 0).write(writer, hello.version());
            writer.send(FrameType.POSITION);
            say(frames.take());
            CopyRequest.of(null).write(writer);
            writer.send(FrameType.COPY_REQUEST);
            say(random.nextInt(3) == 0 ? changed(frames.take()) : frames.take());
            for (int i = random.nextInt(6); i > 0; i--) {
                CopyLayout.writeAck(writer, random.nextBoolean() ? 0 : near(), random.nextBoolean() ? 0 : (int) near());
                writer.send(FrameType.COPY_ACK);
                say(frames.take());
            }
            lies();
        }

        private void lie() throws IOException {
            if (random.nextBoolean()) {
                position();
                say(frames.take());
                look();
            }
            lies();
        }

        /// Remembers what the leader shows of its log.
        private void look() throws IOException {
            byte[] frame = frames.read();
            if (frame == null) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            if (reader.check(bytes, 0, frame.length) == null && reader.type() == FrameType.VERDICT) {
                Verdict verdict = Verdict.read(new BodyReader(bytes, reader));
                shown = verdict.log();
                reign = verdict.reign();
            }
        }

        private void lies() throws IOException {
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                if (random.nextBoolean()) {
                    long first = random.nextInt(4) == 0 ? word() : reign;
                    AckLayout.write(writer, first, near(), near(), (int) word());
                    writer.send(FrameType.ACK);
                } else if (random.nextInt(4) == 0) {
                    RangeLayout.writeRequest(writer, near(), (int) word());
                    writer.send(FrameType.RANGE_REQUEST);
                } else {
                    ByteBuffer body = writer.body(256);
                    for (int j = random.nextInt(12); j > 0; j--) {
                        body.putLong(word());
                    }
                    if (random.nextBoolean()) {
                        body.putInt(random.nextInt());
                    }
                    writer.send(TYPES.get(random.nextInt(TYPES.size())));
                }
                say(frames.take());
            }
        }

        private void say(byte[] bytes) throws IOException {
            said++;
            socket.getOutputStream().write(bytes);
        }
    }

    private byte[] noise() {
        byte[] bytes = new byte[1 + random.nextInt(300)];
        if (random.nextInt(4) != 0) {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    private byte[] helloOfNoise() {
        byte[] bytes = new byte[FrameLayout.HEADER_BYTES + random.nextInt(300)];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes)
                .putInt(FrameLayout.LENGTH, bytes.length - 4)
                .putInt(FrameLayout.MAGIC_AT, FrameLayout.MAGIC)
                .put(FrameLayout.VERSION_AT, (byte) FrameLayout.VERSION)
                .put(FrameLayout.TYPE_AT, (byte) FrameType.HELLO.code());
        return bytes;
    }

    /// At least one bit is other than it was, or it ends too early.
    private byte[] changed(byte[] frame) {
        switch (random.nextInt(6)) {
            case 0 -> random.nextBytes(frame);
            case 1 -> {
                return Arrays.copyOf(frame, random.nextInt(frame.length));
            }
            default -> frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return frame;
    }

    /// An offset that may be one of the leader's log.
    private long near() {
        return random.nextInt(4) == 0 ? word() : random.nextLong(shown.end() + 2);
    }

    private long word() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE - random.nextInt(3);
            case 3 -> Long.MIN_VALUE;
            case 4 -> random.nextInt(1 << 16);
            case 5 -> 1;
            case 6 -> 2;
            default -> random.nextLong();
        };
    }
}
