package gantry.net;

import gantry.base.Endpoint;
import gantry.base.Invariant;
import gantry.base.Notices;
import gantry.base.Sequencer;
import io.netty.buffer.ByteBufAllocator;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// What all links of one network share: limits, memory, counts, and what the operator is told of them.
///
/// For:   judging a link by the rules of the whole network.
/// Owner: itself; safe from any thread.
/// Never: holds a link.
final class Links {
    private final NetConfig config;
    private final ByteBufAllocator allocator;
    private final Notices notices;
    private final Sequencer.Faults faults;
    private final Budget outboxBudget;
    private final Budget gatherBudget;
    private final Counts counts = new Counts();
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Stranger, RateLimit> tellStranger = new EnumMap<>(Stranger.class);
    private final RateLimit tellFull = new RateLimit();
    private final RateLimit tellOverflow = new RateLimit();
    private final RateLimit tellFault = new RateLimit();
    private final RateLimit tellAccept = new RateLimit();

    Links(NetConfig config, ByteBufAllocator allocator, Notices notices, Sequencer.Faults faults) {
        this.config = config;
        this.allocator = allocator;
        this.notices = notices;
        this.faults = faults;
        this.outboxBudget = new Budget(config.outboxTotalBytes());
        this.gatherBudget = new Budget(config.gatherTotalBytes());
        for (Stranger stranger : Stranger.values()) {
            tellStranger.put(stranger, new RateLimit());
        }
    }

    NetConfig config() {
        return config;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    Budget outboxBudget() {
        return outboxBudget;
    }

    Budget gatherBudget() {
        return gatherBudget;
    }

    Counts counts() {
        return counts;
    }

    int openLinks() {
        return open.get();
    }

    /// Counts one more link.
    ///
    /// @return false when there are too many; it is not counted and must not be used
    boolean enter(Endpoint peer) {
        if (open.incrementAndGet() <= config.maxConnections()) {
            return true;
        }
        open.decrementAndGet();
        counts.refused.increment();
        if (tellFull.allow()) {
            notices.alarm("the connection with " + peer + " was refused: " + config.maxConnections()
                    + " are open, which is the limit (net.max-connections); raise it, or find out who opens so many"
                    + tellFull.heldBack());
        }
        return false;
    }

    void leave() {
        open.decrementAndGet();
    }

    /// Closes a link whose bytes are no frames.
    void stranger(NettyLink link, Stranger who) {
        counts.stranger(who);
        RateLimit tell = tellStranger.get(who);
        if (tell != null && tell.allow()) {
            notices.warn(link.remote() + " sent " + who.sentence() + "; its connection with " + link.local()
                    + " was closed" + tell.heldBack());
        }
        link.cut("it sent " + who.sentence());
    }

    void overflowed(NettyLink link) {
        counts.overflowed.increment();
        if (tellOverflow.allow()) {
            notices.warn(link.remote() + " does not read what it asked for: its connection was closed with too much"
                    + " waiting for it (net.outbox-hard-bytes " + config.outboxHardBytes() + ", all together "
                    + outboxBudget.usedBytes() + " of net.outbox-total-bytes " + outboxBudget.limitBytes() + ")"
                    + tellOverflow.heldBack());
        }
        link.cut("it does not read");
    }

    /// Closes a link whose session let `cause` out.
    void fault(NettyLink link, Throwable cause) {
        counts.faults.increment();
        if (tellFault.allow()) {
            notices.alarm(
                    "a fault of this program closed the " + link + ": " + cause + at(cause) + tellFault.heldBack());
        }
        link.cut("a fault of this program: " + cause);
        if (cause instanceof Invariant.Broken) {
            faults.broken(link.toString(), cause);
        }
    }

    /// The listening socket could not accept; usually the process has no file descriptor left.
    void acceptFailed(Throwable cause) {
        if (tellAccept.allow()) {
            notices.alarm("a connection could not be accepted: " + Sentences.of(cause)
                    + "; if files are short, raise the limit (ulimit -n) or lower net.max-connections below it,"
                    + " which is now " + config.maxConnections() + tellAccept.heldBack());
        }
    }

    /// For the operator's report: where it happened.
    private static String at(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }
}
