package gantry.control.nameserver;

import gantry.base.Link;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;

/// The way back for one answer, at once or later and from any thread.
///
/// For:   answering a request after its frame is gone.
/// Owner: none (immutable).
/// Never: answers a request that wants no answer.
final class Reply {
    private final Link link;
    private final Codec codec;
    private final int correlationId;
    private final boolean wanted;

    Reply(Link link, HeaderReader header) {
        this.link = link;
        this.codec = header.codec();
        this.correlationId = header.correlationId();
        this.wanted = !header.isOneway();
    }

    void send(Answer answer) {
        if (!wanted) {
            return;
        }
        FrameWriter out = new FrameWriter();
        out.begin(codec, answer.code(), FrameFlags.ANSWER, correlationId);
        answer.write(out);
        // A link that takes nothing is closing; whoever asked will see that.
        boolean taken = link.send(out.bytes(), 0, out.size());
        if (!taken) {
            link.close("an answer could not be sent");
        }
    }
}
