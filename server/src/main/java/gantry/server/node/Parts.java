package gantry.server.node;

import gantry.base.Image;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has been started in this process, to be stopped in the right order.
///
/// For:   a stop that is complete, bounded, and that names what hangs; also of a start that got half-way.
/// Owner: the starting thread until `stop`, then the stopping thread.
/// Never: what a part is.
final class Parts {
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    /// When a part stops; from the first to the last. A part of a later layer is still there for those of an earlier.
    enum Layer {
        /// Takes leave of its peers and accepts nothing new.
        SERVICE,
        /// Nothing moves by itself any more.
        TICKS,
        /// What is on its way goes out, and every connection is closed.
        NETWORK,
        /// Everything is flushed.
        STORE,
        /// The folder is somebody else's from now on.
        FOLDER
    }

    /// How one part stops; blocking is fine.
    interface Stop {
        void run() throws Exception;
    }

    /// How a stop went.
    sealed interface Outcome {
        record Clean() implements Outcome {}

        /// Every part was asked; these failed.
        record Failed(List<String> parts) implements Outcome {}

        /// This part did not return in time, and those after it were never asked.
        record Hung(String part) implements Outcome {}
    }

    private record Part(Layer layer, String name, Stop stop) {}

    private final List<Part> started = new ArrayList<>();

    /// The part that is stopping now; read by the thread that waits.
    private final Image<String> stopping = new Image<>("");

    /// @param name for the operator, as in "the store did not stop"
    void add(Layer layer, String name, Stop stop) {
        started.add(new Part(layer, name, stop));
    }

    /// Stops all, layer by layer and the youngest of a layer first, at the latest after `limit`.
    Outcome stop(Duration limit) {
        List<String> failed = new ArrayList<>();
        Thread stopper = Thread.ofPlatform().name("stop").daemon().start(() -> stopAll(failed));
        try {
            if (stopper.join(limit)) {
                return failed.isEmpty() ? new Outcome.Clean() : new Outcome.Failed(failed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String hung = stopping.read();
        LOG.error("{} did not stop within {} s; it is at:{}", hung, limit.toSeconds(), Stacks.of(stopper));
        return new Outcome.Hung(hung);
    }

    private void stopAll(List<String> failed) {
        List<Part> inOrder = new ArrayList<>(started.reversed());
        inOrder.sort(Comparator.comparing(Part::layer));
        started.clear();
        for (Part part : inOrder) {
            stopping.publish(part.name());
            try {
                part.stop().run();
            } catch (Exception e) {
                LOG.error("{} did not stop cleanly", part.name(), e);
                failed.add(part.name());
            }
        }
    }
}
