package gantry.net;

import gantry.base.Endpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/// A raw TCP client that sends whatever bytes a test wants.
final class Peer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;

    Peer(Endpoint there) throws IOException {
        this(there, 0);
    }

    /// @param receiveBytes the size of the receive buffer; 0 leaves it to the system
    Peer(Endpoint there, int receiveBytes) throws IOException {
        socket = new Socket();
        if (receiveBytes > 0) {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(there.host(), there.port()), TIMEOUT_MILLIS);
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 65_536));
    }

    void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    void send(byte[] bytes, int from, int to) throws IOException {
        socket.getOutputStream().write(bytes, from, to - from);
    }

    byte[] receive() throws IOException {
        int length = in.readInt();
        byte[] frame = new byte[length + 4];
        java.nio.ByteBuffer.wrap(frame).putInt(length);
        in.readFully(frame, 4, length);
        return frame;
    }

    /// Whether the other side closes, or cuts, before anything is sent.
    boolean isClosedByOther() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    InputStream in() {
        return in;
    }

    Endpoint local() {
        return new Endpoint("127.0.0.1", socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
