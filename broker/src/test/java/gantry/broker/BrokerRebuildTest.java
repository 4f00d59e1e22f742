package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What clients and operators see of a broker whose consume queues were lost, all of them, with its own state's.
class BrokerRebuildTest {
    private static final int COUNT = 60;
    private static final StoreConfig STORE = StoreConfig.DEFAULT
            .withSegmentBytes(1 << 16)
            .withQueueFileBytes(400)
            .withRebuildPiece(1 << 14);

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private BrokerKit kit;
    private BrokerKit.Client client;
    private FileDisk disk;

    @BeforeEach
    void start() throws Exception {
        open();
        for (int i = 0; i < COUNT; i++) {
            client.ask(send());
        }
        client.ask(Command.request(RequestCodes.UPDATE_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, "G")
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, 0)
                .with(FieldNames.COMMIT_OFFSET, 17));
    }

    private void open() throws Exception {
        disk = new FileDisk(folder);
        kit = new BrokerKit(disk, clock, STORE);
        client = kit.connect();
    }

    private void loseQueuesWhileStopped() throws Exception {
        kit.stop();
        disk.close();
        try (Stream<Path> all = Files.walk(folder.resolve("consumequeue"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Command send() {
        return BrokerKit.send("orders", new byte[4000]);
    }

    private Command pull(long offset) {
        return client.ask(BrokerKit.pull("G", "orders", 0, offset).with(FieldNames.MAX_MSG_NUMS, 1));
    }

    private Map<String, String> status() throws Exception {
        Command answer = client.ask(Command.request(RequestCodes.GET_BROKER_RUNTIME_INFO));
        return KeyValueTable.fromJson(Json.read(answer.body())).table();
    }

    @Test
    void brokerServesAtOnceSaysWhatItRebuildsAndIsWellAgainByItself() throws Exception {
        loseQueuesWhileStopped();
        open();

        assertThat(status().get("gantry.state")).isEqualTo("rebuilding queues");
        assertThat(status().get("gantry.stateReason")).contains("orders/0", "ends by itself");
        Command early = pull(COUNT - 1);
        assertThat(early.code()).isEqualTo(ResponseCodes.SYSTEM_BUSY);
        assertThat(early.remark()).startsWith("REBUILDING");
        assertThat(client.ask(send()).field(FieldNames.QUEUE_OFFSET)).isEqualTo(Integer.toString(COUNT));
        assertThat(pull(COUNT).code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(client.ask(Command.request(RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP)
                                .with(FieldNames.TOPIC, "orders")
                                .with(FieldNames.QUEUE_ID, 0)
                                .with(FieldNames.TIMESTAMP, 0))
                        .code())
                .isEqualTo(ResponseCodes.SYSTEM_BUSY);

        kit.pass(Duration.ofSeconds(10));
        assertThat(status().get("gantry.state")).isEqualTo("serving");
        for (int offset = 0; offset <= COUNT; offset++) {
            assertThat(pull(offset).code()).as("offset " + offset).isEqualTo(ResponseCodes.SUCCESS);
        }
        kit.stop();
        disk.close();
    }

    @Test
    void brokersOwnStateIsFoundInItsLostQueueWhenItIsNeeded() throws Exception {
        loseQueuesWhileStopped();
        deleteAll(folder.resolve("config"));
        open();

        assertThat(client.ask(Command.request(RequestCodes.QUERY_CONSUMER_OFFSET)
                                .with(FieldNames.CONSUMER_GROUP, "G")
                                .with(FieldNames.TOPIC, "orders")
                                .with(FieldNames.QUEUE_ID, 0))
                        .field(FieldNames.OFFSET))
                .isEqualTo("17");
        kit.stop();
        disk.close();
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
