package gantry.server.process;

import gantry.base.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Connections of many hosts that say nothing, or a byte at a time.
///
/// For:   showing what strangers by the thousand cost a port.
/// Owner: its test, which calls `trickle` again and again and closes it.
final class Flood implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;

    /// As many addresses of loopback are used, so that no bound on one host keeps them out.
    private static final int HOSTS = 200;

    /// What a frame of the link begins with.
    private static final byte[] TRUE_START = {0, 0, 0, 0x7e, 'G', 'a', 'R', 'p'};

    private final List<Stranger> open = new ArrayList<>();
    private final Duration connecting;
    private long longestNanos;

    /// One connection, and when it came.
    private static final class Stranger {
        private final SocketChannel channel;
        private final int kind;
        private final long cameNanos = System.nanoTime();
        private int said;

        private Stranger(SocketChannel channel, int kind) {
            this.channel = channel;
            this.kind = kind;
        }

        /// Says a byte more, unless it is one that says nothing.
        ///
        /// @return whether the other side has closed it
        private boolean isGone() {
            try {
                if (kind > 0 && said < TRUE_START.length) {
                    byte next = kind == 1 ? (byte) said : TRUE_START[said];
                    channel.write(ByteBuffer.wrap(new byte[] {next}));
                    said++;
                }
                return channel.read(ByteBuffer.allocate(64)) < 0;
            } catch (IOException reset) {
                return true;
            }
        }
    }

    Flood(Endpoint to, int strangers) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < strangers; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.bind(new InetSocketAddress(InetAddress.getByName("127.0.1." + (1 + i % HOSTS)), 0));
            channel.socket().connect(new InetSocketAddress(to.host(), to.port()), CONNECT_MILLIS);
            channel.configureBlocking(false);
            open.add(new Stranger(channel, i % 3));
        }
        connecting = Duration.ofNanos(System.nanoTime() - start);
    }

    /// Says a little more on each, and lets go of those that the other side has closed.
    void trickle() throws IOException {
        List<Stranger> left = new ArrayList<>();
        for (Stranger each : open) {
            if (each.isGone()) {
                longestNanos = Math.max(longestNanos, System.nanoTime() - each.cameNanos);
                each.channel.close();
            } else {
                left.add(each);
            }
        }
        open.clear();
        open.addAll(left);
    }

    int leftOpen() {
        return open.size();
    }

    /// How long it took until all had connected.
    Duration connecting() {
        return connecting;
    }

    /// The longest time from a connection to when its end was seen.
    Duration longest() {
        return Duration.ofNanos(longestNanos);
    }

    @Override
    public void close() throws IOException {
        for (Stranger each : open) {
            each.channel.close();
        }
    }
}
