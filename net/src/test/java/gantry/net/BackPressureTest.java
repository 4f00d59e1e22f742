package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.base.Link;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that a peer that does not read is not read from, loses nothing when it reads again, and is closed when
/// too much waits for it.
final class BackPressureTest {
    private static final int HIGH = 100_000;
    private static final int ANSWER = 30_000;
    private static final int REQUESTS = 3_000;

    static Stream<Transport> transports() {
        return Stream.of(Transport.epoll(), Transport.nio());
    }

    private static NetConfig config(int hardBytes, long totalBytes) {
        return new NetConfig(
                1,
                100,
                HIGH,
                hardBytes,
                totalBytes,
                48 << 20,
                Duration.ofSeconds(120),
                Duration.ofSeconds(20),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aSlowReaderIsNotReadFromAndLosesNothing(Transport transport) throws Exception {
        try (House server = new House(config(4 << 20, 64 << 20), transport)) {
            Endpoint there = server.listen((link, bytes, offset, length) ->
                    Frames.send(link, Frames.frame(Frames.number(bytes, offset), ANSWER)));
            try (Peer slow = new Peer(there, 4096);
                    Peer other = new Peer(there)) {
                Thread asking = Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < REQUESTS; i++) {
                            slow.send(Frames.frame(i, 40));
                        }
                    } catch (java.io.IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                await().until(() -> server.network.figures().outboxBytes() > HIGH / 2);
                other.send(Frames.frame(7, 40));
                assertThat(other.receive()).isEqualTo(Frames.frame(7, ANSWER));
                for (int i = 0; i < REQUESTS; i++) {
                    assertThat(server.network.figures().outboxBytes()).isLessThan(HIGH + 4L * ANSWER);
                    assertThat(slow.receive()).isEqualTo(Frames.frame(i, ANSWER));
                }
                asking.join();
                assertThat(server.network.figures().overflowed()).isZero();
                await().until(() -> server.network.figures().outboxBytes() == 0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aLinkWithTooMuchWaitingIsClosedWithItsReason(Transport transport) throws Exception {
        try (House server = new House(config(1 << 20, 64 << 20), transport)) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer deaf = new Peer(there, 4096)) {
                deaf.send(Frames.frame(1, 40));
                await().until(() -> server.sessions.size() == 1
                        && server.sessions.getFirst().numbers.size() == 1);
                Link link = server.sessions.getFirst().link;
                int sent = 0;
                while (Frames.send(link, Frames.frame(sent, ANSWER))) {
                    sent++;
                    assertThat(sent).isLessThan(10_000);
                }
                assertThat(Frames.send(link, Frames.frame(1, 12))).isFalse();
                House.Recorder session = server.sessions.getFirst();
                await().until(() -> !session.closings.isEmpty());
                assertThat(session.closings.getFirst()).startsWith("the peer does not read: ");
                assertThat(server.noticeWith("net.outbox-hard-bytes")).startsWith("WARN 127.0.0.1:");
                assertThat(server.network.figures().overflowed()).isEqualTo(1);
                await().until(() -> server.network.figures().outboxBytes() == 0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void whenAllTogetherHoldTooMuchThoseThatDoNotReadAreClosed(Transport transport) throws Exception {
        try (House server = new House(config(4 << 20, 4 << 20), transport)) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer a = new Peer(there, 4096);
                    Peer b = new Peer(there, 4096)) {
                a.send(Frames.frame(1, 40));
                b.send(Frames.frame(1, 40));
                await().until(() -> server.sessions.size() == 2);
                Link linkA = server.sessions.get(0).link;
                Link linkB = server.sessions.get(1).link;
                boolean open = true;
                for (int i = 0; open && i < 10_000; i++) {
                    open = Frames.send(linkA, Frames.frame(i, ANSWER)) && Frames.send(linkB, Frames.frame(i, ANSWER));
                }
                assertThat(open).isFalse();
                try (Peer reader = new Peer(there)) {
                    reader.send(Frames.frame(9, 40));
                    assertThat(reader.receive()).isEqualTo(Frames.frame(9, 40));
                }
            }
        }
    }
}
