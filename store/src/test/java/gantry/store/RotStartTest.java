package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows that a start after a kill believes of a rotten record neither queue nor offset: every byte that says to which
/// queue a message belongs is turned over in a sealed file, in one bit and in several, while the start has to make
/// queue
/// entries again of what the log says.
class RotStartTest {
    private static final StoreConfig CONFIG = Rig.TINY;
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    /// One bit; two, by which `a` is `b` and offset 5 is 6; and all of them.
    private static final int[] TURNS = {1, 3, 0xFF};

    /// What the start has lost besides.
    enum Lost {
        NOTHING,
        /// Its queue's files, with what was written down of the ends of queues: the whole log is compared.
        QUEUE_AND_ENDS,
        /// The files of another queue, with the same.
        OTHER_QUEUE_AND_ENDS,
        /// Its queue's files: they are made again while the store serves.
        QUEUE,
        /// All queues' files.
        ALL_QUEUES,
        /// What was checkpointed after the first messages: the rest is given its entries again.
        CHECKPOINT
    }

    private final FaultDisk disk = new FaultDisk();
    private final Map<String, List<String>> sent = new TreeMap<>();
    private final Map<String, byte[]> early = new TreeMap<>();

    /// Queues `a/0`, `a/1` and `b/0`, of which each block has messages, in four sealed files and a begun one.
    private void fill() throws OpenFailed {
        Rig rig = new Rig(disk, CONFIG);
        for (int i = 0; i < 100; i++) {
            send(rig, i % 3 == 2 ? "b" : "a", i % 3 == 1 ? 1 : 0, "m" + i + "-" + "x".repeat(i % 7 * 8));
            if (i == 2) {
                rig.pass(600);
                rig.pass(1500);
                List.of("checkpoint", "checkpoint.queues").forEach(name -> early.put(name, disk.bytes(name)));
            }
        }
        for (int i = 0; i < 12; i++) {
            rig.pass(600);
        }
        assertThat(disk.files()).contains("commitlog/" + Names.ofOffset(3 * 4096));
    }

    private void send(Rig rig, String topic, int queueId, String body) {
        rig.send(rig.queue(topic, queueId), body);
        sent.computeIfAbsent(topic + "/" + queueId, _ -> new ArrayList<>()).add(body);
    }

    private static ConsumeQueue queue(Rig rig, String name) {
        return rig.queue(name.substring(0, 1), Integer.parseInt(name.substring(2)));
    }

    /// A kill, and what the disk has then.
    private FaultDisk killed(Lost lost, String name) {
        FaultDisk after = disk.afterKill();
        switch (lost) {
            case NOTHING -> {}
            case QUEUE_AND_ENDS -> {
                after.remove("checkpoint.queues");
                drop(after, name);
            }
            case OTHER_QUEUE_AND_ENDS -> {
                after.remove("checkpoint.queues");
                drop(after, "b/0");
            }
            case QUEUE -> drop(after, name);
            case ALL_QUEUES -> drop(after, "");
            case CHECKPOINT ->
                early.forEach((file, content) -> {
                    after.setLength(file, content.length);
                    after.overwrite(file, 0, content);
                });
        }
        return after;
    }

    private static void drop(FaultDisk disk, String queue) {
        disk.files().stream()
                .filter(file -> file.startsWith("consumequeue/" + queue))
                .forEach(disk::remove);
    }

    /// The record of a queue in the first file, and the bytes of it that say where it belongs.
    private static RecordView record(FaultDisk disk, String topic, int queueId, long queueOffset) {
        RecordView view = new RecordView();
        ByteBuffer bytes = ByteBuffer.wrap(disk.bytes(FIRST));
        for (int at = 0; view.wrap(bytes, at, bytes.limit(), true).isOk(); at += view.size()) {
            if (view.topic().equals(topic) && view.queueId() == queueId && view.queueOffset() == queueOffset) {
                return view;
            }
        }
        throw new AssertionError("no such record");
    }

    private static List<Integer> placesOfHead(RecordView record) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < record.topicLength(); i++) {
            places.add(record.topicOffset() + i);
        }
        for (int i = 0; i < Integer.BYTES; i++) {
            places.add(record.start() + MessageLayout.QUEUE_ID + i);
            places.add(record.start() + MessageLayout.FLAGS + i);
        }
        for (int i = 0; i < Long.BYTES; i++) {
            places.add(record.start() + MessageLayout.QUEUE_OFFSET + i);
        }
        return places;
    }

    private static void turn(FaultDisk disk, int at, int bits) {
        disk.overwrite(FIRST, at, (byte) (disk.bytes(FIRST)[at] ^ bits));
    }

    private static String at(Rig rig, ConsumeQueue queue, long offset) {
        List<String> bodies = new ArrayList<>();
        rig.store.fetch(
                queue,
                new FetchRequest(offset, 1, 1 << 20, TagCodes.ANY),
                (_, ranges) -> bodies.addAll(Rig.bodies(ranges)));
        return bodies.isEmpty() ? "" : bodies.getFirst();
    }

    private static Set<String> queuesOf(FaultDisk disk) {
        Set<String> names = new TreeSet<>();
        for (String file : disk.files()) {
            if (file.startsWith("consumequeue/")) {
                names.add(file.substring("consumequeue/".length(), file.lastIndexOf('/')));
            }
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource(Lost.class)
    void nothingOfWhatARottenRecordSaysIsBelieved(Lost lost) throws OpenFailed {
        fill();
        for (long offset : new long[] {1, 5}) {
            RecordView record = record(disk, "a", 1, offset);
            for (int bits : TURNS) {
                for (int place : placesOfHead(record)) {
                    FaultDisk rotten = killed(lost, "a/1");
                    turn(rotten, place, bits);
                    started(
                            rotten,
                            lost,
                            offset,
                            bits == 1,
                            lost + ", message " + offset + ", byte " + (place - record.start()) + " ^ " + bits);
                }
            }
        }
    }

    private void started(FaultDisk rotten, Lost lost, long rottenOffset, boolean isOneBit, String when)
            throws OpenFailed {
        Rig rig = new Rig(rotten, CONFIG).rebuilt();
        assertThat(rig.faults).as(when).isEmpty();
        if (lost != Lost.NOTHING) {
            assertThat(rig.store.rotten()).as(when).isNotEmpty();
            assertThat(rig.store.troubles()).as(when).anyMatch(trouble -> trouble.kind() == Trouble.Kind.BIT_ROT);
        }
        sent.forEach((name, bodies) -> {
            ConsumeQueue queue = queue(rig, name);
            assertThat(queue.maxOffset()).as("%s: end of %s", when, name).isEqualTo(bodies.size());
            for (int i = 0; i < bodies.size(); i++) {
                if (!(name.equals("a/1") && i == rottenOffset)) {
                    assertThat(at(rig, queue, i)).as("%s: %s %d", when, name, i).isEqualTo(bodies.get(i));
                }
            }
            assertThat(rig.send(queue, "new").queueOffset(0))
                    .as("%s: next of %s", when, name)
                    .isEqualTo(bodies.size());
        });
        rig.pass(600);
        rig.store.close();
        assertThat(queuesOf(rotten)).as(when).isEqualTo(sent.keySet());
        if (isOneBit || lost == Lost.NOTHING || lost == Lost.OTHER_QUEUE_AND_ENDS) {
            assertThat(entry(rotten, rottenOffset)).as(when).isEqualTo(entry(disk, rottenOffset));
        }
    }

    private static ByteBuffer entry(FaultDisk disk, long offset) {
        QueueFiles files = new QueueFiles("a", 1, CONFIG.queueFileBytes());
        return ByteBuffer.wrap(disk.bytes(files.fileOf(offset).path()))
                .slice((int) files.positionOf(offset), EntryChunk.ENTRY_BYTES);
    }

    /// A message that was only prepared is in no queue; rot does not make it one of a queue, or leave it out.
    @Test
    void flagsThatSayOfAnOrdinaryMessageThatItIsNoneAreNotBelieved() throws OpenFailed {
        fill();
        RecordView record = record(disk, "a", 1, 5);
        FaultDisk rotten = killed(Lost.ALL_QUEUES, "");
        turn(rotten, record.start() + MessageLayout.FLAGS + 3, MessageFlags.TRANSACTION_PREPARED);
        started(rotten, Lost.ALL_QUEUES, 5, true, "prepared");
    }
}
