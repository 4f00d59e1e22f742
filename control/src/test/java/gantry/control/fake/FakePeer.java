package gantry.control.fake;

import gantry.base.Network;
import gantry.wire.frame.Command;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The other side of a link: sends requests, takes answers.
///
/// For:   tests that read like a conversation.
/// Owner: the test's thread.
/// Never: lets a node keep a frame: its bytes are ruined when the call is over.
public final class FakePeer {
    private static final int MARGIN_BYTES = 13;

    private final FakeLink link;
    private final Network.Session session;
    private int correlationId;

    public FakePeer(Network.Acceptor node, long linkId) {
        link = new FakeLink(linkId);
        session = node.accept(link);
    }

    public FakeLink link() {
        return link;
    }

    /// Sends requests in one burst; each gets the next correlation id.
    public void say(Command... requests) {
        for (Command request : requests) {
            byte[] frame = request.withCorrelationId(++correlationId).encode();
            sayBytes(frame);
        }
        session.burstEnded();
    }

    /// Sends what may be no frame at all, from the middle of a buffer.
    public void sayBytes(byte[] frame) {
        byte[] bytes = new byte[frame.length + 2 * MARGIN_BYTES];
        Arrays.fill(bytes, (byte) 0x5A);
        System.arraycopy(frame, 0, bytes, MARGIN_BYTES, frame.length);
        session.frame(ByteBuffer.wrap(bytes), MARGIN_BYTES, frame.length);
        Arrays.fill(bytes, (byte) 0xEE);
    }

    /// Sends a request and takes the answer, which has to be there.
    public Command ask(Command request) {
        say(request);
        return answer();
    }

    /// The answer to the last request; anything else in front of it is a fault.
    public Command answer() {
        Command answer = link.take();
        if (answer == null || !answer.isAnswer() || answer.correlationId() != correlationId) {
            throw new AssertionError("the answer to request " + correlationId + " is " + answer
                    + (link.closedWith() == null ? "" : ", and the link was closed: " + link.closedWith()));
        }
        return answer;
    }

    /// What the node sent by itself, or an answer that came late.
    public @Nullable Command heard() {
        return link.take();
    }

    public void hangUp() {
        session.closed("the peer hung up");
    }
}
