package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.RecordView;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/// Shows that the key index and the seals are made of what an append leaves behind, without reading the log again; and
/// that nothing is missing where it has left too little.
class TrailTest {
    private static final String[] WORDS = {"a", "order-4711", "schlüssel", "", "\u65e5\u672c", "k", "x".repeat(300)};

    private final FaultDisk disk = new FaultDisk();

    private static List<Integer> hashes(KeyTrail trail) {
        List<Integer> hashes = new ArrayList<>();
        for (int i = 0; i < trail.keys().count(); i++) {
            hashes.add(trail.keys().hash(i));
        }
        return hashes;
    }

    private static KeyTrail trailOf(AppendBatch batch) {
        KeyTrail trail = new KeyTrail(0);
        trail.add(batch, new RecordKeys(), new RecordView());
        return trail;
    }

    @Test
    void logIsNotReadAgainForKeysAndSeals() throws OpenFailed {
        CountingDisk counting = new CountingDisk(disk);
        Rig rig = new Rig(counting, Rig.TINY.withScrub(0));
        int before = counting.logReads().get();
        for (int i = 0; i < 9; i++) {
            rig.sendKeyed(rig.queue("orders", 0), "u-" + i, "k-" + i, "m".repeat(200));
            rig.pass(100);
        }
        for (int i = 0; i < 20; i++) {
            rig.pass(100);
        }

        assertThat(rig.store.indexedOffset()).isEqualTo(rig.store.confirmOffset());
        for (int i = 0; i < 9; i++) {
            assertThat(rig.find("orders", "k-" + i)).hasSize(1);
            assertThat(rig.find("orders", "u-" + i)).hasSize(1);
        }
        assertThat(counting.logReads()).hasValue(before);
        assertThat(rig.store.close()).isTrue();
        VerifyReport report = StoreVerifier.look(disk, RecordView::tagsCode, (_, _) -> {});
        assertThat(report.findings())
                .filteredOn(finding -> finding.severity() == VerifyReport.Severity.BAD)
                .isEmpty();
    }

    @Test
    void keysThatABatchListsAreThoseThatALookAtItsRecordsFinds() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        SplittableRandom random = new SplittableRandom(11);
        ConsumeQueue queue = rig.queue("bestellungen-ü", 0);
        for (int round = 0; round < 300; round++) {
            AppendBatch listing = rig.batch();
            listing.listsKeys();
            AppendBatch silent = rig.batch();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String unique = WORDS[random.nextInt(WORDS.length)];
                StringBuilder keys = new StringBuilder();
                for (int word = random.nextInt(4); word > 0; word--) {
                    keys.append(WORDS[random.nextInt(WORDS.length)]).append(" ".repeat(random.nextInt(3)));
                }
                String properties = (unique.isEmpty() ? "" : "UNIQ_KEY\u0001" + unique + "\u0002")
                        + (keys.isEmpty() ? "" : "KEYS\u0001" + keys + "\u0002");
                for (AppendBatch batch : List.of(listing, silent)) {
                    Rig.put(batch, queue, properties, TagsCode.NONE, new byte[3], false);
                }
                byte[] utf8 = (unique + keys).getBytes(StandardCharsets.UTF_8);
                int split = unique.getBytes(StandardCharsets.UTF_8).length;
                if (split > 0) {
                    listing.key(utf8, 0, split);
                }
                listing.keys(utf8, split, utf8.length);
            }
            rig.store.append(listing);
            rig.store.append(silent);

            assertThat(hashes(trailOf(listing))).isEqualTo(hashes(trailOf(silent)));
        }
    }

    @Test
    void keysThatATrailHasNoRoomForAreReadInTheLog() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withSegmentBytes(1 << 20).withIndex(new IndexConfig(true, 5_000, 400_000)));
        String many = "w ".repeat(15_000);
        for (int i = 0; i < 20; i++) {
            rig.sendKeyed(rig.queue("orders", 0), "u-" + i, many, "m" + i);
        }
        for (int i = 0; i < 30; i++) {
            rig.pass(100);
        }

        assertThat(rig.store.indexedOffset()).isEqualTo(rig.store.confirmOffset());
        for (int i = 0; i < 20; i++) {
            assertThat(rig.find("orders", "u-" + i)).containsExactly("m" + i);
        }
    }

    @Test
    void blocksAreSummedAsTheyAreInTheLogWhateverTheWritesWere() {
        SplittableRandom random = new SplittableRandom(5);
        SealLayout layout = SealLayout.of(4096);
        for (int round = 0; round < 200; round++) {
            byte[] log = new byte[3 * 4096];
            random.nextBytes(log);
            RunningSum running = new RunningSum(layout);
            BlockSums expected = new BlockSums();
            int first = random.nextInt(600);
            for (int at = first; at < log.length; ) {
                int length = Math.min(log.length - at, 1 + random.nextInt(700));
                running.pass(at, ByteBuffer.wrap(log, at, length));
                at += length;
            }
            for (int start = 0; start < log.length; start += layout.blockBytes()) {
                if (start >= first) {
                    CRC32C crc = new CRC32C();
                    crc.update(log, start, layout.blockBytes());
                    expected.add(start, (int) crc.getValue());
                }
            }
            BlockSums sums = running.take();

            assertThat(sums.count()).isEqualTo(expected.count());
            for (int start = 0; start < log.length; start += layout.blockBytes()) {
                assertThat(sums.takes(start)).isEqualTo(expected.takes(start));
                assertThat(sums.taken()).isEqualTo(expected.taken());
            }
        }
    }

    @Test
    void blockOfWhichAByteWasMissedIsNotSummed() {
        SealLayout layout = SealLayout.of(4096);
        RunningSum running = new RunningSum(layout);
        running.pass(0, ByteBuffer.allocate(100));
        running.pass(101, ByteBuffer.allocate(155 + 256));

        BlockSums sums = running.take();
        assertThat(sums.takes(0)).isFalse();
        assertThat(sums.takes(256)).isTrue();
        assertThat(sums.count()).isZero();
    }

    @Test
    void sumsBeyondTheirBoundAreLeftOut() {
        BlockSums sums = new BlockSums();
        for (int i = 0; i < BlockSums.MOST + 10; i++) {
            sums.add(i, i);
        }
        assertThat(sums.count()).isEqualTo(BlockSums.MOST);
        for (int i = 0; i < BlockSums.MOST; i++) {
            assertThat(sums.takes(i)).isTrue();
            assertThat(sums.taken()).isEqualTo(i);
        }
        assertThat(sums.takes(BlockSums.MOST)).isFalse();
    }
}
