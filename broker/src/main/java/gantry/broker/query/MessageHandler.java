package gantry.broker.query;

import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.store.Store;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import java.util.List;

/// Shows one stored message by its place in the log (request 33).
///
/// For:   looking at a message whose offset message id is known.
/// Owner: none.
/// Never: shows what is not confirmed.
public final class MessageHandler implements RequestHandler {
    private final Store store;

    public MessageHandler(Store store) {
        this.store = store;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        long offset = header.requireLong(FieldNames.OFFSET);
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        boolean shown = offset >= 0
                && store.view(offset, bytes -> {
                    FrameWriter out = request.begin(ResponseCodes.SUCCESS, null);
                    out.end(bytes.remaining());
                    request.sendWithBody(List.of(bytes));
                });
        if (!shown) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "there is no message at logOffset " + offset);
        }
    }
}
