package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// A store in a test, with a clock that is moved by hand.
///
/// For:   saying in few words what is sent and what is read.
/// Owner: one test thread.
final class Rig implements Clock, Notices, QueueListener, AppendBatch.Listener {
    static final StoreConfig TINY = StoreConfig.DEFAULT
            .withSegmentBytes(4096)
            .withQueueFileBytes(200)
            .withTimes(Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(1))
            .withIndex(new IndexConfig(true, 16, 64))
            .withScrub(0);

    final Disk disk;
    final List<String> notices = new ArrayList<>();
    final List<Throwable> faults = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    final List<String> woken = new ArrayList<>();
    final ArrayDeque<Runnable> offloaded = new ArrayDeque<>();
    boolean offloadWaits;
    /// How much time goes by whenever somebody asks for it.
    long ticksPerRead;

    long nanos = 1;
    long wallMillis = 1_700_000_000_000L;
    Store store;

    Rig(Disk disk, StoreConfig config) throws OpenFailed {
        this.disk = disk;
        this.store = open(config);
    }

    private Store open(StoreConfig config) throws OpenFailed {
        return Store.open(config, disk, this, this::offload, this, this::broken, this);
    }

    private void offload(Runnable work) {
        if (offloadWaits) {
            offloaded.add(work);
        } else {
            work.run();
        }
    }

    void runOffloaded() {
        for (Runnable work = offloaded.poll(); work != null; work = offloaded.poll()) {
            work.run();
        }
    }

    private void broken(String sequencer, Throwable cause) {
        if (cause instanceof FaultDisk.PowerCut cut) {
            throw cut;
        }
        faults.add(cause);
    }

    /// What an operator must look at.
    List<String> warnings() {
        return notices.stream().filter(text -> !text.startsWith("INFO")).toList();
    }

    /// Lets queues be made again, if any are.
    Rig rebuilt() {
        for (int ticks = 0; isRebuilding(); ticks++) {
            if (ticks == 10_000) {
                throw new IllegalStateException("still rebuilding: " + store.troubles());
            }
            store.tick();
        }
        return this;
    }

    boolean isRebuilding() {
        return store.troubles().stream().anyMatch(trouble -> trouble.kind() == Trouble.Kind.REBUILDING);
    }

    Fetch.Status statusAt(ConsumeQueue queue, long offset) {
        return store.fetch(queue, new FetchRequest(offset, 1, 1 << 20, TagCodes.ANY), (_, _) -> {})
                .status();
    }

    /// Lets time pass, with a tick at its end.
    void pass(long millis) {
        nanos += millis * 1_000_000;
        wallMillis += millis;
        store.tick();
    }

    ConsumeQueue queue(String topic, int id) {
        return store.queue(topic, id);
    }

    AppendBatch batch() {
        AppendBatch batch = new AppendBatch(this, 1 << 20);
        batch.reset();
        return batch;
    }

    static int put(AppendBatch batch, ConsumeQueue queue, String tag, byte[] body, boolean continuesUnit) {
        return put(
                batch,
                queue,
                tag.isEmpty() ? "" : "TAGS\u0001" + tag + "\u0002",
                tag.isEmpty() ? TagsCode.NONE : TagsCode.of(tag),
                body,
                continuesUnit);
    }

    static int put(
            AppendBatch batch,
            ConsumeQueue queue,
            String properties,
            long tagsCode,
            byte[] body,
            boolean continuesUnit) {
        RecordDraft draft = new RecordDraft()
                .topic(queue.topic().getBytes(StandardCharsets.UTF_8))
                .queueId(queue.queueId())
                .body(body)
                .bornMillis(1)
                .properties(properties.getBytes(StandardCharsets.UTF_8));
        if (!batch.room((int) RecordWriter.sizeOf(draft))) {
            throw new IllegalStateException("the test's batch is too large");
        }
        int start = batch.staging().position();
        int size = RecordWriter.write(batch.staging(), draft);
        batch.add(queue, start, size, tagsCode, continuesUnit);
        return size;
    }

    static void put(AppendBatch batch, ConsumeQueue queue, String body) {
        put(batch, queue, "", body.getBytes(StandardCharsets.UTF_8), false);
    }

    /// Sends one message each; returns the last batch.
    AppendBatch send(ConsumeQueue queue, String... bodies) {
        AppendBatch last = batch();
        for (String body : bodies) {
            last = batch();
            put(last, queue, body);
            store.append(last);
        }
        return last;
    }

    AppendBatch sendTagged(ConsumeQueue queue, String tag, String body) {
        AppendBatch batch = batch();
        put(batch, queue, tag, body.getBytes(StandardCharsets.UTF_8), false);
        store.append(batch);
        return batch;
    }

    /// A message with keys; an empty one is left out.
    AppendBatch sendKeyed(ConsumeQueue queue, String unique, String keys, String body) {
        AppendBatch batch = batch();
        String properties = (unique.isEmpty() ? "" : "UNIQ_KEY\u0001" + unique + "\u0002")
                + (keys.isEmpty() ? "" : "KEYS\u0001" + keys + "\u0002");
        put(batch, queue, properties, TagsCode.NONE, body.getBytes(StandardCharsets.UTF_8), false);
        store.append(batch);
        return batch;
    }

    /// The bodies of the messages with a key, newest first.
    List<String> find(String topic, String key) {
        return find(new KeyQuery(topic, key, KeyQuery.Kind.ANY, 0, Long.MAX_VALUE, 64));
    }

    List<String> find(KeyQuery query) {
        List<String> bodies = new ArrayList<>();
        store.query(query, new KeyAnswer() {
            @Override
            public void found(List<ByteBuffer> records, long indexedMillis, long indexedOffset) {
                bodies.addAll(bodies(records));
            }

            @Override
            public void refused(String why) {
                bodies.add("refused: " + why);
            }
        });
        return bodies;
    }

    /// A message whose record has exactly `size` bytes.
    AppendBatch sendSized(ConsumeQueue queue, int size) {
        AppendBatch empty = batch();
        int head = put(empty, queue, "", new byte[0], false);
        AppendBatch batch = batch();
        byte[] body = new byte[size - head];
        Arrays.fill(body, (byte) 'x');
        put(batch, queue, "", body, false);
        store.append(batch);
        return batch;
    }

    /// The bodies of all visible messages from an offset on.
    List<String> read(ConsumeQueue queue, long from) {
        return read(queue, from, RecordView::body);
    }

    /// The properties and bodies of all visible messages from an offset on.
    List<String> readWhole(ConsumeQueue queue, long from) {
        return read(queue, from, view -> {
            byte[] body = view.body();
            byte[] properties = view.propertiesText().getBytes(StandardCharsets.UTF_8);
            byte[] whole = Arrays.copyOf(properties, properties.length + body.length);
            System.arraycopy(body, 0, whole, properties.length, body.length);
            return whole;
        });
    }

    private List<String> read(ConsumeQueue queue, long from, Function<RecordView, byte[]> part) {
        List<String> bodies = new ArrayList<>();
        long next = from;
        int waits = 0;
        while (next < queue.maxOffset()) {
            Fetch fetch = store.fetch(
                    queue,
                    new FetchRequest(next, 32, 1 << 20, TagCodes.ANY),
                    (_, ranges) -> bodies.addAll(parts(ranges, part)));
            if (fetch.status() == Fetch.Status.REBUILDING && ++waits < 1000) {
                store.tick();
                continue;
            }
            if (fetch.nextOffset() <= next) {
                throw new IllegalStateException("no progress at " + next + ": " + fetch);
            }
            next = fetch.nextOffset();
        }
        return bodies;
    }

    static List<String> bodies(List<ByteBuffer> ranges) {
        return parts(ranges, RecordView::body);
    }

    private static List<String> parts(List<ByteBuffer> ranges, Function<RecordView, byte[]> part) {
        List<String> bodies = new ArrayList<>();
        RecordView view = new RecordView();
        for (ByteBuffer range : ranges) {
            int at = range.position();
            while (at < range.limit()) {
                if (!view.wrap(range, at, range.limit(), true).isOk()) {
                    throw new IllegalStateException("a fetched range holds something else than messages at " + at);
                }
                bodies.add(new String(part.apply(view), StandardCharsets.UTF_8));
                at += view.size();
            }
        }
        return bodies;
    }

    @Override
    public long nanos() {
        nanos += ticksPerRead;
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public void tell(Level level, String text) {
        notices.add(level + " " + text);
    }

    @Override
    public void grown(ConsumeQueue queue) {
        woken.add(queue.toString());
    }

    private String name(AppendBatch batch) {
        return batch.count() == 0
                ? "nothing"
                : batch.queue(0) + ":" + batch.queueOffset(0) + (batch.count() > 1 ? "+" + batch.count() : "");
    }

    @Override
    public void written(AppendBatch batch) {
        told.add("written " + name(batch));
    }

    @Override
    public void confirmed(AppendBatch batch) {
        told.add("confirmed " + name(batch));
    }

    @Override
    public void late(AppendBatch batch) {
        told.add("late " + name(batch));
    }

    @Override
    public void refused(AppendBatch batch, Refusal why) {
        told.add("refused " + why.kind());
    }
}
