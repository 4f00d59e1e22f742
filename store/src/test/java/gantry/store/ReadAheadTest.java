package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Disk.Done;
import gantry.store.Fetch.Status;
import gantry.wire.message.TagsCode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Shows what a consumer far behind gets without anybody waiting for the disk.
class ReadAheadTest {
    private static final StoreConfig CONFIG = Rig.TINY.withSegmentBytes(1 << 20).withQueueFileBytes(20 * 5_000);

    private final FaultDisk disk = new FaultDisk();
    private final List<String> got = new ArrayList<>();

    private Rig filled(int messages) throws OpenFailed {
        Rig rig = new Rig(disk, CONFIG);
        IntStream.range(0, messages).forEach(i -> rig.send(rig.queue("a", 0), Integer.toString(i)));
        for (int i = 0; i < 60; i++) {
            rig.pass(100);
        }
        rig.offloadWaits = true;
        return rig;
    }

    private @Nullable Fetch ahead(Rig rig, long from) {
        return rig.store.fetchAhead(
                rig.queue("a", 0),
                new FetchRequest(from, 32, 1 << 20, TagCodes.ANY),
                (_, ranges) -> got.addAll(Rig.bodies(ranges)));
    }

    @Test
    void nothingIsGivenThatWasNotReadBefore() throws OpenFailed {
        Rig rig = filled(100);
        assertThat(ahead(rig, 0)).isNull();

        rig.store.readAhead(rig.queue("a", 0), 10);
        assertThat(ahead(rig, 9)).isNull();
        Fetch fetch = ahead(rig, 10);
        assertThat(fetch)
                .isEqualTo(rig.store.fetch(
                        rig.queue("a", 0), new FetchRequest(10, 32, 1 << 20, TagCodes.ANY), (_, _) -> {}));
        assertThat(got)
                .isEqualTo(IntStream.range(10, 42).mapToObj(Integer::toString).toList());
    }

    /// Deletes the queue's file: whoever looks for an entry there finds nothing.
    @Test
    void whatWasReadAheadNeedsNoFile() throws OpenFailed {
        Rig rig = filled(100);
        rig.store.readAhead(rig.queue("a", 0), 0);
        assertThat(disk.delete(rig.queue("a", 0).files.fileOf(0))).isInstanceOf(Done.Ok.class);

        assertThat(ahead(rig, 0)).extracting(Fetch::messageCount).isEqualTo(32);
        assertThat(ahead(rig, 68)).extracting(Fetch::messageCount).isEqualTo(32);
    }

    @Test
    void theNextBlockIsReadWhenHalfOfOneIsFetchedAndOnlyOnce() throws OpenFailed {
        int block = ReadAhead.MOST_ENTRIES;
        Rig rig = filled(3 * block);
        rig.store.readAhead(rig.queue("a", 0), 0);

        long next = 0;
        for (; next < block / 2 - 32; next += 32) {
            ahead(rig, next);
        }
        assertThat(rig.offloaded).isEmpty();
        ahead(rig, next);
        ahead(rig, next + 32);
        assertThat(rig.offloaded).hasSize(1);

        assertThat(ahead(rig, block)).isNull();
        rig.runOffloaded();
        assertThat(ahead(rig, block)).extracting(Fetch::messageCount).isEqualTo(32);
    }

    @Test
    void aFetchEndsWithItsBlock() throws OpenFailed {
        Rig rig = filled(2 * ReadAhead.MOST_ENTRIES);
        rig.store.readAhead(rig.queue("a", 0), 0);
        long last = ReadAhead.MOST_ENTRIES - 5;
        Fetch fetch = ahead(rig, last);
        assertThat(fetch).extracting(Fetch::messageCount).isEqualTo(5);
        assertThat(got).containsExactly("1019", "1020", "1021", "1022", "1023");
    }

    @Test
    void pagesThatTheKernelMayHaveTakenBackAreNotCountedOn() throws OpenFailed {
        Rig rig = filled(100);
        rig.store.readAhead(rig.queue("a", 0), 0);
        rig.nanos += ReadAhead.FRESH.toNanos() - 1;
        assertThat(ahead(rig, 0)).isNotNull();
        rig.nanos += 1;
        assertThat(ahead(rig, 0)).isNull();
    }

    @Test
    void groupsAtDifferentPlacesOfAQueueDoNotDisturbEachOther() throws OpenFailed {
        Rig rig = filled(4 * ReadAhead.MOST_ENTRIES);
        for (int group = 0; group < 4; group++) {
            rig.store.readAhead(rig.queue("a", 0), 500L * group * 2);
            rig.nanos++;
        }
        for (int group = 0; group < 4; group++) {
            assertThat(ahead(rig, 500L * group * 2)).as("group %s", group).isNotNull();
        }
    }

    @Test
    void unwantedMessagesAreSkippedToTheEndOfTheBlock() throws OpenFailed {
        Rig rig = filled(100);
        rig.store.readAhead(rig.queue("a", 0), 0);
        Fetch fetch = rig.store.fetchAhead(
                rig.queue("a", 0), new FetchRequest(0, 32, 1 << 20, TagCodes.of(TagsCode.of("red"))), (_, _) -> {});
        assertThat(fetch).extracting(Fetch::status).isEqualTo(Status.NO_MATCHED_MESSAGE);
        assertThat(fetch).extracting(Fetch::nextOffset).isEqualTo(100L);
    }
}
