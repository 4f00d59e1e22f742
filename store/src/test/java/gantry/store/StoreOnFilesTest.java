package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.store.disk.FileDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that many threads may append, read and tick at once on real files, and that everything is there afterwards
/// (R049: an offset is given and its message appended in one step).
class StoreOnFilesTest {
    private static final int WRITERS = 4;
    private static final int BATCHES = 400;
    private static final int PER_BATCH = 5;
    private static final int QUEUES = 3;

    @TempDir
    Path root;

    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger syncs = new AtomicInteger();
    private final Map<String, String> sent = new ConcurrentHashMap<>();

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

    private Store open(Disk disk, Durability durability) throws OpenFailed {
        Notices notices = (level, text) -> troubles.add(level + " " + text);
        return Store.open(
                StoreConfig.DEFAULT
                        .withSegmentBytes(1 << 18)
                        .withQueueFileBytes(2000)
                        .withDurability(durability),
                disk,
                CLOCK,
                work -> Thread.ofVirtual().start(work),
                notices,
                (sequencer, cause) -> troubles.add(sequencer + " broke: " + cause),
                queue -> {});
    }

    private final class Writer implements Runnable, AppendBatch.Listener {
        private final Store store;
        private final String name;
        private final Semaphore answered = new Semaphore(0);

        Writer(Store store, String name) {
            this.store = store;
            this.name = name;
        }

        @Override
        public void run() {
            AppendBatch batch = new AppendBatch(this, 1 << 16);
            for (int b = 0; b < BATCHES; b++) {
                batch.reset();
                for (int i = 0; i < PER_BATCH; i++) {
                    ConsumeQueue queue = store.queue("t", (b + i) % QUEUES);
                    String body = name + "-" + b + "-" + i + "x".repeat(i * 60);
                    Rig.put(batch, queue, "", body.getBytes(StandardCharsets.UTF_8), false);
                }
                store.append(batch);
                answered.acquireUninterruptibly();
                for (int i = 0; i < PER_BATCH; i++) {
                    String body = name + "-" + b + "-" + i + "x".repeat(i * 60);
                    sent.put(batch.queue(i) + ":" + batch.queueOffset(i), body);
                }
            }
        }

        @Override
        public void written(AppendBatch batch) {}

        @Override
        public void confirmed(AppendBatch batch) {
            answered.release();
        }

        @Override
        public void late(AppendBatch batch) {
            answered.release();
        }

        @Override
        public void refused(AppendBatch batch, Refusal why) {
            troubles.add("refused " + why);
            answered.release();
        }
    }

    /// Reads each queue from its start to its end, again and again while others write.
    private void readAllTheTime(Store store, AtomicBoolean ended) {
        long reads = 0;
        do {
            for (int id = 0; id < QUEUES; id++) {
                reads += readAll(store, store.queue("t", id)).size();
            }
        } while (!ended.get());
        if (reads == 0) {
            troubles.add("nothing was read");
        }
    }

    private List<String> readAll(Store store, ConsumeQueue queue) {
        List<String> bodies = new ArrayList<>();
        for (long next = queue.minOffset(); next < queue.maxOffset(); ) {
            Fetch fetch = store.fetch(
                    queue,
                    new FetchRequest(next, 32, 1 << 16, TagCodes.ANY),
                    (found, ranges) -> bodies.addAll(Rig.bodies(ranges)));
            if (fetch.status() != Fetch.Status.FOUND || fetch.nextOffset() != next + fetch.messageCount()) {
                troubles.add("at " + next + ": " + fetch);
                return bodies;
            }
            next = fetch.nextOffset();
        }
        return bodies;
    }

    private void assertEverythingIsThere(Store store) {
        int total = 0;
        for (int id = 0; id < QUEUES; id++) {
            ConsumeQueue queue = store.queue("t", id);
            List<String> bodies = readAll(store, queue);
            assertThat(bodies).hasSize((int) queue.maxOffset());
            for (int offset = 0; offset < bodies.size(); offset++) {
                assertThat(bodies.get(offset)).isEqualTo(sent.get(queue + ":" + offset));
            }
            total += bodies.size();
        }
        assertThat(total).isEqualTo(WRITERS * BATCHES * PER_BATCH);
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsAppendReadAndTickAtOnce(Durability durability) throws OpenFailed, InterruptedException {
        try (FileDisk files = new FileDisk(root, root.resolve("commitlog"), 8)) {
            Store store = open(new CountingDisk(files, syncs, new AtomicInteger()), durability);
            AtomicBoolean ended = new AtomicBoolean();
            CountDownLatch done = new CountDownLatch(WRITERS);
            List<Thread> others = List.of(
                    Thread.ofPlatform().start(() -> readAllTheTime(store, ended)),
                    Thread.ofPlatform().start(() -> {
                        while (!ended.get()) {
                            store.tick();
                            LockSupport.parkNanos(1_000_000);
                        }
                    }));
            for (int i = 0; i < WRITERS; i++) {
                Writer writer = new Writer(store, "w" + i);
                Thread.ofPlatform().start(() -> {
                    writer.run();
                    done.countDown();
                });
            }
            done.await();
            ended.set(true);
            for (Thread other : others) {
                other.join();
            }
            assertThat(troubles).isEmpty();
            assertEverythingIsThere(store);
            if (durability == Durability.SYNCED) {
                assertThat(syncs.get())
                        .as("group commit: syncs for %d batches", WRITERS * BATCHES)
                        .isLessThan(WRITERS * BATCHES);
            }
            store.close();
            assertThat(root.resolve("abort")).doesNotExist();
            Store again = open(files, durability);
            assertEverythingIsThere(again);
            again.close();
            assertThat(troubles).isEmpty();
        }
    }
}
