package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Network.ListenFailed;
import gantry.base.Network.Listener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Shows what every `Network` does: two processes, one that listens and one that dials.
abstract class NetworkContract {
    /// A connection that speaks bytes, not frames.
    interface RawConnection {
        void write(byte[] bytes);

        boolean isClosed();
    }

    abstract Bed bed();

    abstract Network listening();

    abstract Network dialling();

    /// Port 0 of the listening machine.
    abstract Endpoint anyPort();

    /// A port of the listening machine where nobody listens.
    abstract Endpoint deadPort();

    abstract RawConnection raw(Endpoint there);

    private final List<Recorder> accepted = new CopyOnWriteArrayList<>();
    private final List<Recorder> dialled = new CopyOnWriteArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);

    static byte[] frameOf(int bodyBytes, int fill) {
        byte[] frame = new byte[4 + bodyBytes];
        Arrays.fill(frame, (byte) fill);
        ByteBuffer.wrap(frame).putInt(0, bodyBytes);
        return frame;
    }

    private Recorder accepted(int index) {
        bed().until("link " + index + " is accepted", () -> accepted.size() > index);
        return accepted.get(index);
    }

    private Link dial(Listener listener) {
        return dialling().dial(listener.local(), Recorder.into(dialled));
    }

    private static void send(Link link, byte[] frame) {
        assertThat(link.send(frame, 0, frame.length)).isTrue();
    }

    @AfterEach
    void nobodyWasToldTwoThingsAtOnceOrAfterTheEnd() {
        for (Recorder recorder : List.copyOf(accepted)) {
            assertThat(recorder.wrong).isEmpty();
        }
        for (Recorder recorder : List.copyOf(dialled)) {
            assertThat(recorder.wrong).isEmpty();
        }
    }

    @Test
    void listenerOnPortZeroSaysWhereItReallyListens() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));

        assertThat(listener.local().port()).isPositive();
        dial(listener);
        accepted(0);
    }

    @Test
    void takenPortIsRefusedWithASentenceThatNamesIt() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));

        assertThatThrownBy(() -> listening().listen(listener.local(), Recorder.into(accepted)))
                .isInstanceOf(ListenFailed.class)
                .hasMessageContaining(Integer.toString(listener.local().port()));
    }

    @Test
    void framesOfAllSizesArriveWholeAndInOrderBothWays() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link near = dial(listener);
        Recorder far = accepted(0);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(frameOf(4 + random.nextInt(i % 20 == 0 ? 20_000 : 200), i));
        }

        for (byte[] frame : sent) {
            send(near, frame);
            send(far.link, frame);
        }

        bed().until("all frames arrive at the far side", () -> far.frames.size() == sent.size());
        bed().until(
                        "all frames arrive at the near side",
                        () -> dialled.getFirst().frames.size() == sent.size());
        for (int i = 0; i < sent.size(); i++) {
            assertThat(far.frames.get(i)).isEqualTo(sent.get(i));
            assertThat(dialled.getFirst().frames.get(i)).isEqualTo(sent.get(i));
        }
        bed().until("a burst ends after the last frame", far::burstHasEnded);
    }

    @Test
    void severalFramesInOneSendArriveAsSeveral() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link near = dial(listener);
        byte[] both = new byte[5 + 12 + 24 + 3];
        System.arraycopy(frameOf(8, 1), 0, both, 5, 12);
        System.arraycopy(frameOf(20, 2), 0, both, 17, 24);

        assertThat(near.send(both, 5, 36)).isTrue();

        Recorder far = accepted(0);
        bed().until("both arrive", () -> far.frames.size() == 2);
        assertThat(far.frames.get(0)).isEqualTo(frameOf(8, 1));
        assertThat(far.frames.get(1)).isEqualTo(frameOf(20, 2));
    }

    @Test
    void frameWithABodyArrivesAsOneAndTheBodyIsNotMoved() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link near = dial(listener);
        byte[] whole = frameOf(40, 7);
        ByteBuffer body = ByteBuffer.allocateDirect(64);
        body.put(10, whole, 14, 30).position(10).limit(40);

        assertThat(near.send(whole, 0, 14, body)).isTrue();

        assertThat(body.position()).isEqualTo(10);
        assertThat(body.limit()).isEqualTo(40);
        Recorder far = accepted(0);
        bed().until("it arrives", () -> far.frames.size() == 1);
        assertThat(far.lastFrame()).isEqualTo(whole);
    }

    @Test
    void bytesAreTheCallersAgainOnceSendReturns() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link near = dial(listener);
        byte[] frame = frameOf(100, 3);
        ByteBuffer body = ByteBuffer.wrap(frame.clone(), 50, 54);

        send(near, frame);
        assertThat(near.send(frame, 0, 50, body)).isTrue();
        Arrays.fill(frame, (byte) 99);
        Arrays.fill(body.array(), (byte) 99);

        Recorder far = accepted(0);
        bed().until("both arrive", () -> far.frames.size() == 2);
        assertThat(far.frames.get(0)).isEqualTo(frameOf(100, 3));
        assertThat(far.frames.get(1)).isEqualTo(frameOf(100, 3));
    }

    @Test
    void dialledLinkTakesFramesBeforeItIsOpen() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));

        Link near = dial(listener);
        for (int i = 0; i < 10; i++) {
            send(near, frameOf(50, i));
        }

        Recorder far = accepted(0);
        bed().until("they arrive", () -> far.frames.size() == 10);
        for (int i = 0; i < 10; i++) {
            assertThat(far.frames.get(i)).isEqualTo(frameOf(50, i));
        }
    }

    @Test
    void sessionMayAnswerFromInsideAFrame() throws ListenFailed {
        Listener listener = listening()
                .listen(
                        anyPort(),
                        Recorder.into(accepted, far -> far.link.send(far.lastFrame(), 0, far.lastFrame().length)));
        Link near = dial(listener);

        send(near, frameOf(30, 5));

        bed().until("the answer arrives", () -> dialled.getFirst().frames.size() == 1);
        assertThat(dialled.getFirst().lastFrame()).isEqualTo(frameOf(30, 5));
    }

    @Test
    void failedDialIsToldAsClosedExactlyOnce() {
        Link near = dialling().dial(deadPort(), Recorder.into(dialled));
        near.send(frameOf(10, 1), 0, 14);

        bed().until(
                        "the failure is told",
                        () -> !dialled.isEmpty() && !dialled.getFirst().closed.isEmpty());
        bed().settle();
        assertThat(dialled.getFirst().closed).hasSize(1);
        assertThat(dialled.getFirst().frames).isEmpty();
        assertThat(near.send(frameOf(10, 1), 0, 14)).isFalse();
    }

    @Test
    void closeLetsTheOutboxOutFirstAndIsToldOnceOnBothSides() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link near = dial(listener);
        Recorder far = accepted(0);
        bed().until("the near side is open", () -> !dialled.isEmpty());
        send(far.link, frameOf(4, 0));
        bed().until("the near side hears", () -> dialled.getFirst().frames.size() == 1);

        for (int i = 0; i < 50; i++) {
            send(near, frameOf(1000, i));
        }
        near.close("done");
        near.close("done again");

        assertThat(near.send(frameOf(10, 1), 0, 14)).isFalse();
        bed().until("the far side is told", () -> !far.closed.isEmpty());
        bed().until("the near side is told", () -> !dialled.getFirst().closed.isEmpty());
        bed().settle();
        assertThat(far.frames).hasSize(50);
        assertThat(far.closed).hasSize(1);
        assertThat(dialled.getFirst().closed).hasSize(1);
        assertThat(far.link.send(frameOf(10, 1), 0, 14)).isFalse();
    }

    @Test
    void sessionMayCloseItsLinkFromInsideAFrame() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted, far -> far.link.close("enough")));
        Link near = dial(listener);

        send(near, frameOf(30, 5));

        Recorder far = accepted(0);
        bed().until("the near side is told", () -> !dialled.getFirst().closed.isEmpty());
        bed().until("the far side is told", () -> !far.closed.isEmpty());
    }

    @Test
    void linksHaveIdsOfTheirOwnAndAddressesThatMatch() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        List<Long> nearIds = new ArrayList<>();
        List<Long> farIds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Link near = dial(listener);
            Recorder far = accepted(i);
            send(far.link, frameOf(4, i));
            int index = i;
            bed().until("the near side hears", () -> dialled.get(index).frames.size() == 1);
            nearIds.add(near.id());
            farIds.add(far.link.id());
            assertThat(near.remote()).isEqualTo(listener.local());
            assertThat(far.link.local()).isEqualTo(listener.local());
            assertThat(far.link.remote()).isEqualTo(near.local());
            near.close("next");
            bed().until("it is closed", () -> !far.closed.isEmpty());
        }
        assertThat(nearIds).doesNotHaveDuplicates();
        assertThat(farIds).doesNotHaveDuplicates();
    }

    @Test
    void closedListenerAcceptsNobodyAndLeavesItsLinksAlone() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link before = dial(listener);
        Recorder far = accepted(0);

        listener.close();
        dialling().dial(listener.local(), Recorder.into(dialled));

        bed().until(
                        "the second dial fails",
                        () -> dialled.size() == 2 && !dialled.get(1).closed.isEmpty());
        assertThat(accepted).hasSize(1);
        send(before, frameOf(10, 1));
        bed().until("the first link lives", () -> far.frames.size() == 1);
    }

    @Test
    void frameThatComesByteByByteArrivesWhole() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        RawConnection raw = raw(listener.local());
        byte[] frame = frameOf(30, 9);

        for (byte b : frame) {
            raw.write(new byte[] {b});
        }

        Recorder far = accepted(0);
        bed().until("it arrives", () -> far.frames.size() == 1);
        assertThat(far.lastFrame()).isEqualTo(frame);
    }

    @Test
    void lengthThatIsNotAllowedClosesItsLinkAndNoOther() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        Link good = dial(listener);
        Recorder farOfGood = accepted(0);
        int[] lengths = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, Network.MAX_FRAME_BYTES - 3};

        for (int i = 0; i < lengths.length; i++) {
            RawConnection raw = raw(listener.local());
            raw.write(ByteBuffer.allocate(12).putInt(lengths[i]).array());
            Recorder farOfBad = accepted(i + 1);
            bed().until("length " + lengths[i] + " is not accepted", () -> !farOfBad.closed.isEmpty());
            bed().until("the sender sees it", raw::isClosed);
            assertThat(farOfBad.frames).isEmpty();
        }

        send(good, frameOf(10, 1));
        bed().until("the good link lives", () -> farOfGood.frames.size() == 1);
        assertThat(farOfGood.closed).isEmpty();
    }

    @Test
    void frameAboveTheLimitOfItsLinkEndsItAndSmallerOnesAndOtherLinksGoOn() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), link -> {
            link.limitFrames(accepted.isEmpty() ? 1_000 : 100_000);
            return Recorder.into(accepted).accept(link);
        });
        Link limited = dial(listener);
        Recorder far = accepted(0);
        send(limited, frameOf(996, 1));
        bed().until("a frame of the limit is taken", () -> far.frames.size() == 1);
        Link other = dial(listener);
        Recorder farOfOther = accepted(1);

        send(limited, frameOf(997, 2));
        send(other, frameOf(50_000, 3));

        bed().until("a larger one ends the link", () -> !far.closed.isEmpty());
        bed().until("the limit of another link is its own", () -> farOfOther.frames.size() == 1);
        assertThat(far.frames).hasSize(1);
    }

    @Test
    void outboxIsBoundedAndItsOverflowClosesTheLink() throws ListenFailed {
        Listener listener = listening().listen(anyPort(), Recorder.into(accepted));
        RawConnection deaf = raw(listener.local());
        deaf.write(frameOf(4, 1));
        Recorder far = accepted(0);
        bed().until("the link works", () -> far.frames.size() == 1);
        byte[] large = frameOf(1 << 20, 1);

        int taken = 0;
        while (far.link.send(large, 0, large.length)) {
            taken++;
            assertThat(taken).as("mebibytes in one outbox").isLessThan(256);
        }

        assertThat(taken).isPositive();
        bed().until("the link is closed", () -> !far.closed.isEmpty());
        assertThat(far.link.send(large, 0, 8)).isFalse();
    }
}
