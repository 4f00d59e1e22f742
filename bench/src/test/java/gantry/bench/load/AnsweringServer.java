package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A server whose answers a test makes up.
///
/// For:   faults that real servers seldom show.
/// Owner: the test that opened it.
final class AnsweringServer implements AutoCloseable {
    interface Answering {
        /// @return the answer's frame, or null to close the connection
        byte @Nullable [] answer(int request, int correlationId);
    }

    private final ServerSocket server;
    private final Answering answering;

    AnsweringServer(Answering answering) throws IOException {
        this.answering = answering;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", server.getLocalPort());
    }

    static byte[] ok(int correlationId) {
        return coded(0, correlationId);
    }

    static byte[] coded(int code, int correlationId) {
        return Frames.encode(Codec.JSON, code, 1, correlationId, java.util.Map.of(), new byte[0]);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            AnswerHeader header = new AnswerHeader();
            for (int request = 0; ; request++) {
                int rest = in.readInt();
                ByteBuffer frame = ByteBuffer.allocate(4 + rest);
                in.readFully(frame.array(), 4, rest);
                header.read(frame, 0, 4 + rest);
                byte[] answer = answering.answer(request, header.correlationId());
                if (answer == null) {
                    return;
                }
                socket.getOutputStream().write(answer);
            }
        } catch (IOException e) {
            // The client has gone, which is how every test ends.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
