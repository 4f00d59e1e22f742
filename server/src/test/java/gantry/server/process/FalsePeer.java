package gantry.server.process;

import gantry.base.Endpoint;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.FrameLayout;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Outlet;
import gantry.replica.frame.Position;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Connects to a replication port again and again, each time to say something that no member would.
///
/// For:   a fuzzer on real sockets.
/// Owner: its test.
final class FalsePeer {
    /// The leader gives strangers 5 s.
    private static final int CLOSES_WITHIN_MILLIS = 20_000;

    private static final List<FrameType> TYPES = List.of(FrameType.values());

    private final Endpoint leader;
    private final byte[] secret;
    private final SplittableRandom random;
    private final List<String> leftOpen = new ArrayList<>();
    private long said;
    private long accepted;

    FalsePeer(Endpoint leader, byte[] secret, SplittableRandom random) {
        this.leader = leader;
        this.secret = secret;
        this.random = random;
    }

    /// Says that many frames at least; each connection is over before the next is opened.
    void sayFrames(int count) throws IOException {
        long end = said + count;
        while (said < end) {
            try (Socket socket = new Socket(leader.host(), leader.port())) {
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

    /// What was said where the leader did not close.
    List<String> leftOpen() {
        return leftOpen;
    }

    private final class Conversation implements Outlet {
        private final Socket socket;
        private final DataInputStream in;
        private final FrameWriter writer = new FrameWriter(this);
        private final FrameReader reader = new FrameReader();
        private final Queue<byte[]> staged = new ArrayDeque<>();
        private final FollowerHello hello;

        Conversation(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.hello = new FollowerHello(
                    new Identity("c", "a", 2, random.nextLong()),
                    Trust.bySecret(secret),
                    RandomGenerator.of("L64X128MixRandom"),
                    null);
        }

        @Override
        public boolean send(byte[] head, int length, ByteBuffer payload) {
            ByteBuffer frame = ByteBuffer.allocate(length + payload.remaining());
            frame.put(head, 0, length).put(payload.duplicate());
            staged.add(frame.array());
            return true;
        }

        @Override
        public void close(String reason) {}

        void run() throws IOException {
            int kind = random.nextInt(6);
            try {
                switch (kind) {
                    case 0 -> say(noise());
                    case 1 -> say(helloOfNoise());
                    case 2 -> {
                        hello.start(writer);
                        say(changed(take()));
                    }
                    case 3 -> {
                        hello.start(writer);
                        say(take());
                        if (answer()) {
                            say(changed(take()));
                        }
                    }
                    case 4 -> {
                        if (greet()) {
                            position();
                            say(changed(take()));
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
                awaitClose();
            } catch (SocketTimeoutException e) {
                leftOpen.add("kind " + kind + " of frame " + said);
            } catch (IOException e) {
                // Reset, while we spoke: what is to be.
                return;
            }
        }

        private boolean greet() throws IOException {
            hello.start(writer);
            say(take());
            if (!answer()) {
                return false;
            }
            say(take());
            answer();
            if (hello.isDone()) {
                accepted++;
                reader.trust();
            }
            return hello.isDone();
        }

        /// Takes the leader's next frame of the hello.
        private boolean answer() throws IOException {
            byte[] frame = read();
            if (frame == null) {
                return false;
            }
            ByteBuffer bytes = ByteBuffer.wrap(frame);
            return reader.check(bytes, 0, frame.length) == null && hello.take(reader, bytes, writer) == null;
        }

        private byte @Nullable [] read() throws IOException {
            int length = in.read() << 24 | in.read() << 16 | in.read() << 8 | in.read();
            if (length <= 0 || length > FrameLayout.MAX_FRAME_BYTES) {
                return null;
            }
            byte[] frame = new byte[4 + length];
            ByteBuffer.wrap(frame).putInt(length);
            in.readFully(frame, 4, length);
            return frame;
        }

        private void awaitClose() throws IOException {
            byte[] bytes = new byte[4096];
            while (in.read(bytes) >= 0) {
                // What a member is sent before its end is seen.
            }
        }

        private void position() {
            new Position(new LogView(LogId.NONE, EpochTable.EMPTY, 0, 0, 0), 0, 0, 1 << 20).write(writer);
            writer.send(FrameType.POSITION);
        }

        private void lie() throws IOException {
            if (random.nextBoolean()) {
                position();
                say(take());
            }
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                if (random.nextBoolean()) {
                    AckLayout.write(writer, word(), word(), word(), (int) word());
                    writer.send(FrameType.ACK);
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
                say(take());
            }
        }

        private void say(byte[] bytes) throws IOException {
            said++;
            socket.getOutputStream().write(bytes);
        }

        private byte[] take() {
            return staged.remove();
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
