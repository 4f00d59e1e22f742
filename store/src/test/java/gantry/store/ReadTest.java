package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Fetch.Status;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows what consumers get: by offset, by tag, by time, by place in the log.
class ReadTest {
    private static final FetchSink IGNORE = (_, _) -> {};

    private final FaultDisk disk = new FaultDisk();

    private static FetchRequest from(long offset) {
        return new FetchRequest(offset, 32, 1 << 20, TagCodes.ANY);
    }

    /// Entries come from memory, from files after a while, and from files after a restart.
    private void inEveryPlace(StoreConfig config, BiConsumer<Rig, String> test, BiConsumer<Rig, String> prepare)
            throws OpenFailed {
        Rig rig = new Rig(disk, config);
        prepare.accept(rig, "");
        test.accept(rig, "in memory");
        for (int i = 0; i < 60; i++) {
            rig.pass(100);
        }
        assertThat(rig.queue("a", 0).chunkOf(0)).as("the memory is given back").isSameAs(EntryChunk.NONE);
        test.accept(rig, "in files");
        rig.store.close();
        test.accept(new Rig(disk, config), "after a restart");
    }

    @Test
    void everyCaseOfAFetchHasItsStatusAndNextOffset() throws OpenFailed {
        inEveryPlace(
                Rig.TINY,
                (rig, where) -> {
                    ConsumeQueue queue = rig.queue("a", 0);
                    assertFetch(rig, queue, from(0), Status.FOUND, 3, where);
                    assertFetch(rig, queue, from(2), Status.FOUND, 3, where);
                    assertFetch(rig, queue, from(3), Status.NO_NEW, 3, where);
                    assertFetch(rig, queue, from(4), Status.OVERFLOW_BADLY, 3, where);
                    assertFetch(rig, queue, from(-1), Status.OFFSET_TOO_SMALL, 0, where);
                    assertFetch(rig, rig.queue("b", 7), from(0), Status.NO_MESSAGE_IN_QUEUE, 0, where);
                    assertFetch(rig, rig.queue("b", 7), from(9), Status.NO_MESSAGE_IN_QUEUE, 0, where);
                },
                (rig, _) -> rig.send(rig.queue("a", 0), "x", "y", "z"));
    }

    private static void assertFetch(
            Rig rig, ConsumeQueue queue, FetchRequest request, Status status, long next, String where) {
        Fetch fetch = rig.store.fetch(queue, request, IGNORE);
        assertThat(fetch.status()).as("%s, %s", request, where).isEqualTo(status);
        assertThat(fetch.nextOffset()).as("%s, %s", request, where).isEqualTo(next);
        assertThat(fetch.maxOffset()).isEqualTo(queue.maxOffset());
    }

    /// The first entries are in the file and no longer in memory, the next in memory and not yet in the file.
    @Test
    void aFetchThatBeginsInTheFileGoesOnInMemory() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("a", 0);
        List.of("1", "2", "3").forEach(body -> rig.sendTagged(queue, "red", body));
        for (int i = 0; i < 60; i++) {
            rig.pass(100);
        }
        assertThat(queue.chunkOf(0)).as("the memory is given back").isSameAs(EntryChunk.NONE);
        List.of("4", "5").forEach(body -> rig.sendTagged(queue, "red", body));
        assertThat(queue.flushed()).isEqualTo(3);

        for (TagCodes tags : List.of(TagCodes.ANY, TagCodes.of(TagsCode.of("red")))) {
            List<String> bodies = new ArrayList<>();
            Fetch fetch = rig.store.fetch(
                    queue, new FetchRequest(1, 32, 1 << 20, tags), (_, ranges) -> bodies.addAll(Rig.bodies(ranges)));
            assertThat(bodies).containsExactly("2", "3", "4", "5");
            assertThat(fetch.nextOffset()).isEqualTo(5);
        }
    }

    @Test
    void neighboursInTheLogComeAsOneRange() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("a", 0), "1", "2", "3");
        rig.send(rig.queue("b", 0), "other");
        rig.send(rig.queue("a", 0), "4");
        rig.sendSized(rig.queue("a", 0), 3700);
        List<Integer> counts = new ArrayList<>();
        Fetch fetch = rig.store.fetch(rig.queue("a", 0), from(0), (found, ranges) -> {
            for (ByteBuffer range : ranges) {
                counts.add(Rig.bodies(List.of(range)).size());
            }
            assertThat(ranges.stream().mapToInt(ByteBuffer::remaining).sum()).isEqualTo(found.sizeBytes());
        });

        assertThat(counts).containsExactly(3, 1, 1);
        assertThat(fetch.messageCount()).isEqualTo(5);
    }

    @Test
    void limitsOfAFetchHoldButOneMessageAlwaysComes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("a", 0);
        for (int i = 0; i < 10; i++) {
            rig.sendSized(queue, 200);
        }
        assertThat(rig.store.fetch(queue, new FetchRequest(0, 4, 1 << 20, TagCodes.ANY), IGNORE))
                .extracting(Fetch::messageCount, Fetch::nextOffset)
                .containsExactly(4, 4L);
        assertThat(rig.store.fetch(queue, new FetchRequest(0, 32, 600, TagCodes.ANY), IGNORE))
                .extracting(Fetch::messageCount, Fetch::nextOffset, Fetch::sizeBytes)
                .containsExactly(3, 3L, 600);
        assertThat(rig.store.fetch(queue, new FetchRequest(7, 32, 1, TagCodes.ANY), IGNORE))
                .extracting(Fetch::messageCount, Fetch::nextOffset)
                .containsExactly(1, 8L);
    }

    @Test
    void onlyWantedTagsComeAndTheScanIsBounded() throws OpenFailed {
        inEveryPlace(
                Rig.TINY,
                (rig, where) -> {
                    ConsumeQueue queue = rig.queue("a", 0);
                    List<String> bodies = new ArrayList<>();
                    TagCodes red = TagCodes.of(TagsCode.of("red"), TagsCode.of("blue"));
                    Fetch fetch = rig.store.fetch(
                            queue,
                            new FetchRequest(0, 32, 1 << 20, red),
                            (_, ranges) -> bodies.addAll(Rig.bodies(ranges)));
                    assertThat(bodies).as(where).containsExactly("r50", "b99");
                    assertThat(fetch.nextOffset()).isEqualTo(101);
                    assertThat(rig.store.fetch(queue, new FetchRequest(0, 32, 1 << 20, 40, red), IGNORE))
                            .extracting(Fetch::status, Fetch::nextOffset)
                            .containsExactly(Status.NO_MATCHED_MESSAGE, 40L);
                    assertThat(rig.store.fetch(queue, new FetchRequest(100, 32, 1 << 20, red), IGNORE))
                            .extracting(Fetch::status, Fetch::nextOffset)
                            .containsExactly(Status.NO_MATCHED_MESSAGE, 101L);
                },
                (rig, _) -> {
                    for (int i = 0; i <= 100; i++) {
                        String tag = i == 50 ? "red" : i == 99 ? "blue" : "green";
                        rig.sendTagged(rig.queue("a", 0), tag, tag.charAt(0) + "" + i);
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 11, 700})
    void manyMessagesComeInOrderFromMemoryAndFromFiles(int count) throws OpenFailed {
        inEveryPlace(
                Rig.TINY,
                (rig, where) -> {
                    List<String> bodies = rig.read(rig.queue("a", 0), 0);
                    assertThat(bodies).as(where).hasSize(count);
                    for (int i = 0; i < count; i++) {
                        assertThat(bodies.get(i)).isEqualTo("m" + i);
                    }
                },
                (rig, _) -> {
                    for (int i = 0; i < count; i++) {
                        rig.send(rig.queue("a", 0), "m" + i);
                        if (i % 37 == 0) {
                            rig.pass(100);
                        }
                    }
                });
    }

    @Test
    void timeFindsTheFirstAtOrAfterAndTheLastAtOrBefore() throws OpenFailed {
        long[] times = new long[6];
        inEveryPlace(
                Rig.TINY,
                (rig, where) -> {
                    ConsumeQueue queue = rig.queue("a", 0);
                    long first = times[0];
                    // Stored at first, first, first + 10, first + 20, first + 20, first + 30.
                    assertOffset(rig, queue, first - 1, 0, 0, where);
                    assertOffset(rig, queue, first, 0, 1, where);
                    assertOffset(rig, queue, first + 5, 2, 1, where);
                    assertOffset(rig, queue, first + 10, 2, 2, where);
                    assertOffset(rig, queue, first + 20, 3, 4, where);
                    assertOffset(rig, queue, first + 30, 5, 5, where);
                    assertOffset(rig, queue, first + 31, 6, 5, where);
                    assertThat(rig.store.storeMillisAt(queue, 2)).isEqualTo(first + 10);
                    assertThat(rig.store.storeMillisAt(queue, 6)).isEqualTo(-1);
                    assertThat(rig.store.offsetAt(rig.queue("none", 0), first, Boundary.LOWER))
                            .isZero();
                },
                (rig, _) -> {
                    ConsumeQueue queue = rig.queue("a", 0);
                    times[0] = rig.send(queue, "0", "1").storeMillis(0);
                    rig.wallMillis += 10;
                    rig.send(queue, "2");
                    rig.wallMillis += 10;
                    rig.send(queue, "3", "4");
                    rig.wallMillis += 10;
                    rig.send(queue, "5");
                });
    }

    private static void assertOffset(Rig rig, ConsumeQueue queue, long millis, long lower, long upper, String where) {
        assertThat(rig.store.offsetAt(queue, millis, Boundary.LOWER))
                .as("lower, %s", where)
                .isEqualTo(lower);
        assertThat(rig.store.offsetAt(queue, millis, Boundary.UPPER))
                .as("upper, %s", where)
                .isEqualTo(upper);
    }

    @Test
    void recordIsFoundByItsPlaceInTheLogAndNoOtherPlaceIsTakenForOne() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withDurability(Durability.SYNCED));
        rig.send(rig.queue("a", 0), "x");
        long second = rig.send(rig.queue("a", 0), "y").logOffset(0);
        List<String> bodies = new ArrayList<>();
        RecordSink sink = bytes -> bodies.addAll(Rig.bodies(List.of(bytes)));

        assertThat(rig.store.view(second, sink)).isTrue();
        assertThat(bodies).containsExactly("y");
        assertThat(rig.store.view(second + 1, sink)).isFalse();
        assertThat(rig.store.view(rig.store.appended(), sink)).isFalse();
        assertThat(rig.store.view(-1, sink)).isFalse();
        assertThat(rig.store.view(1L << 60, sink)).isFalse();

        disk.letSyncsWait();
        long third = rig.send(rig.queue("a", 0), "z").logOffset(0);
        assertThat(rig.store.view(third, sink)).as("not confirmed yet").isFalse();
    }

    @Test
    void damagedBytesAreNotServedAndTheOperatorIsTold() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        ConsumeQueue queue = rig.queue("a", 0);
        rig.send(queue, "0");
        long at = rig.send(queue, "1").logOffset(0);
        disk.overwrite("commitlog/" + Names.ofOffset(0), at + 3, (byte) 99);

        assertThat(rig.store.fetch(queue, from(0), IGNORE))
                .extracting(Fetch::status, Fetch::messageCount, Fetch::nextOffset)
                .containsExactly(Status.FOUND, 1, 1L);
        assertThat(rig.store.fetch(queue, from(1), IGNORE))
                .extracting(Fetch::status, Fetch::nextOffset)
                .containsExactly(Status.UNREADABLE, 1L);
        assertThat(rig.notices)
                .singleElement()
                .asString()
                .contains("/store/commitlog/00000000000000000000", "at byte " + at, "queue a/0");
    }

    @Test
    void onlyWatchedQueuesWakeTheirWatchers() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("a", 0), "x");
        rig.queue("b", 0).watched().publish(true);
        rig.send(rig.queue("a", 0), "x");
        rig.send(rig.queue("b", 0), "x");

        assertThat(rig.woken).containsExactly("b/0");
    }

    @Test
    void queuesAreFoundOnlyWhenSomebodyMadeThem() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        assertThat(rig.store.find("a", 0)).isNull();
        ConsumeQueue made = rig.store.queue("a", 0);
        assertThat(rig.store.find("a", 0)).isSameAs(made).isSameAs(rig.store.queue("a", 0));
        rig.store.queue("a", 1);
        assertThat(rig.store.queues()).extracting(ConsumeQueue::toString).containsExactly("a/0", "a/1");
    }
}
