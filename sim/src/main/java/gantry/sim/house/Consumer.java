package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.check.QueueName;
import gantry.sim.check.Stored;
import gantry.sim.net.SimNet;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Consumes every queue of a topic for one group: asks where the group is, pulls with long polling, commits.
///
/// For:   the ledger's right side.
/// Owner: the scheduler's thread.
final class Consumer extends Client {
    private static final long PAUSE = 300 * SimScheduler.MILLI;
    private static final long SUSPEND_MILLIS = 4_000;

    /// One queue's state.
    private final class Reader {
        final QueueName queue;
        /// The next wanted offset; -1 until the group's offset is known.
        long next = -1;
        /// What was promised to be committed.
        long committed = -1;

        Reader(int queueId) {
            queue = new QueueName(topic, queueId);
        }
    }

    private final String group;
    private final boolean commitsOnPull;
    private final LongSupplier confirmOffset;
    private final Ledger ledger;
    private final OffsetLedger offsets;
    private final List<Reader> readers = new ArrayList<>();

    /// @param commitsOnPull progress rides on pulls, instead of requests of its own
    Consumer(
            SimScheduler scheduler,
            SimNet net,
            Endpoint nameserver,
            String host,
            int number,
            String topic,
            String group,
            boolean commitsOnPull,
            LongSupplier confirmOffset,
            Ledger ledger,
            OffsetLedger offsets) {
        super(scheduler, net, nameserver, host, number, topic);
        this.group = group;
        this.commitsOnPull = commitsOnPull;
        this.confirmOffset = confirmOffset;
        this.ledger = ledger;
        this.offsets = offsets;
    }

    void begin() {
        scheduler.after(1 + random.nextLong(PAUSE), life, "looks for its topic", this::look);
    }

    /// How far it has come in a queue.
    long next(int queueId) {
        return queueId < readers.size() ? readers.get(queueId).next : -1;
    }

    @Override
    boolean createsTopic() {
        return false;
    }

    @Override
    Command heartbeat() {
        return Requests.consumerHeartbeat(life.toString(), group, topic);
    }

    /// Starts to read the queues that are new.
    private void look() {
        if (broker() != null) {
            while (readers.size() < queues()) {
                Reader reader = new Reader(readers.size());
                readers.add(reader);
                query(reader);
            }
        }
        scheduler.after(PAUSE, life, "looks for its topic", this::look);
    }

    private void query(Reader reader) {
        Conversation to = broker();
        if (to == null) {
            again(() -> query(reader));
            return;
        }
        long floor = offsets.floor(group, reader.queue);
        to.ask(Requests.query(group, topic, reader.queue.queueId()), PATIENCE, answer -> {
            if (answer == null) {
                lostBroker();
                query(reader);
            } else if (answer.code() == ResponseCodes.SUCCESS || answer.code() == ResponseCodes.QUERY_NOT_FOUND) {
                long shown = answer.code() == ResponseCodes.SUCCESS ? number(answer, "offset") : -1;
                offsets.shown(group, reader.queue, shown, floor);
                reader.next = Math.max(shown, 0);
                pull(reader);
            } else {
                again(() -> query(reader));
            }
        });
    }

    private void pull(Reader reader) {
        Conversation to = broker();
        if (to == null) {
            again(() -> pull(reader));
            return;
        }
        long progress = commitsOnPull && reader.next > 0 ? reader.next : -1;
        Command request = Requests.pull(group, topic, reader.queue.queueId(), reader.next, progress, SUSPEND_MILLIS);
        to.ask(request, PATIENCE + SUSPEND_MILLIS * SimScheduler.MILLI, answer -> pulled(reader, answer));
    }

    private void pulled(Reader reader, @Nullable Command answer) {
        if (answer == null) {
            lostBroker();
            again(() -> pull(reader));
            return;
        }
        switch (answer.code()) {
            case ResponseCodes.SUCCESS -> {
                take(reader, answer);
                commit(reader);
                scheduler.after(1 + random.nextLong(20 * SimScheduler.MILLI), life, "pulls on", () -> pull(reader));
            }
            case ResponseCodes.PULL_NOT_FOUND, ResponseCodes.PULL_RETRY_IMMEDIATELY -> again(() -> pull(reader));
            case ResponseCodes.PULL_OFFSET_MOVED -> {
                moved(reader, number(answer, "nextBeginOffset"));
                again(() -> pull(reader));
            }
            default -> again(() -> pull(reader));
        }
    }

    private void take(Reader reader, Command answer) {
        List<Stored> messages = new ArrayList<>();
        LogContents.parse(ByteBuffer.wrap(answer.body()), messages);
        for (Stored message : messages) {
            if (message.queueOffset() != reader.next) {
                throw new SimFailure(
                        "P3 " + reader.queue + " gives " + message.queueOffset() + " where " + reader.next + " is due");
            }
            if (message.endOffset() > confirmOffset.getAsLong()) {
                throw new SimFailure("P2 " + reader.queue + ":" + message.queueOffset() + " is shown, but ends at "
                        + message.endOffset() + ", above confirmOffset " + confirmOffset.getAsLong());
            }
            ledger.seen(reader.queue, message);
            reader.next++;
        }
        if (messages.isEmpty() || number(answer, "nextBeginOffset") != reader.next) {
            throw new SimFailure(
                    "P3 a pull of " + reader.queue + " ends at " + reader.next + ", but says " + answer.fields());
        }
    }

    /// The broker says that our offset is not one of the queue: only right when messages were lost where that
    /// is allowed.
    private void moved(Reader reader, long next) {
        if (next < reader.next && ledger.lostCount() == 0) {
            throw new SimFailure(
                    "P2 " + reader.queue + " goes back to " + next + " though " + reader.next + " was reached");
        }
        reader.next = next;
        reader.committed = Math.min(reader.committed, next);
    }

    private void commit(Reader reader) {
        Conversation to = broker();
        if (commitsOnPull || to == null || random.nextInt(3) != 0 || reader.next <= reader.committed) {
            return;
        }
        long offset = reader.next;
        long lost = ledger.lostCount();
        reader.committed = offset;
        to.ask(Requests.commit(group, topic, reader.queue.queueId(), offset), PATIENCE, answer -> {
            if (answer != null && answer.code() == ResponseCodes.SUCCESS && lost == ledger.lostCount()) {
                offsets.committed(group, reader.queue, offset);
            }
        });
    }

    private void again(Runnable work) {
        scheduler.after(1 + random.nextLong(PAUSE), life, "tries again", work);
    }

    private static long number(Command answer, String field) {
        String text = answer.fields().get(field);
        if (text == null) {
            throw new SimFailure("an answer has no " + field + ": " + answer);
        }
        return Long.parseLong(text);
    }
}
