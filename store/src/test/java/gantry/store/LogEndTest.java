package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Shows where recovery ends the log when something of its un-synced end is wrong, and that nothing behind that place
/// ever comes back.
class LogEndTest {
    private static final String SEGMENT = "commitlog/" + Names.ofOffset(0);

    private final FaultDisk disk = new FaultDisk();

    private static AppendBatch send(Rig rig, String tag, String body) {
        return rig.sendTagged(rig.queue("a", 0), tag, body);
    }

    @Test
    void messageBehindATornOneIsGoneForGood() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        rig.send(rig.queue("a", 0), "first");
        long torn = rig.send(rig.queue("a", 0), "torn ").logOffset(0);
        rig.send(rig.queue("b", 0), "behind");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(SEGMENT, torn + 90, (byte) 1);

        Rig second = new Rig(crashed, Rig.TINY);
        assertThat(second.store.appended()).isEqualTo(torn);
        assertThat(crashed.bytes(SEGMENT)).endsWith(new byte[(int) (4096 - torn)]);
        // As long as the torn one was, so that the message behind would follow on it without a seam.
        second.send(second.queue("c", 0), "fills");
        assertThat(second.store.appended()).isEqualTo(torn + 97);

        Rig third = new Rig(crashed.afterKill(), Rig.TINY);
        assertThat(third.read(third.queue("a", 0), 0)).containsExactly("first");
        assertThat(third.read(third.queue("c", 0), 0)).containsExactly("fills");
        assertThat(third.queue("b", 0).maxOffset()).isZero();
        assertThat(second.warnings()).singleElement().asString().contains("/store/" + SEGMENT, "at byte " + torn);
    }

    @Test
    void messageWithAHoleInItsPropertiesEndsTheLog() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, "t", "first");
        AppendBatch holed = send(rig, "p".repeat(1500), "second");
        send(rig, "t", "third");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(SEGMENT, 1024, new byte[512]);

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(again.store.appended()).isEqualTo(holed.logOffset(0));
        assertThat(again.read(again.queue("a", 0), 0)).containsExactly("first");
        assertThat(again.warnings()).singleElement().asString().contains("a message with a hole");
    }

    @Test
    void messageWhosePropertiesBreakOffEndsTheLog() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, "t", "first");
        AppendBatch broken = send(rig, "p".repeat(100), "second");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(SEGMENT, broken.endOffset() - 10, new byte[10]);

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(again.store.appended()).isEqualTo(broken.logOffset(0));
    }

    @Test
    void messageWhoseTopicIsTornEndsTheLog() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch broken = rig.send(rig.queue("a-long-topic", 0), "");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(SEGMENT, broken.endOffset() - 2 - 5, new byte[5]);

        assertThat(new Rig(crashed, Rig.TINY).store.appended()).isZero();
    }

    @Test
    void zerosInsideAPropertyAreNoHole() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        String tag = "p".repeat(600) + "\0\0\0" + "q";
        AppendBatch batch = rig.batch();
        Rig.put(batch, rig.queue("a", 0), tag, "x".getBytes(StandardCharsets.UTF_8), false);
        rig.store.append(batch);

        Rig again = new Rig(disk.afterKill(), Rig.TINY);
        assertThat(again.read(again.queue("a", 0), 0)).containsExactly("x");
    }

    @Test
    void checkpointedPartOfTheLogIsNotLookedThroughAgain() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch first = send(rig, "t", "first");
        rig.pass(600);
        rig.pass(1100);
        send(rig, "t", "second");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(SEGMENT, first.logOffset(0) + 89, (byte) 'F');

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(again.queue("a", 0).maxOffset()).isEqualTo(2);
        assertThat(again.store
                        .fetch(again.queue("a", 0), new FetchRequest(1, 1, 1, TagCodes.ANY), (_, _) -> {})
                        .status())
                .isEqualTo(Fetch.Status.FOUND);
    }

    @Test
    void recordOfAPreparedTransactionGetsNoQueueEntryAgain() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        AppendBatch batch = rig.send(rig.queue("a", 0), "half");
        FaultDisk crashed = disk.afterKill();
        // Bits 0xC of the flags: PREPARED is 4.
        crashed.overwrite(SEGMENT, batch.logOffset(0) + 39, (byte) 4);

        Rig again = new Rig(crashed, Rig.TINY);
        assertThat(again.store.appended()).isEqualTo(batch.endOffset());
        assertThat(again.queue("a", 0).maxOffset()).isZero();
    }

    @Test
    void entriesMadeAgainFollowTheBrokersRule() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        send(rig, "t", "x");
        FaultDisk crashed = disk.afterKill();
        Store again = Store.open(
                Rig.TINY, crashed, rig, Runnable::run, rig, (_, _) -> {}, _ -> {}, record -> record.storeMillis() + 1);
        ConsumeQueue queue = again.queue("a", 0);
        TagCodes due = TagCodes.of(rig.wallMillis + 1);

        assertThat(again.fetch(queue, new FetchRequest(0, 1, 1, due), (_, _) -> {})
                        .status())
                .isEqualTo(Fetch.Status.FOUND);
    }

    @Test
    void diskThatHangsIsNamed() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY.withDurability(Durability.SYNCED));
        disk.letSyncsWait();
        send(rig, "t", "x");
        rig.pass(7_000);
        assertThat(rig.notices).isEmpty();
        rig.pass(1_500);
        rig.pass(1_000);
        assertThat(rig.notices)
                .singleElement()
                .asString()
                .startsWith("ALARM")
                .contains("/store/" + SEGMENT, "has not come back for 8 s");
    }
}
