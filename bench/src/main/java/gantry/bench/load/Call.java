package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;

/// A blocking connection for the few requests around the load.
///
/// For:   topics, offsets, heartbeats and the first send.
/// Owner: the thread that opened it.
/// Never: measured; it allocates as it likes.
final class Call implements Closeable {
    private static final int CONNECT_MILLIS = 2_000;
    private static final int ANSWER_MILLIS = 15_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private int lastId = Template.FIRST_ID;

    Call(Endpoint server) throws IOException {
        try {
            socket.connect(new InetSocketAddress(server.host(), server.port()), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    AnswerHeader ask(int code, Map<String, String> fields, byte[] body) throws IOException, LoadFailed {
        int id = ++lastId;
        socket.getOutputStream().write(Frames.encode(Codec.JSON, code, 0, id, fields, body));
        while (true) {
            int rest = in.readInt();
            ByteBuffer frame = ByteBuffer.allocate(4 + rest);
            in.readFully(frame.array(), 4, rest);
            AnswerHeader answer = new AnswerHeader();
            if (!answer.read(frame, 0, 4 + rest)) {
                throw new LoadFailed("the answer to code " + code + " cannot be read: " + answer.text());
            }
            if (answer.isAnswer() && answer.correlationId() == id) {
                return answer;
            }
        }
    }

    /// As `ask`, for what must succeed.
    AnswerHeader demand(int code, Map<String, String> fields, byte[] body) throws IOException, LoadFailed {
        AnswerHeader answer = ask(code, fields, body);
        if (answer.code() != Answers.SUCCESS) {
            throw new LoadFailed("code " + code + " was answered " + answer.code() + ": " + answer.text());
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
