package gantry.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Shows that after many connections, and after a close, no buffer, thread or socket is left.
final class LeakTest {
    /// Writes down what the leak detector finds.
    private static final class Finder<T> extends ResourceLeakDetector<T> {
        private final List<String> found;

        Finder(Class<?> type, int interval, List<String> found) {
            super(type, interval);
            this.found = found;
        }

        @Override
        protected void reportTracedLeak(String type, String records) {
            found.add(type + " " + records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            found.add(type);
        }
    }

    @Test
    void theOutboxAndTheCutterGiveBackWhatTheyTookInEveryEnding() throws Exception {
        try (House server = new House()) {
            Endpoint there = server.listen(House.ECHO);
            for (int i = 0; i < 200; i++) {
                try (Peer peer = new Peer(there)) {
                    peer.send(Frames.frame(i, 2_000));
                    if (i % 2 == 0) {
                        peer.receive();
                    }
                    peer.send(Frames.frame(i, 9_000), 0, 8_500 - 40 * i);
                }
            }
            await().until(() -> server.network.figures().open() == 0);
            assertThat(server.network.figures().accepted()).isEqualTo(200);
            assertThat(server.network.figures().outboxBytes()).isZero();
            assertThat(server.network.figures().gatheredBytes()).isZero();
            assertThat(server.notices).isEmpty();
        }
    }

    @Test
    void aClosedNetworkLeavesNoThreadSocketOrBuffer() throws Exception {
        long socketsBefore = sockets();
        List<Thread> threadsBefore = List.copyOf(Thread.getAllStackTraces().keySet());
        House server = new House();
        Endpoint there = server.listen(House.ECHO);
        Peer[] peers = new Peer[20];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new Peer(there);
            peers[i].send(Frames.frame(i, 50_000));
            server.network.dial(new Endpoint("localhost", there.port()), server.recording(House.NOTHING));
        }
        await().until(() -> server.network.figures().open() == 3 * peers.length);
        server.close();
        for (Peer peer : peers) {
            peer.close();
        }
        assertThat(server.network.activeBuffers()).isZero();
        assertThat(server.network.figures().open()).isZero();
        assertThat(server.sessions).allSatisfy(s -> assertThat(s.closings).hasSize(1));
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(sockets()).isLessThanOrEqualTo(socketsBefore);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> !threadsBefore.contains(t))
                            .map(Thread::getName)
                            .filter(n -> n.startsWith("net") || n.startsWith("globalEventExecutor")))
                    .isEmpty();
        });
    }

    @Test
    void theLeakDetectorFindsNothing() throws Exception {
        List<String> found = new CopyOnWriteArrayList<>();
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetectorFactory factory = ResourceLeakDetectorFactory.instance();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // The only way in to replace the detector.
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return new Finder<>(resource, samplingInterval, found);
            }
        });
        try {
            for (int round = 0; round < 5; round++) {
                try (House server = new House()) {
                    Endpoint there = server.listen(House.ECHO);
                    for (int i = 0; i < 20; i++) {
                        try (Peer peer = new Peer(there)) {
                            peer.send(Frames.frame(i, 70_000));
                            peer.receive();
                            peer.send(Frames.frame(i, 70_000), 0, 5_000);
                        }
                    }
                }
                System.gc();
            }
        } finally {
            ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(factory);
            ResourceLeakDetector.setLevel(before);
        }
        assertThat(found).isEmpty();
    }

    private static long sockets() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(LeakTest::isSocket).count();
        } catch (java.io.IOException e) {
            return 0;
        }
    }

    private static boolean isSocket(Path file) {
        try {
            String target = Files.readSymbolicLink(file).toString();
            return target.startsWith("socket:") || target.contains("eventpoll") || target.contains("eventfd");
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
