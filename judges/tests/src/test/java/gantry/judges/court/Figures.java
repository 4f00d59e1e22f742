package gantry.judges.court;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/// What a broker says of itself (request 28), asked without a client.
///
/// For:   knowing how far a copy has come.
/// Owner: none (immutable).
public record Figures(String text) {
    private static final int PATIENCE_MILLIS = 5_000;
    private static final int HAND_OVER_MILLIS = 75_000;

    /// @param broker HOST:PORT on this machine
    public static Figures of(String broker) throws IOException {
        return ask(broker, 28, PATIENCE_MILLIS);
    }

    /// Makes a Gantry broker hand everything to the RocketMQ slaves that copy it.
    ///
    /// @return what it answered, once it has
    public static Figures handOver(String broker) throws IOException {
        return ask(broker, 77_002, HAND_OVER_MILLIS);
    }

    private static Figures ask(String broker, int code, int patienceMillis) throws IOException {
        byte[] header = ("{\"code\":" + code
                        + ",\"flag\":0,\"language\":\"JAVA\",\"opaque\":1,\"version\":399,\"extFields\":{}}")
                .getBytes(UTF_8);
        int port = Integer.parseInt(broker.substring(broker.indexOf(':') + 1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(patienceMillis);
            ByteBuffer frame = ByteBuffer.allocate(8 + header.length);
            frame.putInt(4 + header.length).putInt(header.length).put(header);
            OutputStream out = socket.getOutputStream();
            out.write(frame.array());
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return new Figures(new String(answer, UTF_8));
        }
    }

    /// The text of a line of the table; empty when it has none.
    public String line(String name) {
        Matcher found =
                Pattern.compile("\"" + Pattern.quote(name) + "\":\"([^\"]*)\"").matcher(text);
        return found.find() ? found.group(1) : "";
    }

    public long number(String name) {
        return Long.parseLong(line(name));
    }

    /// Waits until a copy of `master` has all of its log, and says that it is in step.
    public static void awaitInStep(String copy, String master) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(300))
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    String end = of(master).line("commitLogMaxOffset");
                    Figures ours = of(copy);
                    assertThat(ours.line("gantry.replica.member.0.state")).startsWith("IN_SYNC");
                    assertThat(ours.line("gantry.replica.confirmOffset")).isEqualTo(end);
                });
    }
}
