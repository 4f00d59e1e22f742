package gantry.server.process;

import gantry.client.call.CallFailed;
import gantry.client.produce.Message;
import gantry.client.produce.Producer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Threads that send one message after the other, and write down how each went.
///
/// For:   what a user of the client notices of a fault: failed sends, and how long any send took.
/// Owner: the test; threads of its own.
final class SteadySenders implements AutoCloseable {
    /// A send as its sender saw it.
    record Sent(long begunNanos, long tookNanos, String messageId, String failure) {
        boolean isStored() {
            return failure.isEmpty();
        }
    }

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Producer producer;
    private final String topic;
    private final Duration limit;
    private final Collection<Sent> sends = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ended;

    SteadySenders(Producer producer, String topic, int count, Duration limit) {
        this.producer = producer;
        this.topic = topic;
        this.limit = limit;
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofPlatform().name("sender-" + i).start(this::send));
        }
    }

    private void send() {
        for (int i = 0; !ended; i++) {
            byte[] body = (Thread.currentThread().getName() + " " + i).getBytes(StandardCharsets.UTF_8);
            long begun = System.nanoTime();
            try {
                String id = producer.send(Message.of(topic, body), limit).messageId();
                sends.add(new Sent(begun, System.nanoTime() - begun, id, ""));
            } catch (CallFailed e) {
                sends.add(new Sent(begun, System.nanoTime() - begun, "", e.sentence()));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    List<Sent> all() {
        return List.copyOf(sends);
    }

    long storedSince(long nanos) {
        return sends.stream()
                .filter(each -> each.begunNanos - nanos >= 0 && each.isStored())
                .count();
    }

    List<String> failures() {
        return sends.stream()
                .map(Sent::failure)
                .filter(failure -> !failure.isEmpty())
                .toList();
    }

    /// The longest that any send took which began at `nanos` or later.
    Duration longestSince(long nanos) {
        return Duration.ofNanos(sends.stream()
                .filter(each -> each.begunNanos + each.tookNanos - nanos >= 0)
                .mapToLong(Sent::tookNanos)
                .max()
                .orElse(0));
    }

    @Override
    public void close() {
        ended = true;
        for (Thread thread : threads) {
            // Each of its sends has a limit, so this ends.
            while (thread.isAlive()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
