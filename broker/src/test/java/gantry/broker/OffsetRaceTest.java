package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.RequestCodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// R057: the first commits of a group, for two queues, come at the same time from two clients; none is lost,
/// also after a restart.
class OffsetRaceTest {
    private static final int ROUNDS = 100;
    private static final StoreConfig STORE = StoreConfig.DEFAULT.withSegmentBytes(1 << 20);

    @TempDir
    Path folder;

    private static Command offset(int code, int round, int queueId) {
        return Command.request(code)
                .with(FieldNames.CONSUMER_GROUP, "G" + round)
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, queueId);
    }

    private static void assertCommitted(BrokerKit.Client client) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int queueId = 0; queueId < 2; queueId++) {
                assertThat(client.ask(offset(RequestCodes.QUERY_CONSUMER_OFFSET, round, queueId))
                                .field(FieldNames.OFFSET))
                        .as("round %d, queue %d", round, queueId)
                        .isEqualTo(Integer.toString(queueId + 1));
            }
        }
    }

    @Test
    void firstCommitsOfAGroupAtOnceAreAllKept() throws Exception {
        BrokerKit.HandClock clock = new BrokerKit.HandClock();
        try (FileDisk disk = new FileDisk(folder);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            BrokerKit kit = new BrokerKit(PromptDisk.of(disk), clock, STORE);
            BrokerKit.Client operator = kit.connect();
            operator.ask(Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                    .with(FieldNames.TOPIC, "orders")
                    .with(FieldNames.READ_QUEUE_NUMS, 2)
                    .with(FieldNames.WRITE_QUEUE_NUMS, 2)
                    .with(FieldNames.PERM, 6));
            for (int i = 0; i < 6; i++) {
                operator.ask(Command.request(RequestCodes.SEND_MESSAGE_V2)
                        .with("a", "PG")
                        .with("b", "orders")
                        .with("c", "TBW102")
                        .with("d", "2")
                        .with("e", Integer.toString(i % 2))
                        .with("f", "0")
                        .with("g", "1800000000000")
                        .with("h", "0")
                        .with("i", "")
                        .withBody(new byte[10]));
            }
            CyclicBarrier together = new CyclicBarrier(2);
            List<Future<Integer>> done = new ArrayList<>();
            for (int id = 0; id < 2; id++) {
                int queueId = id;
                BrokerKit.Client client = kit.connect();
                done.add(threads.submit(() -> {
                    int failed = 0;
                    for (int round = 0; round < ROUNDS; round++) {
                        together.await();
                        // Without an answer, as official clients do it.
                        client.say(offset(RequestCodes.UPDATE_CONSUMER_OFFSET, round, queueId)
                                .with(FieldNames.COMMIT_OFFSET, queueId + 1)
                                .withFlags(FrameFlags.ONEWAY));
                        failed += client.closedWith.size();
                    }
                    return failed;
                }));
            }
            for (Future<Integer> each : done) {
                assertThat(each.get()).isZero();
            }
            assertCommitted(operator);
            kit.stop();
            BrokerKit again = new BrokerKit(PromptDisk.of(disk), clock, STORE);
            assertCommitted(again.connect());
            again.stop();
        }
    }
}
