package gantry.broker.session;

import gantry.base.Link;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.PullHeader;
import gantry.wire.header.SendHeader;
import gantry.wire.message.BatchItems;
import gantry.wire.message.RecordHost;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One request while it is being handled, with the ways to answer it at once.
///
/// For:   giving handlers the header, the body, and the session's answer writer.
/// Owner: its session, or the command that works on a detached copy; reused for the next request.
/// Never: outlives `RequestHandler.handle`; take a `Reply` or a `detach` for that.
public final class Request {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Link link;
    private final Bursts bursts;
    private final RequestHandler handlers;
    private final HeaderReader header = new HeaderReader();
    private final FrameWriter answers = new FrameWriter();
    private final NameCache names = new NameCache();
    private final SendHeader sendHeader = new SendHeader();
    private final PullHeader pullHeader = new PullHeader();
    private final BatchItems batchItems = new BatchItems();

    private ByteBuffer frame = NOTHING;
    private int frameOffset;
    private int frameLength;
    private @Nullable AppendBurst burst;
    private @Nullable RecordHost remoteHost;
    private int picks;

    Request(Link link, Bursts bursts, RequestHandler handlers) {
        this.link = link;
        this.bursts = bursts;
        this.handlers = handlers;
        this.picks = (int) link.id();
    }

    /// @return what is wrong with the frame, or null
    @Nullable
    String read(ByteBuffer newFrame, int offset, int length) {
        frame = newFrame;
        frameOffset = offset;
        frameLength = length;
        return header.read(newFrame, offset, length) ? null : header.fault();
    }

    public Link link() {
        return link;
    }

    public HeaderReader header() {
        return header;
    }

    /// The frame's bytes; the body is at `header().bodyOffset()`. Valid during the call only.
    public ByteBuffer frame() {
        return frame;
    }

    public byte[] copyBody() {
        byte[] body = new byte[header.bodyLength()];
        frame.get(header.bodyOffset(), body);
        return body;
    }

    /// Where the other side is, as it stands in stored messages.
    public RecordHost remoteHost() {
        RecordHost known = remoteHost;
        if (known == null) {
            known = RecordHost.of(link.remote());
            remoteHost = known;
        }
        return known;
    }

    /// Counts up for each message whose sender leaves the choice of a queue to the broker.
    public int nextPick() {
        return picks++ & Integer.MAX_VALUE;
    }

    /// What this session has looked up by the names in its requests.
    public NameCache names() {
        return names;
    }

    /// For the handler of sends to read the header into.
    public SendHeader sendHeader() {
        return sendHeader;
    }

    /// For the handler of pulls to read the header into.
    public PullHeader pullHeader() {
        return pullHeader;
    }

    /// For the handler of batch sends to read the body into.
    public BatchItems batchItems() {
        return batchItems;
    }

    public void succeed() {
        answer(ResponseCodes.SUCCESS, (String) null);
    }

    public void refuse(int code, String remark) {
        answer(code, remark);
    }

    private void answer(int code, @Nullable String remark) {
        if (header.isOneway()) {
            return;
        }
        begin(code, remark);
        answers.end(0);
    }

    public void answer(int code, byte[] body) {
        if (header.isOneway()) {
            return;
        }
        begin(code, null);
        answers.end(body);
    }

    /// Starts the answer in the session's writer; the caller adds fields and ends the frame. Not for one-way requests.
    public FrameWriter begin(int code, @Nullable String remark) {
        answers.begin(header.codec(), code, FrameFlags.ANSWER, header.correlationId());
        if (remark != null) {
            answers.remark(remark);
        }
        return answers;
    }

    /// The session's writer, for answers that have a writer class of their own.
    public FrameWriter answers() {
        return answers;
    }

    /// Sends the frame that `begin` started, the end of which is `body`, at once and in order behind the
    /// answers before it.
    public void sendWithBody(List<ByteBuffer> body) {
        link.send(answers.bytes(), 0, answers.size(), body);
        answers.reset();
    }

    /// For an answer that comes later.
    public Reply later() {
        return new Reply(link, header.codec(), header.correlationId(), header.isOneway());
    }

    /// Where this burst's messages are gathered.
    public AppendBurst burst() {
        AppendBurst open = burst;
        if (open == null) {
            open = bursts.borrow(link);
            burst = open;
        }
        return open;
    }

    /// Appends what was gathered so far, so that the next message starts a new batch.
    public void closeBurst() {
        AppendBurst open = burst;
        if (open != null) {
            burst = null;
            bursts.append(open);
        }
    }

    /// Copies the request, for handling it again from another place. `work` gets the copy and calls `again` on it.
    public Request detach() {
        byte[] copy = new byte[frameLength];
        frame.get(frameOffset, copy);
        Request detached = new Request(link, bursts, handlers);
        detached.read(ByteBuffer.wrap(copy), 0, frameLength);
        return detached;
    }

    /// Of a detached request: handles it from the start, then lets its answers go.
    public void again() {
        handlers.handle(this);
        burstEnded();
    }

    /// Of a detached request: lets `work` answer it, then lets its answers go.
    public void finish(Consumer<Request> work) {
        work.accept(this);
        burstEnded();
    }

    void burstEnded() {
        if (answers.size() > 0) {
            link.send(answers.bytes(), 0, answers.size());
            answers.reset();
        }
        closeBurst();
        frame = NOTHING;
    }
}
