package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import gantry.store.disk.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// R046: on real files, threads write to and read from a topic that another drops again and again. Nothing crashes,
/// no offset is given twice, and in the end nothing is left of it, in files or in memory; a topic beside it
/// does not notice.
class TopicDropLoadTest {
    private static final int DROPS = 40;
    private static final int QUEUES = 4;

    /// Each drop waits for a sync of what was written meanwhile.
    private static final long PAUSE_NANOS = 500_000;

    @TempDir
    Path root;

    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger goneRefusals = new AtomicInteger();

    private static final Clock CLOCK = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };

    private Store open(FileDisk disk) throws OpenFailed {
        return Store.open(
                StoreConfig.DEFAULT
                        .withSegmentBytes(8 << 20)
                        .withQueueFileBytes(400)
                        .withDurability(Durability.WRITTEN),
                disk,
                CLOCK,
                work -> Thread.ofVirtual().start(work),
                (level, text) -> troubles.add(level + " " + text),
                (sequencer, cause) -> troubles.add(sequencer + " broke: " + cause),
                queue -> {});
    }

    /// Writes until the end, with the queues that it has, as a session does that knows a topic.
    private final class Writer implements AppendBatch.Listener {
        private final Store store;
        private final String topic;
        private final Semaphore answered = new Semaphore(0);
        private long last = -1;

        Writer(Store store, String topic) {
            this.store = store;
            this.topic = topic;
        }

        void run() {
            AppendBatch batch = new AppendBatch(this, 1 << 16);
            TopicQueues queues = store.queuesOf(topic);
            for (int b = 0; !ended.get(); b++) {
                if (queues.isDropped() && b % 7 != 0) {
                    queues = store.queuesOf(topic);
                }
                batch.reset();
                for (int i = 0; i < 3; i++) {
                    Rig.put(batch, queues.queue((b + i) % QUEUES), "", "m".getBytes(StandardCharsets.UTF_8), false);
                }
                store.append(batch);
                answered.acquireUninterruptibly();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        @Override
        public void written(AppendBatch batch) {}

        @Override
        public void confirmed(AppendBatch batch) {
            accepted.incrementAndGet();
            if (batch.queueOffset(0) < last - 1000) {
                troubles.add("offsets went back: " + batch.queueOffset(0) + " after " + last);
            }
            last = Math.max(last, batch.queueOffset(0));
            answered.release();
        }

        @Override
        public void late(AppendBatch batch) {
            answered.release();
        }

        @Override
        public void refused(AppendBatch batch, Refusal why) {
            if (why.kind() == Refusal.Kind.GONE) {
                goneRefusals.incrementAndGet();
            } else if (why.kind() != Refusal.Kind.BUSY) {
                troubles.add("refused " + why);
            }
            answered.release();
        }
    }

    private void readAllTheTime(Store store) {
        while (!ended.get()) {
            for (int id = 0; id < QUEUES; id++) {
                ConsumeQueue queue = store.queuesOf("t").queue(id);
                for (long next = queue.minOffset(); next < queue.maxOffset(); ) {
                    Fetch fetch = store.fetch(
                            queue,
                            new FetchRequest(next, 32, 1 << 16, TagCodes.ANY),
                            (found, ranges) -> Rig.bodies(ranges));
                    if (fetch.status() == Fetch.Status.UNREADABLE) {
                        troubles.add("at " + next + " of " + queue + ": " + fetch);
                        return;
                    }
                    if (fetch.nextOffset() <= next) {
                        break;
                    }
                    next = fetch.nextOffset();
                }
            }
        }
    }

    private static void drop(Store store) throws InterruptedException {
        CountDownLatch settled = new CountDownLatch(1);
        store.topicEnds().drop("t", settled::countDown);
        assertThat(settled.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private List<String> leftOf(String topic) throws IOException {
        Path folder = root.resolve("consumequeue").resolve(topic);
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(Path::toString).toList();
        } catch (NoSuchFileException e) {
            return List.of(e.getFile() + ", which is just going");
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException gone) {
                return List.of(gone.getFile() + ", which is just going");
            }
            throw e;
        }
    }

    @Test
    void topicIsDroppedInALoopWhileItIsWrittenAndRead() throws Exception {
        try (FileDisk files = new FileDisk(root, root.resolve("commitlog"), 8)) {
            Store store = open(files);
            List<Thread> threads = new ArrayList<>();
            for (String topic : List.of("t", "t", "beside")) {
                threads.add(Thread.ofPlatform().start(() -> new Writer(store, topic).run()));
            }
            threads.add(Thread.ofPlatform().start(() -> readAllTheTime(store)));
            threads.add(Thread.ofPlatform().start(() -> {
                while (!ended.get()) {
                    store.tick();
                    LockSupport.parkNanos(2_000_000);
                }
            }));
            for (int i = 0; i < DROPS; i++) {
                drop(store);
            }
            ended.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            drop(store);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!leftOf("t").isEmpty() && System.nanoTime() < end) {
                store.tick();
                LockSupport.parkNanos(10_000_000);
            }

            assertThat(troubles).isEmpty();
            assertThat(leftOf("t")).isEmpty();
            assertThat(store.queues()).extracting(ConsumeQueue::topic).containsOnly("beside");
            assertThat(accepted.get()).as("batches that were written meanwhile").isGreaterThan(DROPS);
            assertThat(goneRefusals.get()).as("batches that came too late").isPositive();
            long kept = store.queue("beside", 0).maxOffset();
            assertThat(store.close()).isTrue();

            Store again = open(files);
            assertThat(troubles).isEmpty();
            assertThat(again.queue("beside", 0).maxOffset()).isEqualTo(kept);
            assertThat(again.find("t", 0)).isNull();
            assertThat(again.close()).isTrue();
        }
    }
}
