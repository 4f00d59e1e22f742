package gantry.broker.session;

import gantry.base.Image;

/// What is done with requests depends on what this broker is at the moment.
///
/// For:   connections that live longer than a role.
/// Owner: whoever made it calls `become`.
/// Never: knows a role.
public final class HandlersByRole implements RequestHandler {
    private final Image<RequestHandler> now;

    public HandlersByRole(RequestHandler first) {
        this.now = new Image<>(first);
    }

    public void become(RequestHandler next) {
        now.publish(next);
    }

    @Override
    public void handle(Request request) {
        now.read().handle(request);
    }
}
