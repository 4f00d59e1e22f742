package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.KeyQuery.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Shows that messages are found by their keys: from memory, from files, after every kind of stop, and after index
/// files were lost or damaged; and that an index file has RocketMQ's bytes.
class KeyIndexTest {
    private static final long MILLIS = 1_700_000_000_000L;
    private static final int FILE_BYTES = 40 + 16 * 4 + 64 * 20;

    private final FaultDisk disk = new FaultDisk();

    private static String indexFile(FaultDisk disk, int index) {
        return indexFiles(disk).get(index);
    }

    private static List<String> indexFiles(FaultDisk disk) {
        return disk.files().stream().filter(name -> name.startsWith("index/")).toList();
    }

    /// Messages `from` to `to`, with a key of their own, the unique key `u-i`, and one of three shared keys.
    private static void send(Rig rig, int from, int to) {
        for (int i = from; i < to; i++) {
            rig.sendKeyed(rig.queue("orders", i % 2), "u-" + i, "k-" + i + " shared-" + i % 3, "m" + i);
            rig.wallMillis += 100;
        }
    }

    private static void assertAllFound(Rig rig, int from, int to, String when) {
        for (int i = from; i < to; i++) {
            assertThat(rig.find("orders", "k-" + i))
                    .as("%s: by key %d", when, i)
                    .containsExactly("m" + i);
            assertThat(rig.find("orders", "u-" + i))
                    .as("%s: by unique key %d", when, i)
                    .containsExactly("m" + i);
        }
        for (int shared = 0; shared < 3; shared++) {
            int key = shared;
            List<String> newestFirst = IntStream.range(0, to - from)
                    .map(i -> to - 1 - i)
                    .filter(i -> i % 3 == key)
                    .mapToObj(i -> "m" + i)
                    .limit(64)
                    .toList();
            assertThat(rig.find("orders", "shared-" + shared)).as(when).isEqualTo(newestFirst);
        }
    }

    private static void work(Rig rig) {
        for (int i = 0; i < 40; i++) {
            rig.pass(100);
        }
    }

    @Test
    void messagesAreFoundAtOnceAndWhenTheyAreInFilesAndAfterARestart() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, 0, 10);
        assertAllFound(rig, 0, 10, "just sent");
        assertThat(indexFiles(disk)).isEmpty();
        rig.pass(1500);
        assertThat(indexFiles(disk)).hasSize(1);
        assertAllFound(rig, 0, 10, "from a file");
        send(rig, 10, 100);
        assertAllFound(rig, 0, 100, "from files and memory");
        rig.store.close();

        Rig again = new Rig(disk, Rig.TINY);
        assertThat(indexFiles(disk)).hasSize(300 / 63 + 1);
        assertAllFound(again, 0, 100, "after a clean stop");
        send(again, 100, 130);
        assertAllFound(again, 0, 130, "going on");
        work(again);
        assertThat(again.notices).isEmpty();
        assertThat(indexFiles(disk))
                .as("files that are not full are gone on with")
                .hasSize(390 / 63 + 1);
        assertAllFound(again, 0, 130, "all in files");
    }

    @Test
    void onlyWantedMessagesAreFound() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.sendKeyed(rig.queue("orders", 0), "u-1", "a  b", "first");
        rig.wallMillis = MILLIS + 10_500;
        rig.sendKeyed(rig.queue("orders", 0), "u-2", "b", "second");
        rig.sendKeyed(rig.queue("other", 0), "u-3", "b a", "elsewhere");
        rig.sendKeyed(rig.queue("orders", 0), "", "", "without keys");
        rig.sendKeyed(rig.queue("orders", 0), "Über-1", "schlüssel b", "umlaut");
        for (String place : List.of("memory", "files")) {
            assertThat(rig.find("orders", "b")).as(place).containsExactly("umlaut", "second", "first");
            assertThat(rig.find("orders", "a")).as(place).containsExactly("first");
            assertThat(rig.find("orders", "schlüssel")).as(place).containsExactly("umlaut");
            assertThat(rig.find("orders", "Über-1")).as(place).containsExactly("umlaut");
            assertThat(rig.find("orders", "c")).as(place).isEmpty();
            assertThat(rig.find("nowhere", "b")).as(place).isEmpty();
            assertThat(rig.find(new KeyQuery("orders", "b", Kind.UNIQUE, 0, Long.MAX_VALUE, 9)))
                    .as(place)
                    .isEmpty();
            assertThat(rig.find(new KeyQuery("orders", "u-2", Kind.UNIQUE, 0, Long.MAX_VALUE, 9)))
                    .as(place)
                    .containsExactly("second");
            assertThat(rig.find(new KeyQuery("orders", "b", Kind.ANY, 0, Long.MAX_VALUE, 2)))
                    .as(place)
                    .containsExactly("umlaut", "second");
            assertThat(rig.find(new KeyQuery("orders", "b", Kind.ANY, MILLIS, MILLIS + 10_499, 9)))
                    .as("%s: to the millisecond", place)
                    .containsExactly("first");
            assertThat(rig.find(new KeyQuery("orders", "b", Kind.ANY, MILLIS + 10_500, MILLIS + 10_500, 9)))
                    .as("%s: to the millisecond", place)
                    .containsExactly("umlaut", "second");
            rig.pass(1500);
        }
    }

    private static int folded(String text) {
        int hash = text.hashCode();
        return hash < 0 ? -hash : hash;
    }

    @Test
    void anIndexFileHasExactlyTheseBytes() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch first = rig.sendKeyed(rig.queue("orders", 0), "u-1", "a b", "1");
        rig.wallMillis = MILLIS + 2500;
        AppendBatch second = rig.sendKeyed(rig.queue("orders", 0), "", "a", "2");
        rig.store.close();

        int[] hashes = {folded("orders#u-1"), folded("orders#a"), folded("orders#b")};
        assertThat(Arrays.stream(hashes).map(hash -> hash % 16).distinct().count())
                .as("slots")
                .isEqualTo(3);
        ByteBuffer file = ByteBuffer.allocate(FILE_BYTES);
        file.putLong(MILLIS).putLong(MILLIS + 2500);
        file.putLong(first.logOffset(0)).putLong(second.logOffset(0)).putInt(3).putInt(5);
        int entries = 40 + 16 * 4;
        for (int i = 0; i < 3; i++) {
            file.putInt(40 + hashes[i] % 16 * 4, i + 1);
            file.position(entries + (i + 1) * 20);
            file.putInt(hashes[i]).putLong(first.logOffset(0)).putInt(0).putInt(0);
        }
        file.putInt(40 + hashes[1] % 16 * 4, 4);
        file.position(entries + 4 * 20);
        file.putInt(hashes[1]).putLong(second.logOffset(0)).putInt(2).putInt(2);
        assertThat(disk.bytes(indexFile(disk, 0))).isEqualTo(file.array());
        assertThat(indexFile(disk, 0)).matches("index/20231114\\d{9}|index/20231115\\d{9}");
        assertThat(ByteBuffer.wrap(disk.bytes("checkpoint")).getLong(16)).isEqualTo(MILLIS + 2500 + 60_000);
    }

    /// After a kill a RocketMQ broker deletes each index file that ends behind the checkpoint's third time,
    /// and dispatches the log again from the lesser of the first two. So no key is lost to it, whenever
    /// the kill comes.
    @Test
    void keysThatAKillLeavesAreThereForRocketMq() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        long firstMillis = rig.wallMillis;
        for (int i = 0; i < 100; i++) {
            send(rig, i, i + 1);
            rig.pass(100);
            if (!disk.files().contains("checkpoint")) {
                continue;
            }
            ByteBuffer checkpoint = ByteBuffer.wrap(disk.bytes("checkpoint"));
            long dispatchedFrom = Math.min(checkpoint.getLong(0), checkpoint.getLong(8));
            long keptUntil = 0;
            for (String file : indexFiles(disk)) {
                long end = ByteBuffer.wrap(disk.bytes(file)).getLong(8);
                keptUntil = end <= checkpoint.getLong(16) ? Math.max(keptUntil, end) : keptUntil;
            }
            assertThat(dispatchedFrom)
                    .as("no key between the files and what is dispatched again, step %s", i)
                    .isLessThanOrEqualTo(Math.max(keptUntil, firstMillis));
        }
        assertThat(indexFiles(disk)).isNotEmpty();
    }

    @Test
    void whatRocketMqLeftIsReadAndGoneOnWith() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, 0, 50);
        rig.store.close();
        // As a RocketMQ broker would leave it: only the first line of the checkpoint.
        ByteBuffer checkpoint = ByteBuffer.wrap(disk.bytes("checkpoint"));
        disk.overwrite("checkpoint", 40, new byte[4096 - 40]);
        assertThat(checkpoint.getLong(16)).isPositive();
        List<String> before = indexFiles(disk);

        Rig again = new Rig(disk, Rig.TINY);
        assertAllFound(again, 0, 50, "after RocketMQ's clean stop");
        send(again, 50, 60);
        assertAllFound(again, 0, 60, "going on");
        assertThat(indexFiles(disk)).containsAll(before);
    }

    @Test
    void anIndexFileThatIsLostOrDamagedIsBuiltAgainWhileTheRestIsServed() throws OpenFailed {
        for (int victim = 0; victim < 4; victim++) {
            for (String harm : List.of("lost", "zeroed", "truncated", "header", "slots", "entries", "longer")) {
                FaultDisk one = new FaultDisk();
                Rig rig = new Rig(one, Rig.TINY);
                send(rig, 0, 75);
                rig.store.close();
                List<String> files = indexFiles(one);
                assertThat(files).hasSize(4);
                String file = files.get(victim);
                switch (harm) {
                    case "lost" -> one.remove(file);
                    case "zeroed" -> one.overwrite(file, 0, new byte[FILE_BYTES]);
                    case "truncated" -> one.setLength(file, 500);
                    case "header" -> one.overwrite(file, 33, (byte) 0x55, (byte) 0x66, (byte) 0x77);
                    case "slots" -> one.overwrite(file, 44, new byte[40]);
                    case "entries" -> one.overwrite(file, 40 + 64 + 60, new byte[80]);
                    default -> one.setLength(file, FILE_BYTES + 100);
                }
                Rig again = new Rig(one, Rig.TINY);
                assertThat(again.read(again.queue("orders", 0), 0)).hasSize(38);
                work(again);
                assertAllFound(again, 0, 75, "file " + victim + " " + harm);
                assertThat(again.notices).as("file %d %s", victim, harm).noneMatch(told -> told.startsWith("ALARM"));
                again.store.close();
                Rig last = new Rig(one, Rig.TINY);
                work(last);
                assertThat(last.notices)
                        .as("file %d %s: whole again", victim, harm)
                        .isEmpty();
                assertAllFound(last, 0, 75, "after a restart");
            }
        }
    }

    @Test
    void aForeignFileInTheFolderIsLeftAlone() throws OpenFailed {
        disk.overwrite("index/README", 0, (byte) 1);
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, 0, 5);
        work(rig);
        assertAllFound(rig, 0, 5, "beside a foreign file");
        assertThat(disk.files()).contains("index/README");
        assertThat(rig.notices).singleElement().asString().contains("is no index file and is left alone");
    }

    /// The power goes at every operation; what of the log survives is found by key, and nothing else.
    @Test
    void afterACrashAtAnyOperationEveryStoredMessageIsFound() throws OpenFailed {
        long operations = Long.MAX_VALUE;
        for (long k = 0; k < operations; k += 2) {
            FaultDisk one = new FaultDisk();
            one.cutPowerAt(k);
            try {
                Rig rig = new Rig(one, Rig.TINY);
                for (int i = 0; i < 5; i++) {
                    send(rig, i * 10, i * 10 + 10);
                    rig.pass(i % 2 == 0 ? 1100 : 600);
                }
                rig.pass(1100);
                rig.store.close();
                operations = one.operations();
            } catch (FaultDisk.PowerCut cut) {
                assertThat(one.isDead()).isTrue();
            }
            FaultDisk lost = one.afterPowerLoss(new SplittableRandom(k));
            assertStoredAreFound(lost, "power lost at " + k, k);
            assertStoredAreFound(one.afterKill(), "killed at " + k, k);
        }
    }

    private static void assertStoredAreFound(FaultDisk one, String when, long seed) throws OpenFailed {
        Rig rig = new Rig(one, Rig.TINY);
        int stored = rig.read(rig.queue("orders", 0), 0).size()
                + rig.read(rig.queue("orders", 1), 0).size();
        assertAllFound(rig, 0, stored, when);
        assertThat(rig.find("orders", "k-" + stored)).as(when).isEmpty();
        send(rig, stored, stored + 25);
        rig.pass(1100);
        assertAllFound(rig, 0, stored + 25, when + ", going on");
        // Another loss of power, with what went on in between.
        Rig again = new Rig(one.afterPowerLoss(new SplittableRandom(seed + 1)), Rig.TINY);
        int kept = again.read(again.queue("orders", 0), 0).size()
                + again.read(again.queue("orders", 1), 0).size();
        assertAllFound(again, 0, kept, when + ", and lost once more");
        work(again);
        assertAllFound(again, 0, kept, when + ", and looked after");
        assertThat(again.notices).as(when).noneMatch(told -> told.startsWith("ALARM"));
    }

    /// R042
    @Test
    void theCheckpointNeverNamesKeysThatAreNotOnDisk() throws OpenFailed {
        disk.failSyncsOf(file -> file.path().startsWith("index/"));
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, 0, 10);
        rig.pass(1500);
        send(rig, 10, 20);
        rig.pass(1500);
        ByteBuffer checkpoint = ByteBuffer.wrap(disk.bytes("checkpoint"));
        assertThat(checkpoint.getLong(0)).as("the log's time").isPositive();
        assertThat(checkpoint.getLong(16)).as("the index's time").isZero();
        assertThat(rig.notices).anyMatch(told -> told.startsWith("ALARM The key index could not be written"));
        assertAllFound(rig, 0, 20, "from memory");
        Rig again = new Rig(disk.afterPowerLoss(new SplittableRandom(1)), Rig.TINY);
        assertAllFound(again, 0, 20, "after the loss");
    }

    /// R063, for the key index.
    @Test
    void aFullDiskDelaysTheIndexAndNothingElse() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        disk.fullFor(file -> file.path().startsWith("index/"));
        send(rig, 0, 10);
        rig.pass(1500);
        assertThat(rig.store.state()).isInstanceOf(State.Serving.class);
        assertAllFound(rig, 0, 10, "from memory");
        disk.fullFor(_ -> false);
        rig.pass(1500);
        assertThat(indexFiles(disk)).hasSize(1);
        Rig again = new Rig(disk.afterKill(), Rig.TINY);
        assertAllFound(again, 0, 10, "from the file");
    }

    @Test
    void filesGoWithTheMessagesTheyLeadTo() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withSegmentBytes(4096));
        send(rig, 0, 200);
        rig.store.close();
        List<String> files = indexFiles(disk);
        disk.remove("commitlog/00000000000000000000");
        disk.remove("commitlog/00000000000000004096");
        disk.remove("commitlog/00000000000000008192");
        Rig again = new Rig(disk, Rig.TINY);
        work(again);
        assertThat(indexFiles(disk))
                .isSubsetOf(files)
                .hasSizeLessThan(files.size())
                .isNotEmpty();
        assertThat(again.find("orders", "k-0")).isEmpty();
        assertThat(again.find("orders", "k-199")).containsExactly("m199");
    }

    @Test
    void aKeyThatManyMessagesShareIsFoundNewestFirst() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withTimes(Duration.ofSeconds(5), Duration.ofMillis(1), Duration.ofMillis(1)));
        for (int i = 0; i < 300; i++) {
            rig.sendKeyed(rig.queue("orders", 0), "", "same", "m" + i);
        }
        rig.pass(100);
        rig.pass(100);
        List<String> found = rig.find("orders", "same");
        assertThat(found).hasSize(64).startsWith("m299", "m298").endsWith("m236");
    }
}
