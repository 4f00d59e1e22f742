package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.base.Invariant;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Network.ListenFailed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that frames travel whole and in order, and that links open, fail and close as the seam says.
final class NettyNetworkTest {
    static Stream<Transport> transports() {
        return Stream.of(Transport.epoll(), Transport.nio());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void framesOfAllSizesGoThereAndBack(Transport transport) throws Exception {
        int[] lengths = {12, 13, 100, 1200, 65_535, 65_536, 70_000, 12, 1_000_000, 12, 4_000_000, 300};
        try (House server = new House(NetConfig.DEFAULT, transport);
                House client = new House(NetConfig.DEFAULT, transport)) {
            Endpoint there = server.listen(House.ECHO);
            Link link = client.network.dial(there, client.recording(House.NOTHING));
            for (int i = 0; i < lengths.length; i++) {
                assertThat(Frames.send(link, Frames.frame(i, lengths[i]))).isTrue();
            }
            House.Recorder answers = client.sessions.getFirst();
            await().until(() -> answers.numbers.size() == lengths.length);
            assertThat(answers.numbers)
                    .isEqualTo(IntStream.range(0, lengths.length).boxed().toList());
            assertThat(answers.damaged).hasValue(0);
            assertThat(server.sessions.getFirst().damaged).hasValue(0);
        }
    }

    @Test
    void theLargestFrameGoesThereAndBackAndALargerOneEndsTheLink() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            Link link = server.network.dial(there, server.recording(House.NOTHING));
            assertThat(Frames.send(link, Frames.frame(1, Network.MAX_FRAME_BYTES)))
                    .isTrue();
            await().until(() -> server.sessions.getFirst().numbers.size() == 1);
            assertThat(Frames.send(link, Frames.frame(2, Network.MAX_FRAME_BYTES + 1)))
                    .isTrue();
            await().until(() -> server.sessions.getFirst().closings.size() == 1);
        }
    }

    /// A close that only asks its event loop to close lets a connection in now and then: hence so many.
    @Test
    void nobodyIsAcceptedOnceAListenerIsClosed() throws Exception {
        try (House server = new House()) {
            for (int i = 0; i < 300; i++) {
                Network.Listener listener = server.network.listen(House.ANY_PORT, server.recording(House.NOTHING));
                Endpoint there = listener.local();
                listener.close();
                try (Socket late = new Socket()) {
                    late.connect(new InetSocketAddress(there.host(), there.port()));
                    // Let in by the kernel's queue perhaps, but not left waiting.
                    late.setSoTimeout(15_000);
                    assertThat(late.getInputStream().read()).isNegative();
                } catch (SocketException expected) {
                    assertThat(expected).hasMessageContaining("onnection re");
                }
            }
            assertThat(server.sessions).isEmpty();
        }
    }

    @Test
    void aBurstEndsOnceAfterTheFramesThatCameTogether() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.NOTHING);
            byte[] three = new byte[36];
            for (int i = 0; i < 3; i++) {
                System.arraycopy(Frames.frame(i, 12), 0, three, 12 * i, 12);
            }
            try (Peer peer = new Peer(there)) {
                peer.send(three);
                await().until(() -> !server.sessions.isEmpty()
                        && server.sessions.getFirst().bursts.get() > 0);
                House.Recorder session = server.sessions.getFirst();
                assertThat(session.numbers).containsExactly(0, 1, 2);
                assertThat(session.bursts).hasValue(1);
            }
        }
    }

    @Test
    void framesSentBeforeTheConnectionStandsArriveFirst() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.NOTHING);
            Link link = server.network.dial(new Endpoint("localhost", there.port()), server.recording(House.NOTHING));
            for (int i = 0; i < 100; i++) {
                assertThat(Frames.send(link, Frames.frame(i, 500))).isTrue();
            }
            await().until(() -> server.sessions.size() == 2
                    && server.sessions.get(1).numbers.size() == 100);
            assertThat(server.sessions.get(1).numbers)
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
        }
    }

    @Test
    void sendsOfManyThreadsArriveWholeAndEachThreadsInItsOrder() throws Exception {
        int threads = 4;
        int each = 2_000;
        try (House server = new House()) {
            Endpoint there = server.listen(House.NOTHING);
            Link link = server.network.dial(there, server.recording(House.NOTHING));
            List<Thread> senders = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                senders.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < each; i++) {
                        Frames.send(link, Frames.frame(first + i, 12 + i % 300));
                    }
                }));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            await().until(() -> server.sessions.size() == 2
                    && server.sessions.get(1).numbers.size() == threads * each);
            List<Integer> numbers = server.sessions.get(1).numbers;
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                assertThat(numbers.stream().filter(n -> n >= first && n < first + each))
                        .isSorted();
            }
            assertThat(server.sessions.get(1).damaged).hasValue(0);
        }
    }

    @Test
    void bothSidesKnowTheirAddresses() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.NOTHING);
            Link link = server.network.dial(there, server.recording(House.NOTHING));
            assertThat(link.remote()).isEqualTo(there);
            await().until(() -> server.sessions.size() == 2);
            Link other = server.sessions.get(1).link;
            assertThat(other.local()).isEqualTo(there);
            await().untilAsserted(() -> assertThat(other.remote()).isEqualTo(link.local()));
            assertThat(other.id()).isNotEqualTo(link.id());
        }
    }

    @Test
    void aRefusedDialIsToldAsClosedOnceWithASentence() throws Exception {
        try (House client = new House()) {
            int port;
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = taken.getLocalPort();
            }
            Link link = client.network.dial(new Endpoint("127.0.0.1", port), client.recording(House.NOTHING));
            List<String> closings = client.sessions.getFirst().closings;
            await().until(() -> !closings.isEmpty());
            assertThat(closings).containsExactly("cannot connect to 127.0.0.1:" + port + ": refused");
            assertThat(Frames.send(link, Frames.frame(1, 12))).isFalse();
            assertThat(client.network.figures().open()).isZero();
        }
    }

    @Test
    void anUnknownNameIsToldAsClosed() {
        try (House client = new House()) {
            client.network.dial(new Endpoint("no-such-host.invalid", 1), client.recording(House.NOTHING));
            List<String> closings = client.sessions.getFirst().closings;
            await().until(() -> !closings.isEmpty());
            assertThat(closings.getFirst()).startsWith("cannot connect to no-such-host.invalid:1: ");
        }
    }

    @Test
    void aTakenPortIsRefusedWithASentence() throws Exception {
        try (House server = new House()) {
            Endpoint taken = server.listen(House.NOTHING);
            assertThatThrownBy(() -> server.network.listen(taken, server.recording(House.NOTHING)))
                    .isInstanceOf(ListenFailed.class)
                    .hasMessage(
                            "port %d on 127.0.0.1 is in use: stop what listens there, or choose another port (0 takes a free one)"
                                    .formatted(taken.port()));
            assertThatThrownBy(() ->
                            server.network.listen(new Endpoint("203.0.113.7", 0), server.recording(House.NOTHING)))
                    .isInstanceOf(ListenFailed.class)
                    .hasMessageContaining("203.0.113.7 is not an address of this machine");
        }
    }

    @Test
    void aClosedListenerFreesItsPortAndLeavesItsLinks() throws Exception {
        try (House server = new House()) {
            Network.Listener listener = server.network.listen(House.ANY_PORT, server.recording(House.ECHO));
            try (Peer peer = new Peer(listener.local())) {
                peer.send(Frames.frame(1, 20));
                assertThat(peer.receive()).isEqualTo(Frames.frame(1, 20));
                listener.close();
                await().untilAsserted(() -> server.network.listen(listener.local(), server.recording(House.ECHO)));
                peer.send(Frames.frame(2, 20));
                assertThat(peer.receive()).isEqualTo(Frames.frame(2, 20));
            }
        }
    }

    @Test
    void closeLetsWhatWasSentOutAndTellsItsReasonOnce() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen((link, bytes, offset, length) -> {
                for (int i = 0; i < 50; i++) {
                    Frames.send(link, Frames.frame(i, 50_000));
                }
                link.close("enough");
                link.close("twice");
                assertThat(Frames.send(link, Frames.frame(99, 12))).isFalse();
            });
            try (Peer peer = new Peer(there)) {
                peer.send(Frames.frame(7, 12));
                for (int i = 0; i < 50; i++) {
                    assertThat(peer.receive()).isEqualTo(Frames.frame(i, 50_000));
                }
                assertThat(peer.isClosedByOther()).isTrue();
            }
            House.Recorder session = server.sessions.getFirst();
            await().until(() -> !session.closings.isEmpty());
            assertThat(session.closings).containsExactly("enough");
            assertThat(server.notices).isEmpty();
        }
    }

    @Test
    void theOthersCloseIsTold() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer peer = new Peer(there)) {
                peer.send(Frames.frame(7, 12));
                peer.receive();
            }
            House.Recorder session = server.sessions.getFirst();
            await().until(() -> !session.closings.isEmpty());
            assertThat(session.closings).containsExactly("the other side closed the connection");
        }
    }

    @Test
    void aFaultOfASessionClosesItsLinkOnlyAndIsTold() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen((link, bytes, offset, length) -> {
                int number = Frames.number(bytes, offset);
                if (number == 13) {
                    throw new IllegalStateException("thirteen");
                }
                if (number == 14) {
                    throw Invariant.broken("TEST-1 fourteen");
                }
                House.ECHO.frame(link, bytes, offset, length);
            });
            try (Peer good = new Peer(there);
                    Peer bad = new Peer(there);
                    Peer worse = new Peer(there)) {
                bad.send(Frames.frame(13, 12));
                assertThat(bad.isClosedByOther()).isTrue();
                worse.send(Frames.frame(14, 12));
                assertThat(worse.isClosedByOther()).isTrue();
                good.send(Frames.frame(1, 12));
                assertThat(good.receive()).isEqualTo(Frames.frame(1, 12));
            }
            assertThat(server.noticeWith("thirteen")).startsWith("ALARM");
            assertThat(server.broken).hasSize(1);
            assertThat(server.network.figures().faults()).isEqualTo(2);
        }
    }

    @Test
    void aSessionThatMovesTheBuffersMarksHarmsNobody() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen((link, bytes, offset, length) -> {
                ByteBuffer moved = bytes.position(offset).limit(offset + length);
                link.send(new byte[0], 0, 0, moved);
                bytes.limit(0);
            });
            byte[] two = new byte[40];
            System.arraycopy(Frames.frame(1, 20), 0, two, 0, 20);
            System.arraycopy(Frames.frame(2, 20), 0, two, 20, 20);
            try (Peer peer = new Peer(there)) {
                peer.send(two);
                assertThat(peer.receive()).isEqualTo(Frames.frame(1, 20));
                assertThat(peer.receive()).isEqualTo(Frames.frame(2, 20));
            }
        }
    }

    @Test
    void dialAfterCloseFailsAndSaysSo() {
        House client = new House();
        client.close();
        client.network.dial(new Endpoint("127.0.0.1", 1), client.recording(House.NOTHING));
        assertThat(client.sessions.getFirst().closings)
                .containsExactly("cannot connect to 127.0.0.1:1: this process is stopping");
    }

    @Test
    void aNetworkWithParkedDataClosesWithinItsStopTimeout() throws Exception {
        House server = new House();
        Endpoint there = server.listen((link, bytes, offset, length) -> {
            for (int i = 0; i < 20; i++) {
                Frames.send(link, Frames.frame(i, 1_000_000));
            }
        });
        try (Peer deaf = new Peer(there, 4096)) {
            deaf.send(Frames.frame(1, 12));
            await().until(() -> server.network.figures().outboxBytes() > 10_000_000);
            long before = System.nanoTime();
            server.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(NetConfig.DEFAULT.stopTimeout());
            assertThat(server.sessions.getFirst().closings).containsExactly("this process is stopping");
            assertThat(server.network.figures().outboxBytes()).isZero();
            assertThat(server.network.figures().open()).isZero();
        }
    }
}
