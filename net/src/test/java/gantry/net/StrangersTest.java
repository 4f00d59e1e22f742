package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows that whoever sends something else than frames, nothing, or too little loses its own connection only.
final class StrangersTest {
    @Test
    void garbageClosesItsConnectionOnlyAndIsCountedAndNamed() throws Exception {
        List<byte[]> garbage = List.of(
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3},
                "PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n".getBytes(StandardCharsets.US_ASCII),
                ByteBuffer.allocate(64).putLong(-1).putLong(-1).array(),
                new byte[4096]);
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer good = new Peer(there)) {
                good.send(Frames.frame(1, 100));
                assertThat(good.receive()).isEqualTo(Frames.frame(1, 100));
                for (byte[] bytes : garbage) {
                    try (Peer bad = new Peer(there)) {
                        bad.send(bytes);
                        assertThat(bad.isClosedByOther()).isTrue();
                    }
                }
                good.send(Frames.frame(2, 100));
                assertThat(good.receive()).isEqualTo(Frames.frame(2, 100));
            }
            await().until(() -> server.network.figures().open() == 0);
            assertThat(server.network.figures().strangers()).isEqualTo(5);
            assertThat(server.noticeWith("TLS is not available yet")).startsWith("WARN 127.0.0.1:");
            assertThat(server.noticeWith("an HTTP request")).contains("its connection with " + there);
            assertThat(server.notices).hasSize(5);
            assertThat(server.sessions.stream().flatMap(s -> s.numbers.stream()))
                    .containsExactly(1, 2);
        }
    }

    @Test
    void aHundredKnocksOfOneKindAreToldOnce() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            for (int i = 0; i < 100; i++) {
                try (Peer bad = new Peer(there)) {
                    bad.send(new byte[8]);
                    assertThat(bad.isClosedByOther()).isTrue();
                }
            }
            assertThat(server.network.figures().strangers()).isEqualTo(100);
            assertThat(server.notices).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void whoSaysNothingOrOnlyTheBeginningIsClosed() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer silent = new Peer(there);
                    Peer slow = new Peer(there)) {
                slow.send(Frames.frame(1, 5000), 0, 4000);
                await().until(() ->
                        server.sessions.size() == 2 && server.network.figures().gatheredBytes() > 0);
                server.moveTime(Duration.ofSeconds(21));
                assertThat(silent.isClosedByOther()).isTrue();
                assertThat(slow.isClosedByOther()).isTrue();
            }
            assertThat(server.noticeWith("no whole frame in time")).startsWith("WARN");
            await().until(() -> server.network.figures().gatheredBytes() == 0);
            assertThat(server.network.figures().strangers()).isEqualTo(2);
        }
    }

    @Test
    void anUnfinishedLaterFrameIsClosedButAWholeOneGivesNewTime() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer slow = new Peer(there)) {
                for (int i = 0; i < 4; i++) {
                    slow.send(Frames.frame(i, 100), 0, 50);
                    await().until(() -> server.network.figures().gatheredBytes() > 0);
                    server.moveTime(Duration.ofSeconds(15));
                    slow.send(Frames.frame(i, 100), 50, 100);
                    assertThat(slow.receive()).isEqualTo(Frames.frame(i, 100));
                }
                slow.send(Frames.frame(2, 5000), 0, 10);
                await().until(() -> server.network.figures().gatheredBytes() > 0);
                server.moveTime(Duration.ofSeconds(21));
                assertThat(slow.isClosedByOther()).isTrue();
            }
            assertThat(server.network.figures().strangers()).isEqualTo(1);
        }
    }

    @Test
    void anIdleLinkIsClosedWithItsReason() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            try (Peer peer = new Peer(there)) {
                for (int i = 0; i < 3; i++) {
                    peer.send(Frames.frame(1, 100));
                    peer.receive();
                    server.moveTime(Duration.ofSeconds(90));
                }
                server.moveTime(Duration.ofSeconds(31));
                assertThat(peer.isClosedByOther()).isTrue();
            }
            House.Recorder session = server.sessions.getFirst();
            await().until(() -> !session.closings.isEmpty());
            assertThat(session.closings).containsExactly("nothing was read or written for 120.0 s");
            assertThat(server.network.figures().idled()).isEqualTo(1);
        }
    }

    @Test
    void connectionsBeyondTheLimitAreRefusedWithANoticeAndTheOthersServed() throws Exception {
        try (House server = new House(NetConfig.DEFAULT.withMaxConnections(3))) {
            Endpoint there = server.listen(House.ECHO);
            List<Peer> peers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Peer peer = new Peer(there);
                peer.send(Frames.frame(i, 20));
                peer.receive();
                peers.add(peer);
            }
            try (Peer fourth = new Peer(there)) {
                assertThat(fourth.isClosedByOther()).isTrue();
            }
            assertThat(server.noticeWith("net.max-connections")).startsWith("ALARM");
            assertThat(server.network.figures().refused()).isEqualTo(1);
            for (Peer peer : peers) {
                peer.send(Frames.frame(9, 20));
                assertThat(peer.receive()).isEqualTo(Frames.frame(9, 20));
                peer.close();
            }
            await().until(() -> server.network.figures().open() == 0);
            try (Peer next = new Peer(there)) {
                next.send(Frames.frame(5, 20));
                assertThat(next.receive()).isEqualTo(Frames.frame(5, 20));
            }
        }
    }
}
