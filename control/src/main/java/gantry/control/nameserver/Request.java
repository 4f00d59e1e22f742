package gantry.control.nameserver;

import gantry.base.Link;
import gantry.wire.frame.FieldName;
import gantry.wire.frame.HeaderReader;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One request, while its frame is there.
///
/// For:   handlers: reading fields and body, and the way back.
/// Owner: its session, during the call only; `reply` may be kept.
record Request(HeaderReader header, ByteBuffer frame, Link link, Reply reply) {
    int code() {
        return header.code();
    }

    /// A field that must be there and not be empty; `fault` tells when it is not.
    String text(FieldName name) {
        return header.requireText(name);
    }

    long session() {
        return link.id();
    }

    boolean hasBody() {
        return header.bodyLength() > 0;
    }

    Json body() throws JsonFault {
        return Json.read(frame, header.bodyOffset(), header.bodyLength());
    }

    /// What is wrong with the fields that were read.
    @Nullable
    String fault() {
        return header.fault();
    }

    void answer(Answer answer) {
        reply.send(answer);
    }

    /// Answers what is wrong with the fields, if something is.
    ///
    /// @return true when the request is done with
    boolean isRefused() {
        String fault = fault();
        if (fault != null) {
            answer(Answer.failed(fault));
        }
        return fault != null;
    }
}
