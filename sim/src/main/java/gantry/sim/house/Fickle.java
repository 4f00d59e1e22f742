package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;
import gantry.wire.frame.Command;

/// Sends to a topic, deletes it while messages are on their way, and sends to it again.
///
/// For:   members whose queues are numbered alike whenever a topic goes and comes again.
/// Owner: the scheduler's thread.
/// Never: in the ledger: its messages may go at any time.
final class Fickle extends Client {
    static final String TOPIC = "fickle";

    private static final int QUEUES = 2;
    private static final long PAUSE = 100 * SimScheduler.MILLI;
    private static final int SENDS_TO_A_DELETION = 15;

    private int sent;
    private int deleted;
    private boolean stopped;

    Fickle(SimScheduler scheduler, SimNet net, Endpoint nameserver) {
        super(scheduler, net, nameserver, "10.0.1.99", 1, TOPIC);
    }

    void begin() {
        stopped = false;
        scheduler.after(1 + random.nextLong(2 * PAUSE), life, "sends or deletes", this::turn);
    }

    void stop() {
        stopped = true;
    }

    /// How often its topic was deleted.
    int deleted() {
        return deleted;
    }

    @Override
    boolean createsTopic() {
        return true;
    }

    @Override
    Command heartbeat() {
        return Requests.producerHeartbeat("fickle");
    }

    private void turn() {
        if (stopped) {
            return;
        }
        Conversation to = broker();
        if (to != null) {
            for (int i = random.nextInt(4); i > 0; i--) {
                send(to);
            }
            if (random.nextInt(SENDS_TO_A_DELETION) == 0) {
                to.ask(Requests.deleteTopic(TOPIC), PATIENCE, answer -> deleted += answer == null ? 0 : 1);
                send(to);
            }
        }
        scheduler.after(1 + random.nextLong(2 * PAUSE), life, "sends or deletes", this::turn);
    }

    private void send(Conversation to) {
        String key = "f-" + ++sent;
        Command request = Requests.send(TOPIC, random.nextInt(QUEUES), QUEUES, key, Requests.body(key, 200));
        to.ask(request, PATIENCE, answer -> {
            if (answer == null) {
                lostBroker();
            }
        });
    }
}
