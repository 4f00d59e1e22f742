package gantry.bench.echo;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one connection into frames and answers each with a fixed frame that carries its correlation id.
///
/// For:   the least that a server of this protocol can do.
/// Owner: the event loop.
/// Never: requests with a binary header; it finds the id by searching the text.
final class EchoHandler extends ChannelInboundHandlerAdapter {
    private static final byte[] BEFORE_ID =
            ("{\"code\":0,\"extFields\":{\"queueId\":\"1\",\"transactionId\":\"7F0000011A2B251A69D70CAE00000000\","
                            + "\"msgId\":\"7F000001000051AF0000000000000000\",\"TRACE_ON\":\"true\",\"MSG_REGION\":"
                            + "\"DefaultRegion\",\"queueOffset\":\"123456\"},\"flag\":1,\"language\":\"JAVA\",\"opaque\":")
                    .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BEHIND_ID =
            ",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":513}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ID = "\"opaque\":".getBytes(StandardCharsets.US_ASCII);

    private byte[] header = new byte[1024];
    private @Nullable ByteBuf rest;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (rest != null) {
            in = rest.writeBytes(in);
            ((ByteBuf) message).release();
            rest = null;
        }
        ByteBuf out = context.alloc().directBuffer(16 * 1024);
        while (in.readableBytes() >= 4) {
            int length = 4 + in.getInt(in.readerIndex());
            if (in.readableBytes() < length) {
                break;
            }
            answer(in, in.readerIndex(), out);
            in.skipBytes(length);
        }
        if (in.isReadable()) {
            rest = context.alloc().directBuffer(64 * 1024).writeBytes(in);
        }
        in.release();
        context.write(out, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (rest != null) {
            rest.release();
            rest = null;
        }
    }

    private void answer(ByteBuf in, int at, ByteBuf out) {
        int headerLength = in.getInt(at + 4) & 0xFFFFFF;
        if (header.length < headerLength) {
            header = new byte[headerLength];
        }
        in.getBytes(at + 8, header, 0, headerLength);
        int from = idAt(headerLength);
        int to = from;
        while (to < headerLength && header[to] >= '0' && header[to] <= '9') {
            to++;
        }
        int answerLength = BEFORE_ID.length + (to - from) + BEHIND_ID.length;
        out.writeInt(4 + answerLength).writeInt(answerLength);
        out.writeBytes(BEFORE_ID).writeBytes(header, from, to - from).writeBytes(BEHIND_ID);
    }

    /// Searches from the end, where the official clients' id stands.
    private int idAt(int headerLength) {
        for (int at = headerLength - ID.length; at >= 0; at--) {
            if (Arrays.equals(header, at, at + ID.length, ID, 0, ID.length)) {
                return at + ID.length;
            }
        }
        return headerLength;
    }
}
