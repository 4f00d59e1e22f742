package gantry.broker.session;

import gantry.wire.frame.ResponseCodes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the handler of a request code.
///
/// For:   dispatch.
/// Owner: none (immutable).
/// Never: decides anything else.
public final class HandlerTable implements RequestHandler {
    /// Codes below stand in an array; the few above (POP, …) in a map.
    private static final int DENSE_CODES = 1024;

    private final @Nullable RequestHandler[] dense = new RequestHandler[DENSE_CODES];
    private final Map<Integer, RequestHandler> sparse;

    public HandlerTable(Map<Integer, RequestHandler> handlers) {
        this.sparse = Map.copyOf(handlers);
        handlers.forEach((code, handler) -> {
            if (code >= 0 && code < DENSE_CODES) {
                dense[code] = handler;
            }
        });
    }

    @Override
    public void handle(Request request) {
        int code = request.header().code();
        RequestHandler handler = code >= 0 && code < DENSE_CODES ? dense[code] : sparse.get(code);
        if (handler == null) {
            request.refuse(
                    ResponseCodes.REQUEST_CODE_NOT_SUPPORTED,
                    "request code " + code + " is not supported by this Gantry broker");
        } else {
            handler.handle(request);
        }
    }
}
