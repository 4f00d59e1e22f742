package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.Session;
import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;
import gantry.wire.frame.Command;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/// Connects to every port and says what nobody asked for.
///
/// For:   P5: garbage, other protocols, and frames that are nearly right get an answer or a closed connection, and
///        change nothing.
/// Owner: the scheduler's thread.
final class Stranger {
    private static final long PAUSE = 150 * SimScheduler.MILLI;
    private static final List<byte[]> GREETINGS = List.of(
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xFC, 0x03, 0x03},
            "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
            new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});

    private final SimScheduler scheduler;
    private final SimNet net;
    private final Life life = new Life("10.0.9.9", 0);
    private final RandomGenerator random;

    Stranger(SimScheduler scheduler, SimNet net) {
        this.scheduler = scheduler;
        this.net = net;
        this.random = scheduler.fork("stranger");
    }

    void begin() {
        scheduler.after(1 + random.nextLong(2 * PAUSE), life, "a stranger comes by", () -> {
            List<Endpoint> ports = net.listening();
            if (!ports.isEmpty()) {
                Link link = net.network(life).dial(ports.get(random.nextInt(ports.size())), Ear::new);
                say(link, 1 + random.nextInt(3));
            }
            begin();
        });
    }

    private void say(Link link, int times) {
        byte[] words = words();
        link.send(words, 0, words.length);
        if (times > 1) {
            scheduler.after(1 + random.nextLong(PAUSE), life, "a stranger goes on", () -> say(link, times - 1));
        } else if (random.nextBoolean()) {
            link.close("bored");
        }
    }

    private byte[] words() {
        return switch (random.nextInt(4)) {
            case 0 -> GREETINGS.get(random.nextInt(GREETINGS.size()));
            case 1 -> noise(1 + random.nextInt(300));
            case 2 -> {
                byte[] frame = ByteBuffer.allocate(4 + 60).putInt(60).array();
                System.arraycopy(noise(60), 0, frame, 4, 60);
                yield frame;
            }
            default -> spoilt(request().encode());
        };
    }

    private byte[] noise(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A request that clients send, to be spoilt; of those that change state, none that could be taken for an
    /// honest client's.
    private Command request() {
        return switch (random.nextInt(5)) {
            case 0 -> Requests.pull("strangers", House.TOPIC, random.nextInt(9) - 1, random.nextLong(), -1, 1_000);
            case 1 -> Requests.query("strangers", House.TOPIC, random.nextInt(9) - 1);
            case 2 -> Requests.route(House.TOPIC);
            case 3 -> Requests.consumerHeartbeat("stranger", "strangers", House.TOPIC);
            default -> Command.request(random.nextInt(400)).with("x", "y").withBody(noise(random.nextInt(40)));
        };
    }

    /// Turns some bytes over, but leaves the length right, so that the frame gets through.
    private byte[] spoilt(byte[] frame) {
        for (int i = random.nextInt(4); i > 0; i--) {
            frame[4 + random.nextInt(frame.length - 4)] ^= (byte) (1 << random.nextInt(8));
        }
        return frame;
    }

    /// Hears nothing.
    private record Ear(Link link) implements Session {
        @Override
        public void frame(ByteBuffer frame, int offset, int length) {}

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {}
    }
}
