package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.QueueName;
import gantry.sim.net.SimNet;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.OffsetMessageId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends messages of all kinds, several at a time, and writes down which were acknowledged.
///
/// For:   the ledger's left side.
/// Owner: the scheduler's thread.
/// Never: sends one attempt twice: what is not acknowledged may be stored or not, and is let go.
final class Producer extends Client {
    private static final int MOST_IN_FLIGHT = 8;
    private static final int MOST_IN_BATCH = 5;

    private final Ledger ledger;
    private final Plan plan;
    private final int number;
    private int lastKey;
    private int inFlight;
    private long acknowledged;
    private boolean stopped;
    private boolean waits;

    Producer(
            SimScheduler scheduler,
            SimNet net,
            Endpoint nameserver,
            int number,
            Plan plan,
            String topic,
            Ledger ledger) {
        super(scheduler, net, nameserver, "10.0.1." + number, 1, topic);
        this.number = number;
        this.plan = plan;
        this.ledger = ledger;
    }

    void begin() {
        stopped = false;
        if (!waits) {
            turnIn(random.nextLong(plan.sendEveryNanos()));
        }
    }

    /// Until it begins again.
    void stop() {
        stopped = true;
    }

    private void turnIn(long nanos) {
        waits = true;
        scheduler.after(nanos, life, "sends", this::turn);
    }

    long acknowledged() {
        return acknowledged;
    }

    @Override
    boolean createsTopic() {
        return true;
    }

    @Override
    Command heartbeat() {
        return Requests.producerHeartbeat("producer-" + number);
    }

    private void turn() {
        waits = false;
        if (stopped) {
            return;
        }
        Conversation to = broker();
        int burst = random.nextInt(6) == 0 ? 1 + random.nextInt(MOST_IN_FLIGHT) : 1;
        while (to != null && burst-- > 0 && inFlight < MOST_IN_FLIGHT) {
            send(to);
        }
        turnIn(1 + random.nextLong(2 * plan.sendEveryNanos()));
    }

    private void send(Conversation to) {
        int queueId = random.nextInt(queues() == 0 ? plan.queues() : queues());
        int count = random.nextInt(5) == 0 ? 2 + random.nextInt(MOST_IN_BATCH - 1) : 1;
        List<String> keys = new ArrayList<>();
        List<byte[]> bodies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = "p" + number + "-" + ++lastKey;
            keys.add(key);
            bodies.add(Requests.body(key, random.nextInt(plan.largestPadding())));
            ledger.attempted(key);
        }
        Command request = count > 1
                ? Requests.sendBatch(topic, queueId, plan.queues(), keys, bodies)
                : random.nextInt(4) == 0
                        ? Requests.sendLong(topic, queueId, plan.queues(), keys.getFirst(), bodies.getFirst())
                        : Requests.send(topic, queueId, plan.queues(), keys.getFirst(), bodies.getFirst());
        inFlight++;
        to.ask(request, PATIENCE + 5 * SimScheduler.SECOND, answer -> {
            inFlight--;
            answered(answer, queueId, keys);
        });
    }

    private void answered(@Nullable Command answer, int queueId, List<String> keys) {
        if (answer == null) {
            lostBroker();
            return;
        }
        if (answer.code() != ResponseCodes.SUCCESS) {
            scheduler.trace(life + " is refused: " + answer.code() + " " + answer.remark());
            return;
        }
        QueueName queue = new QueueName(topic, Integer.parseInt(answer.fieldOr(FieldNames.QUEUE_ID, "-1")));
        if (queue.queueId() != queueId) {
            throw new SimFailure("a send to queue " + queueId + " is answered as " + queue);
        }
        long first = Long.parseLong(answer.fieldOr(FieldNames.QUEUE_OFFSET, "-1"));
        String[] ids = answer.fieldOr(FieldNames.MSG_ID, "").split(",", -1);
        if (ids.length != keys.size()) {
            throw new SimFailure("a send of " + keys.size() + " messages is answered with " + ids.length + " ids");
        }
        for (int i = 0; i < keys.size(); i++) {
            OffsetMessageId id = OffsetMessageId.parse(ids[i]);
            if (id == null) {
                throw new SimFailure("\"" + ids[i] + "\" is no message id");
            }
            ledger.acknowledged(queue, first + i, keys.get(i), id.logOffset() + House.LARGEST_RECORD_BYTES);
            acknowledged++;
        }
    }
}
