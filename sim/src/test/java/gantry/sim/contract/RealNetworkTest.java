package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/// Runs the contract against real sockets on the loopback address.
class RealNetworkTest extends NetworkContract {
    private final RealBed bed = new RealBed();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private final NettyNetwork listening = network();
    private final NettyNetwork dialling = network();
    private final List<Socket> sockets = new ArrayList<>();

    private NettyNetwork network() {
        return new NettyNetwork(NetConfig.DEFAULT, (level, text) -> {}, (name, cause) -> broken.add(cause));
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        dialling.close();
        listening.close();
        assertThat(broken).isEmpty();
    }

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Network listening() {
        return listening;
    }

    @Override
    Network dialling() {
        return dialling;
    }

    @Override
    Endpoint anyPort() {
        return new Endpoint("127.0.0.1", 0);
    }

    @Override
    Endpoint deadPort() {
        try (ServerSocket unused = new ServerSocket(0)) {
            return new Endpoint("127.0.0.1", unused.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    RawConnection raw(Endpoint there) {
        Socket socket = new Socket();
        sockets.add(socket);
        try {
            socket.setTcpNoDelay(true);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(there.host(), there.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RealRawConnection(socket);
    }

    private record RealRawConnection(Socket socket) implements RawConnection {
        @Override
        public void write(byte[] bytes) {
            try {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isClosed() {
            try {
                socket.setSoTimeout(50);
                return socket.getInputStream().read() < 0;
            } catch (java.net.SocketTimeoutException e) {
                return false;
            } catch (IOException e) {
                return true;
            }
        }
    }
}
