package gantry.broker.session;

/// Does what one request code asks for.
///
/// For:   one class per code or per family of codes.
/// Owner: none; a handler owns no state and no thread, it submits commands to whoever does.
/// Never: keeps `request` after it returns; an answer that comes later goes through `Request.later`.
@FunctionalInterface
public interface RequestHandler {
    void handle(Request request);
}
