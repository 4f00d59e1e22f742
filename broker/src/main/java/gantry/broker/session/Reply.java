package gantry.broker.session;

import gantry.base.Link;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the answer to one request goes, for answers that come later.
///
/// For:   answering from any thread, after the request's bytes are gone.
/// Owner: none (immutable).
/// Never: answers a one-way request; the calls do nothing then.
public record Reply(Link link, Codec codec, int correlationId, boolean oneway) {
    public void succeed() {
        answer(ResponseCodes.SUCCESS, (String) null);
    }

    public void answer(int code, @Nullable String remark) {
        if (oneway) {
            return;
        }
        FrameWriter writer = begin(code, remark);
        writer.end(0);
        send(writer);
    }

    public void answer(int code, byte[] body) {
        if (oneway) {
            return;
        }
        FrameWriter writer = begin(code, null);
        writer.end(body);
        send(writer);
    }

    /// A writer with the answer's start in it; the caller adds fields, ends the frame, and calls `send`.
    public FrameWriter begin(int code, @Nullable String remark) {
        FrameWriter writer = new FrameWriter();
        writer.begin(codec, code, FrameFlags.ANSWER, correlationId);
        if (remark != null) {
            writer.remark(remark);
        }
        return writer;
    }

    /// Sends what `begin` started, the end of which is `body`, which is used during the call only.
    public void send(FrameWriter writer, List<ByteBuffer> body) {
        if (!oneway) {
            link.send(writer.bytes(), 0, writer.size(), body);
        }
    }

    /// Sends what `begin` started; a link that is gone takes nothing, and nobody waits for it.
    public void send(FrameWriter writer) {
        if (!oneway) {
            link.send(writer.bytes(), 0, writer.size());
        }
    }
}
