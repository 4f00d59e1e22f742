package gantry.sim.net;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.ListenFailed;
import gantry.base.Network.Session;
import gantry.sim.Life;
import gantry.sim.SimScheduler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows what the simulated network does to connections when paths, processes and machines fail.
class SimNetFaultsTest {
    private static final Endpoint SERVER = new Endpoint("server", 9876);

    /// Counts frames, and knows whether it was told the end.
    private static final class End implements Session {
        final Link link;
        final List<Integer> frames = new ArrayList<>();
        final List<String> closed = new ArrayList<>();

        End(Link link) {
            this.link = link;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            frames.add(frame.getInt(offset + 4));
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            closed.add(reason);
        }
    }

    private final SimScheduler scheduler = new SimScheduler(3, null);
    private final SimNet net = new SimNet(scheduler, Weather.FAIR);
    private final Life server = new Life("server", 0);
    private final Life client = new Life("client", 0);
    private final List<End> ends = new ArrayList<>();

    private End connect() throws ListenFailed {
        if (net.listening().isEmpty()) {
            net.network(server).listen(SERVER, this::end);
        }
        net.network(client).dial(SERVER, this::end);
        pass(1);
        return ends.get(ends.size() - 2);
    }

    private Session end(Link link) {
        End end = new End(link);
        ends.add(end);
        return end;
    }

    private void pass(int seconds) {
        scheduler.runUntil(scheduler.nanos() + seconds * SimScheduler.SECOND);
    }

    private static boolean send(Link link, int number) {
        byte[] frame = ByteBuffer.allocate(8).putInt(4).putInt(number).array();
        return link.send(frame, 0, frame.length);
    }

    @Test
    void blockedPathHoldsBytesBackInOneDirectionAndLetsThemThroughLater() throws ListenFailed {
        End near = connect();
        End far = ends.get(1);
        net.block("client", "server");

        send(near.link, 1);
        send(far.link, 2);
        pass(10);
        assertThat(far.frames).isEmpty();
        assertThat(near.frames).containsExactly(2);

        send(near.link, 3);
        net.unblockAll();
        pass(1);
        assertThat(far.frames).containsExactly(1, 3);
    }

    @Test
    void dialIntoABlockedPathTimesOut() throws ListenFailed {
        connect();
        net.block("server", "client");

        net.network(client).dial(SERVER, this::end);
        pass(2);
        assertThat(ends.get(2).closed).isEmpty();
        pass(2);
        assertThat(ends.get(2).closed).singleElement().asString().contains("timed out");
        assertThat(ends).hasSize(3);
    }

    @Test
    void dialThroughAShortBlockadeConnectsWhenItIsTriedAgain() throws ListenFailed {
        connect();
        net.block("client", "server");

        net.network(client).dial(SERVER, this::end);
        pass(1);
        net.unblockAll();
        pass(2);

        assertThat(ends).hasSize(4);
        assertThat(ends.get(2).closed).isEmpty();
    }

    @Test
    void silencedConnectionLosesEverythingAndTellsNobody() throws ListenFailed {
        End near = connect();
        End far = ends.get(1);

        net.silenceOne();
        send(near.link, 1);
        send(far.link, 2);
        pass(100);

        assertThat(near.frames.isEmpty() || far.frames.isEmpty()).isTrue();
        assertThat(near.closed).isEmpty();
        assertThat(far.closed).isEmpty();
    }

    @Test
    void resetConnectionLosesTheEndOfWhatWasUnderWayAndTellsBoth() throws ListenFailed {
        int lost = 0;
        for (int round = 0; round < 20; round++) {
            ends.clear();
            End near = connect();
            End far = ends.get(1);
            for (int i = 0; i < 50; i++) {
                send(near.link, i);
            }
            net.resetOne();
            pass(1);
            assertThat(near.closed).hasSize(1);
            assertThat(far.closed).hasSize(1);
            for (int i = 0; i < far.frames.size(); i++) {
                assertThat(far.frames.get(i)).as("what arrives is a prefix").isEqualTo(i);
            }
            lost += far.frames.size() < 50 ? 1 : 0;
        }
        assertThat(lost).isPositive();
    }

    @Test
    void endedProcessIsToldToItsPeersAndItsPortIsFree() throws ListenFailed {
        End near = connect();
        server.end();
        net.processEnded(server);
        pass(1);

        assertThat(near.closed).hasSize(1);
        net.network(client).dial(SERVER, this::end);
        pass(1);
        assertThat(ends.getLast().closed).singleElement().asString().contains("refused");
        net.network(new Life("server", 1)).listen(SERVER, this::end);
        assertThat(net.openEnds()).isZero();
    }

    @Test
    void lostPowerIsSilentUntilTheMachineIsBackAndSomebodySends() throws ListenFailed {
        End sends = connect();
        End listensOnly = connect();
        server.end();
        net.powerLost(server);
        send(sends.link, 1);
        pass(30);
        assertThat(sends.closed).isEmpty();

        net.powerBack("server");
        pass(5);

        assertThat(sends.closed).containsExactly("connection reset");
        assertThat(listensOnly.closed).as("half-open, for ever").isEmpty();
        send(listensOnly.link, 2);
        pass(5);
        assertThat(listensOnly.closed).hasSize(1);
    }

    @Test
    void pausedProcessStillConnectsButAnswersNothingUntilItGoesOn() throws ListenFailed {
        connect();
        server.pauseUntil(scheduler.nanos() + 60 * SimScheduler.SECOND);

        Link link = net.network(client).dial(SERVER, this::end);
        send(link, 1);
        pass(50);
        assertThat(ends).hasSize(3);
        assertThat(ends.get(2).closed).isEmpty();
        pass(20);
        assertThat(ends).hasSize(4);
        assertThat(ends.get(3).frames).containsExactly(1);
    }

    @Test
    void closeOfAPeerThatCannotBeReachedIsToldAfterABoundedTime() throws ListenFailed {
        End near = connect();
        net.block("client", "server");
        send(near.link, 1);

        near.link.close("enough");
        pass(1);
        assertThat(near.closed).isEmpty();
        pass(2);
        assertThat(near.closed).containsExactly("enough");
    }
}
