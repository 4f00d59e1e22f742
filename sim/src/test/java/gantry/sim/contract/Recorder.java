package gantry.sim.contract;

import gantry.base.Link;
import gantry.base.Network.Acceptor;
import gantry.base.Network.Session;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A session that writes down what it is told.
///
/// For:   asserting on it afterwards, from any thread.
final class Recorder implements Session {
    final Link link;
    final List<byte[]> frames = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();
    final List<String> wrong = new CopyOnWriteArrayList<>();
    private final Consumer<Recorder> onFrame;
    private final AtomicInteger inside = new AtomicInteger();
    private volatile int framesAtLastBurst;

    private Recorder(Link link, Consumer<Recorder> onFrame) {
        this.link = link;
        this.onFrame = onFrame;
    }

    /// An acceptor whose sessions are collected in `into` and call `onFrame` after every frame.
    static Acceptor into(List<Recorder> into, Consumer<Recorder> onFrame) {
        return link -> {
            Recorder recorder = new Recorder(link, onFrame);
            into.add(recorder);
            return recorder;
        };
    }

    static Acceptor into(List<Recorder> into) {
        return into(into, recorder -> {});
    }

    /// True when `burstEnded` was called after the last frame.
    boolean burstHasEnded() {
        return framesAtLastBurst == frames.size();
    }

    byte[] lastFrame() {
        return frames.getLast();
    }

    @Override
    public void frame(ByteBuffer frame, int offset, int length) {
        told("frame", () -> {
            byte[] copy = new byte[length];
            for (int i = 0; i < length; i++) {
                copy[i] = frame.get(offset + i);
            }
            if (length >= 4 && frame.getInt(offset) != length - 4) {
                wrong.add("the four length bytes are not at the offset");
            }
            frames.add(copy);
            onFrame.accept(this);
        });
    }

    @Override
    public void burstEnded() {
        told("burstEnded", () -> framesAtLastBurst = frames.size());
    }

    @Override
    public void closed(String reason) {
        told("closed", () -> closed.add(reason));
    }

    private void told(String what, Runnable work) {
        if (!closed.isEmpty()) {
            wrong.add(what + " after closed");
        }
        if (inside.incrementAndGet() != 1) {
            wrong.add(what + " while another call is under way");
        }
        work.run();
        inside.decrementAndGet();
    }
}
