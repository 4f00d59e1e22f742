package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.ConsumeQueue;
import gantry.store.OpenFailed;
import gantry.store.RetentionConfig;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What clients and the next start see of a broker whose log has lost its head.
class BrokerRetentionTest {
    private static final int SEGMENT_BYTES = 1 << 16;
    private static final StoreConfig STORE = StoreConfig.DEFAULT
            .withSegmentBytes(SEGMENT_BYTES)
            .withQueueFileBytes(400)
            .withRetention(RetentionConfig.DEFAULT
                    .keeping(Duration.ofDays(3), 2 * SEGMENT_BYTES)
                    .withFreeBytes(0, 0));

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private BrokerKit kit;
    private BrokerKit.Client client;
    private FileDisk disk;

    @BeforeEach
    void start() throws Exception {
        open();
        for (int i = 0; i < 100; i++) {
            client.ask(send());
        }
    }

    private void open() throws Exception {
        disk = new FileDisk(folder);
        kit = new BrokerKit(disk, clock, STORE);
        client = kit.connect();
    }

    private void stop() {
        kit.stop();
        disk.close();
    }

    private static Command send() {
        return BrokerKit.send("orders", new byte[4000]);
    }

    private Command offsets(int code) {
        return Command.request(code)
                .with(FieldNames.CONSUMER_GROUP, "G")
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, 0);
    }

    /// The disk syncs on threads of its own, so ticks go on until it has done what retention waits for.
    private ConsumeQueue loseTheHead() {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (kit.node.store().appended() - kit.node.store().minOffset() > 2 * SEGMENT_BYTES) {
            assertThat(System.nanoTime()).as("retention acts").isLessThan(end);
            kit.pass(Duration.ofSeconds(3));
        }
        ConsumeQueue queue = Objects.requireNonNull(kit.node.store().find("orders", 0));
        assertThat(queue.minOffset()).isPositive();
        return queue;
    }

    @Test
    void whoPullsBelowWhatIsKeptIsToldWhereTheQueueBegins() {
        ConsumeQueue queue = loseTheHead();

        Command pulled = client.ask(BrokerKit.pull("G", "orders", 0, 0));

        assertThat(pulled.code()).isEqualTo(ResponseCodes.PULL_OFFSET_MOVED);
        assertThat(pulled.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo(Long.toString(queue.minOffset()));
        stop();
    }

    @Test
    void topicsAndOffsetsWhoseFactsWentWithTheHeadAreThereAfterARestart() throws Exception {
        client.ask(offsets(RequestCodes.UPDATE_CONSUMER_OFFSET).with(FieldNames.COMMIT_OFFSET, 77));
        for (int i = 0; i < 50; i++) {
            client.ask(send());
        }
        loseTheHead();

        stop();
        open();

        assertThat(client.ask(offsets(RequestCodes.QUERY_CONSUMER_OFFSET)).field(FieldNames.OFFSET))
                .isEqualTo("77");
        assertThat(client.ask(send()).field(FieldNames.QUEUE_OFFSET)).isEqualTo("150");
        stop();
    }

    @Test
    void brokerWhoseExportedStateWasTakenAwayDoesNotStartAsIfThereHadBeenNone() {
        loseTheHead();
        stop();
        for (File file :
                List.of(Objects.requireNonNull(folder.resolve("config").toFile().listFiles()))) {
            assertThat(file.delete()).isTrue();
        }

        assertThatThrownBy(this::open).isInstanceOf(OpenFailed.class).hasMessageContaining("config/");
    }
}
