package gantry.control.nameserver;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.control.fake.FakeLink;
import gantry.control.fake.HandClock;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which nameservers are listed: those that answer, whatever they answer, for as long as they do.
final class NameserverPeersTest {
    private static final Endpoint A = new Endpoint("10.0.0.1", 9876);
    private static final Endpoint B = new Endpoint("10.0.0.2", 9876);

    private final HandClock clock = new HandClock();
    private final Dialled network = new Dialled();
    private final NameserverPeers peers =
            new NameserverPeers(List.of(A, B), network, clock, Runnable::run, (name, cause) -> {
                throw new AssertionError(name, cause);
            });

    @Test
    void nobodyIsListedBeforeItHasAnswered() {
        peers.tick();
        assertThat(peers.answering()).isEmpty();

        network.answer(B, ResponseCodes.TOPIC_NOT_EXIST);
        assertThat(peers.answering()).containsExactly(B);
        network.answer(A, ResponseCodes.SUCCESS);
        assertThat(peers.answering()).containsExactly(A, B);
    }

    /// R026: one that hangs with its connections open.
    @Test
    void whoStopsToAnswerIsListedNoLongerAndAskedOnANewConnection() {
        peers.tick();
        network.answer(A, 0);
        network.answer(B, 0);
        for (int i = 0; i < 8; i++) {
            pass();
            network.answer(B, 0);
        }

        assertThat(peers.answering()).containsExactly(B);
        assertThat(network.first(A).closedWith()).isEqualTo("no answer within 2000 ms");
        network.answer(A, 0);
        assertThat(peers.answering()).containsExactly(A, B);
    }

    @Test
    void whoseConnectionEndsIsListedNoLongerAndAskedAgain() {
        peers.tick();
        network.answer(A, 0);
        network.hangUp(A);
        assertThat(peers.answering()).isEmpty();

        for (int i = 0; i < 4; i++) {
            pass();
        }
        network.answer(A, 0);
        assertThat(peers.answering()).containsExactly(A);
    }

    private void pass() {
        clock.advance(Duration.ofMillis(500));
        peers.tick();
    }

    /// A network on which the test answers.
    private static final class Dialled implements Network {
        private record Line(FakeLink link, Session session) {}

        private final TreeMap<String, Line> lines = new TreeMap<>();
        private final TreeMap<String, FakeLink> firsts = new TreeMap<>();
        private long ids;

        @Override
        public Listener listen(Endpoint here, Acceptor acceptor) {
            throw new AssertionError("nobody listens here");
        }

        @Override
        public Link dial(Endpoint there, Acceptor acceptor) {
            FakeLink link = new FakeLink(++ids);
            lines.put(there.toString(), new Line(link, acceptor.accept(link)));
            firsts.putIfAbsent(there.toString(), link);
            return link;
        }

        FakeLink first(Endpoint to) {
            return Objects.requireNonNull(firsts.get(to.toString()));
        }

        /// Answers what was asked last, if something was.
        void answer(Endpoint from, int code) {
            Line line = Objects.requireNonNull(lines.get(from.toString()));
            Command asked = null;
            for (Command next = line.link.take(); next != null; next = line.link.take()) {
                asked = next;
            }
            if (asked != null) {
                byte[] frame = Command.answer(asked, code).encode();
                line.session.frame(ByteBuffer.wrap(frame), 0, frame.length);
            }
        }

        void hangUp(Endpoint from) {
            Objects.requireNonNull(lines.get(from.toString())).session.closed("the peer hung up");
        }
    }
}
