package gantry.net;

import gantry.base.Network;
import gantry.base.Require;
import java.time.Duration;

/// The limits of the network of one process.
///
/// For:   bounding connections, memory and waits; checked whole in the constructor.
/// Owner: none (immutable).
/// Never: addresses; those come with `listen` and `dial`.
///
/// @param eventLoops threads that read and write sockets; by default one for two processors and two for more: the log
///        has one writer, and the disk, the key index and the JIT compiler need a processor too
/// @param maxConnections open connections, accepted and dialled together; more are refused
/// @param outboxHighBytes waiting answers of one link above which it is not read from until half of it is out
/// @param outboxHardBytes waiting answers of one link above which it is closed
/// @param outboxTotalBytes waiting answers of all links above which every link past `outboxHighBytes` is closed
/// @param gatherTotalBytes received parts of unfinished frames, of all links together
/// @param idleLimit a link without anything read or written for so long is closed
/// @param firstFrameLimit an accepted link that has not sent one whole frame by then is closed
/// @param connectTimeout for name look-up and connecting together
/// @param drainTimeout how long a closing link may take to get its outbox out
/// @param stopTimeout the longest `NettyNetwork.close` takes
public record NetConfig(
        int eventLoops,
        int maxConnections,
        int outboxHighBytes,
        int outboxHardBytes,
        long outboxTotalBytes,
        long gatherTotalBytes,
        Duration idleLimit,
        Duration firstFrameLimit,
        Duration connectTimeout,
        Duration drainTimeout,
        Duration stopTimeout) {

    public static final NetConfig DEFAULT = new NetConfig(
            Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 2),
            8192,
            1 << 20,
            32 << 20,
            64L << 20,
            48L << 20,
            Duration.ofSeconds(120),
            Duration.ofSeconds(20),
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5));

    public NetConfig {
        Require.that(eventLoops >= 1 && eventLoops <= 256, "net.event-loops must be between 1 and 256");
        Require.that(maxConnections >= 1, "net.max-connections must be at least 1");
        Require.that(outboxHighBytes >= 1024, "net.outbox-high-bytes must be at least 1024");
        Require.that(
                outboxHardBytes >= outboxHighBytes, "net.outbox-hard-bytes must not be below net.outbox-high-bytes");
        Require.that(
                outboxTotalBytes >= outboxHardBytes, "net.outbox-total-bytes must not be below net.outbox-hard-bytes");
        Require.that(
                gatherTotalBytes >= Network.MAX_FRAME_BYTES,
                "net.gather-total-bytes must hold one frame of " + Network.MAX_FRAME_BYTES + " bytes");
        positive(idleLimit, "net.idle-limit");
        positive(firstFrameLimit, "net.first-frame-limit");
        positive(connectTimeout, "net.connect-timeout");
        positive(drainTimeout, "net.drain-timeout");
        positive(stopTimeout, "net.stop-timeout");
    }

    private static void positive(Duration value, String key) {
        Require.that(value.isPositive(), key + " must be positive");
    }

    public NetConfig withEventLoops(int loops) {
        return new NetConfig(
                loops,
                maxConnections,
                outboxHighBytes,
                outboxHardBytes,
                outboxTotalBytes,
                gatherTotalBytes,
                idleLimit,
                firstFrameLimit,
                connectTimeout,
                drainTimeout,
                stopTimeout);
    }

    public NetConfig withMaxConnections(int connections) {
        return new NetConfig(
                eventLoops,
                connections,
                outboxHighBytes,
                outboxHardBytes,
                outboxTotalBytes,
                gatherTotalBytes,
                idleLimit,
                firstFrameLimit,
                connectTimeout,
                drainTimeout,
                stopTimeout);
    }
}
