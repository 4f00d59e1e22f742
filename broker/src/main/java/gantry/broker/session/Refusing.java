package gantry.broker.session;

import gantry.wire.frame.ResponseCodes;
import java.util.Optional;
import java.util.function.Supplier;

/// Refuses requests, retryably, while there is a reason to.
///
/// For:   requests that only a leader with enough followers takes.
/// Owner: none.
/// Never: a reason of its own.
public final class Refusing implements RequestHandler {
    private final Supplier<Optional<String>> reason;
    private final RequestHandler inner;

    /// @param reason a sentence for the sender; empty while requests are taken
    public Refusing(Supplier<Optional<String>> reason, RequestHandler inner) {
        this.reason = reason;
        this.inner = inner;
    }

    @Override
    public void handle(Request request) {
        Optional<String> why = reason.get();
        if (why.isPresent()) {
            request.refuse(ResponseCodes.SERVICE_NOT_AVAILABLE, why.get());
        } else {
            inner.handle(request);
        }
    }
}
