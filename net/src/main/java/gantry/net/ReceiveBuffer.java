package gantry.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.nio.ByteBuffer;

/// The one buffer that all connections of an event loop are read into.
///
/// For:   receiving without allocating: frames are worked on before the next read, so one buffer serves all.
/// Owner: its event loop.
/// Never: is kept by a session; whoever retains it makes the next read allocate another.
@SuppressWarnings("deprecation") // The successor of this base class is the same with another name.
final class ReceiveBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
    /// Large enough for a burst of ordinary messages, small enough for the processor's cache.
    static final int BYTES = 128 * 1024;

    /// Reads of one connection before the others get their turn.
    static final int READS_PER_BURST = 2;

    private final ByteBuf shared;
    private final ByteBuffer sharedView;

    ReceiveBuffer(ByteBufAllocator allocator) {
        super(READS_PER_BURST);
        this.shared = allocator.directBuffer(BYTES, BYTES);
        this.sharedView = shared.nioBuffer(0, BYTES);
    }

    /// A received chunk as the seam wants it: the same bytes at the same positions.
    @SuppressWarnings("ReferenceEquality") // Equal bytes elsewhere are not meant.
    ByteBuffer view(ByteBuf chunk) {
        if (chunk == shared) {
            return sharedView.clear().limit(chunk.writerIndex());
        }
        return chunk.nioBuffer(0, chunk.writerIndex());
    }

    void release() {
        shared.release();
    }

    @Override
    public RecvByteBufAllocator.Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return shared.refCnt() == 1 ? shared.clear().retain() : allocator.directBuffer(BYTES, BYTES);
            }

            @Override
            public int guess() {
                return BYTES;
            }
        };
    }
}
