package gantry.client.call;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A server on loopback that answers by a script, and writes down what it is asked.
public final class FakeServer implements Network.Acceptor, AutoCloseable {
    /// What is answered to a request; null for nothing.
    public interface Script {
        @Nullable
        Command answer(Command request);
    }

    public final List<Command> asked = new CopyOnWriteArrayList<>();
    public final List<Link> links = new CopyOnWriteArrayList<>();
    /// What came back to what this server asked.
    public final List<Command> answers = new CopyOnWriteArrayList<>();
    private final List<Command> pings = new CopyOnWriteArrayList<>();
    private final List<Link> accepted = new CopyOnWriteArrayList<>();
    private volatile boolean hanging;
    private final Map<Integer, Script> scripts = new ConcurrentHashMap<>();
    private final NettyNetwork network = new NettyNetwork(
            NetConfig.DEFAULT.withEventLoops(1), (level, text) -> {}, (name, cause) -> cause.printStackTrace());
    private final Endpoint local;

    public FakeServer() throws Exception {
        local = network.listen(new Endpoint("127.0.0.1", 0), this).local();
    }

    public Endpoint local() {
        return local;
    }

    /// Requests without a script are not answered.
    public FakeServer on(int code, Script script) {
        scripts.put(code, script);
        return this;
    }

    /// Not even pings are answered from now on.
    public FakeServer hangs() {
        hanging = true;
        return this;
    }

    /// From now on they are.
    public void wakes() {
        hanging = false;
    }

    /// Connections so far, those that are gone included.
    public int accepted() {
        return accepted.size();
    }

    public int pings() {
        return pings.size();
    }

    public List<Command> asked(int code) {
        return asked.stream().filter(one -> one.code() == code).toList();
    }

    public void send(Link link, Command command) {
        byte[] frame = command.encode();
        link.send(frame, 0, frame.length);
    }

    @Override
    public Network.Session accept(Link link) {
        links.add(link);
        accepted.add(link);
        return new Network.Session() {
            @Override
            public void frame(ByteBuffer frame, int offset, int length) {
                Command request = Objects.requireNonNull(Command.decode(frame, offset, length));
                if (request.isAnswer()) {
                    answers.add(request);
                    return;
                }
                if (request.code() == RequestCodes.GANTRY_PING) {
                    pings.add(request);
                    if (!hanging) {
                        FakeServer.this.send(link, Command.answer(request, ResponseCodes.REQUEST_CODE_NOT_SUPPORTED));
                    }
                    return;
                }
                asked.add(request);
                if (hanging) {
                    return;
                }
                Script script = scripts.get(request.code());
                Command answer = script == null ? null : script.answer(request);
                if (answer != null) {
                    send(link, answer);
                }
            }

            @Override
            public void burstEnded() {}

            @Override
            public void closed(String reason) {
                links.remove(link);
            }
        };
    }

    @Override
    public void close() {
        network.close();
    }
}
