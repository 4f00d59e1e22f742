package gantry.broker.session;

import gantry.base.Offload;

/// Lets a handler work away from the event loop.
///
/// For:   requests that may have to wait for the disk: messages far behind the end of the log, searches by time.
/// Owner: none.
/// Never: the order of answers on a connection; every answer says which request it belongs to.
public final class Aside implements RequestHandler {
    private final RequestHandler inner;
    private final Offload offload;

    public Aside(RequestHandler inner, Offload offload) {
        this.inner = inner;
        this.offload = offload;
    }

    @Override
    public void handle(Request request) {
        Request detached = request.detach();
        offload.run(() -> detached.finish(inner::handle));
    }
}
