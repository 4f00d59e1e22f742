package gantry.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Frames of one link on their way to the socket.
///
/// For:   copying frames of any thread into few blocks of direct memory, so that a burst goes out in one write.
/// Owner: itself (a lock held for the copy only); `take` and `written` belong to the link's event loop.
/// Never: touches the socket.
/// Holds: NET-3 bytes go out in the order in which `put` returned; NET-4 at most `hardBytes` wait, and one frame of any
///        size into an empty outbox.
final class Outbox {
    private static final int LEAST_BLOCK_BYTES = 1024;
    /// The largest size that the allocator keeps ready per thread.
    private static final int MOST_BLOCK_BYTES = 32 * 1024;

    /// While all outboxes together are over their budget, one may hold this part of its high-water mark.
    private static final int CROWD_SHARE = 16;

    /// What became of a frame.
    enum Put {
        /// Taken, and a flush is on its way already.
        TAKEN,
        /// Taken; the caller sees to it that `take` is called on the event loop.
        TAKEN_FIRST,
        /// Not taken, nor will anything be from now on: too much waits already.
        OVERFLOW,
        /// Not taken: closed.
        CLOSED
    }

    private final ByteBufAllocator allocator;
    private final Budget budget;
    private final int highBytes;
    private final int hardBytes;

    // Guarded by `this`.
    private List<ByteBuf> blocks = new ArrayList<>(2);
    private @Nullable ByteBuf last;
    private int blockBytes = LEAST_BLOCK_BYTES;
    private boolean flushComing;
    private boolean closed;

    /// Bytes taken and not in the socket yet; written under the lock.
    private volatile long pending;

    Outbox(ByteBufAllocator allocator, Budget budget, int highBytes, int hardBytes) {
        this.allocator = allocator;
        this.budget = budget;
        this.highBytes = highBytes;
        this.hardBytes = hardBytes;
    }

    synchronized Put put(byte[] bytes, int offset, int length, @Nullable ByteBuffer body) {
        int size = length + (body == null ? 0 : body.remaining());
        long after = pending + size;
        Put refused = refusal(after);
        if (refused != null) {
            return refused;
        }
        ByteBuf block = room(size);
        block.writeBytes(bytes, offset, length);
        if (body != null) {
            block.writeBytes(body.duplicate());
        }
        return taken(after);
    }

    synchronized Put put(byte[] bytes, int offset, int length, List<ByteBuffer> body) {
        int size = length;
        for (int i = 0; i < body.size(); i++) {
            size += body.get(i).remaining();
        }
        long after = pending + size;
        Put refused = refusal(after);
        if (refused != null) {
            return refused;
        }
        ByteBuf block = room(size);
        block.writeBytes(bytes, offset, length);
        for (int i = 0; i < body.size(); i++) {
            block.writeBytes(body.get(i).duplicate());
        }
        return taken(after);
    }

    /// Hands over everything that waits, in order; the caller owns the blocks and tells `written` of each.
    synchronized List<ByteBuf> take() {
        flushComing = false;
        if (last == null) {
            return List.of();
        }
        List<ByteBuf> taken = blocks;
        int bytes = 0;
        for (int i = 0; i < taken.size(); i++) {
            bytes += taken.get(i).readableBytes();
        }
        blockBytes =
                Math.clamp(Integer.highestOneBit(Math.max(1, bytes - 1)) * 2L, LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES);
        blocks = new ArrayList<>(2);
        last = null;
        return taken;
    }

    /// A block has gone into the socket, or will never.
    synchronized void written(int bytes, int capacity) {
        pending -= bytes;
        budget.give(capacity);
    }

    long pendingBytes() {
        return pending;
    }

    boolean isHigh() {
        return pending > highBytes;
    }

    boolean isLow() {
        return pending <= highBytes / 2;
    }

    /// Takes nothing more.
    synchronized void close() {
        closed = true;
    }

    /// Closes and drops what was not handed over.
    synchronized void discard() {
        closed = true;
        for (ByteBuf block : blocks) {
            pending -= block.readableBytes();
            budget.give(block.capacity());
            block.release();
        }
        blocks = List.of();
        last = null;
    }

    private @Nullable Put refusal(long after) {
        if (closed) {
            return Put.CLOSED;
        }
        long most = budget.isSpent() ? highBytes / CROWD_SHARE : hardBytes;
        if (after > most && pending > 0) {
            closed = true;
            return Put.OVERFLOW;
        }
        return null;
    }

    private Put taken(long after) {
        pending = after;
        boolean first = !flushComing;
        flushComing = true;
        return first ? Put.TAKEN_FIRST : Put.TAKEN;
    }

    /// The last block if it has room for `bytes`, else a new one.
    private ByteBuf room(int bytes) {
        ByteBuf block = last;
        if (block == null || block.writableBytes() < bytes) {
            int size = Math.max(bytes, blockBytes);
            block = allocator.directBuffer(size, size);
            budget.takeAlways(size);
            blocks.add(block);
            last = block;
            // A burst that outgrows its first block gets full ones from the second on.
            blockBytes = MOST_BLOCK_BYTES;
        }
        return block;
    }
}
