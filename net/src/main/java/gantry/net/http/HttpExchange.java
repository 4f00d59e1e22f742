package gantry.net.http;

import gantry.base.Notices;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of an HTTP port: one request, one answer, and it is closed.
///
/// For:   turning a request into a page.
/// Owner: the port's event loop.
/// Never: anything but GET and HEAD; a body; a second request.
final class HttpExchange extends ChannelInboundHandlerAdapter {
    private static final int BAD_REQUEST = 400;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAULT = 500;

    private final Crowd crowd;
    private final Pages pages;
    private final Notices notices;
    private @Nullable Future<?> limit;
    private boolean answered;

    private HttpExchange(Crowd crowd, Pages pages, Notices notices) {
        this.crowd = crowd;
        this.pages = pages;
        this.notices = notices;
    }

    static void begin(Channel channel, Crowd crowd, Pages pages, Notices notices) {
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(HttpPort.MOST_LINE_BYTES)
                        .setMaxHeaderSize(HttpPort.MOST_HEADER_BYTES)))
                .addLast(new HttpExchange(crowd, pages, notices));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        crowd.enter(context.channel());
        limit = context.executor()
                .schedule(
                        () -> {
                            crowd.count(Turned.LATE);
                            context.close();
                        },
                        HttpPort.LONGEST.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        crowd.leave(context.channel());
        if (limit != null) {
            limit.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof HttpRequest request && !answered) {
                answered = true;
                answer(context, request);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void answer(ChannelHandlerContext context, HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            crowd.count(Turned.MALFORMED);
            send(
                    context,
                    Page.text(
                            BAD_REQUEST,
                            "this is no HTTP request that is taken here: a line of " + HttpPort.MOST_LINE_BYTES
                                    + " bytes and headers of " + HttpPort.MOST_HEADER_BYTES + " bytes at most\n"));
        } else if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
            crowd.count(Turned.METHOD);
            send(context, Page.text(METHOD_NOT_ALLOWED, "this port can only be read: GET or HEAD\n"));
        } else {
            String accept = request.headers().get(HttpHeaderNames.ACCEPT);
            send(context, pages.page(path(request.uri()), accept == null ? "" : accept));
        }
    }

    private static String path(String uri) {
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }

    private static void send(ChannelHandlerContext context, Page page) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(page.status()), Unpooled.wrappedBuffer(page.body()));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, page.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set("x-content-type-options", "nosniff");
        if (page.status() == METHOD_NOT_ALLOWED) {
            response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            // The other side has gone; nobody waits for the answer.
            context.close();
            return;
        }
        notices.alarm("a page of the admin port could not be made: " + cause + ", a fault of this program"
                + (cause.getStackTrace().length == 0 ? "" : ", at " + cause.getStackTrace()[0]));
        send(context, Page.text(FAULT, "a fault of this program: " + cause + "; its log says where\n"));
    }
}
