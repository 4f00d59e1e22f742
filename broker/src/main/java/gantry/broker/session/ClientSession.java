package gantry.broker.session;

import gantry.base.Link;
import gantry.base.Network;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// One client connection of the broker.
///
/// For:   reading requests, handing them to their handlers, and letting the answers of a burst go together.
/// Owner: its link; the network calls it one call at a time.
/// Never: what a request means.
public final class ClientSession implements Network.Session {
    private final Link link;
    private final RequestHandler handlers;
    private final Request request;
    private final Consumer<Link> ended;

    public ClientSession(Link link, RequestHandler handlers, Bursts bursts, Consumer<Link> ended) {
        this.link = link;
        this.handlers = handlers;
        this.request = new Request(link, bursts, handlers);
        this.ended = ended;
    }

    @Override
    public void frame(ByteBuffer frame, int offset, int length) {
        String fault = request.read(frame, offset, length);
        if (fault != null) {
            link.close("a malformed frame: " + fault);
            return;
        }
        // Answers to what the broker asked: the broker only sends one-way requests so far, so there are none to await.
        if (!request.header().isAnswer()) {
            handlers.handle(request);
        }
    }

    @Override
    public void burstEnded() {
        request.burstEnded();
    }

    @Override
    public void closed(String reason) {
        request.burstEnded();
        ended.accept(link);
    }
}
