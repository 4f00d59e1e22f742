package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.sim.Life;
import gantry.sim.SimFailure;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What producers and consumers have in common: a machine, a route, and a conversation with the broker it names.
///
/// For:   finding the broker by its route, and finding it again.
/// Owner: the scheduler's thread.
abstract class Client {
    static final long PATIENCE = 3 * SimScheduler.SECOND;
    private static final long ROUTE_RETRY = 500 * SimScheduler.MILLI;
    private static final long HEARTBEAT_NANOS = 5 * SimScheduler.SECOND;
    private static final String DEFAULT_TOPIC = "TBW102";

    final SimScheduler scheduler;
    final RandomGenerator random;
    final Life life;
    final String topic;
    private final Network network;
    private final Conversation nameserver;
    private @Nullable Conversation broker;
    private int queues;
    private boolean asking;

    Client(SimScheduler scheduler, SimNet net, Endpoint nameserver, String host, int number, String topic) {
        this.scheduler = scheduler;
        this.life = new Life(host, number);
        this.random = scheduler.fork(life + "/client");
        this.network = net.network(life);
        this.topic = topic;
        this.nameserver = new Conversation(scheduler, life, network, nameserver);
    }

    /// The broker of the topic, or null: then a route is being looked for, and trying again later may help.
    final @Nullable Conversation broker() {
        Conversation known = broker;
        if (known == null && !asking) {
            asking = true;
            askRoute(topic);
        }
        return known;
    }

    /// How many queues the topic has; 0 until it exists.
    final int queues() {
        return queues;
    }

    /// The broker did not answer: its route is asked for again.
    final void lostBroker() {
        broker = null;
    }

    private void askRoute(String wanted) {
        nameserver.ask(Requests.route(wanted), PATIENCE, answer -> {
            if (answer == null) {
                askAgain();
            } else if (isUnknown(answer) && wanted.equals(topic) && createsTopic()) {
                askRoute(DEFAULT_TOPIC);
            } else if (answer.code() == ResponseCodes.SUCCESS) {
                found(wanted, answer);
            } else {
                askAgain();
            }
        });
    }

    /// As an official producer, which goes by the default topic whatever the refusal is.
    private static boolean isUnknown(Command answer) {
        return answer.code() == ResponseCodes.TOPIC_NOT_EXIST || answer.code() == ResponseCodes.SYSTEM_ERROR;
    }

    private void askAgain() {
        scheduler.after(ROUTE_RETRY, life, "asks for the route again", () -> {
            asking = false;
            broker();
        });
    }

    /// Whether a send to the default topic's broker is how the topic comes to be.
    abstract boolean createsTopic();

    private void found(String wanted, Command answer) {
        TopicRoute route;
        try {
            route = TopicRoute.fromJson(Json.read(answer.body()));
        } catch (JsonFault e) {
            throw new SimFailure("the nameserver's route cannot be read: " + e.sentence(), e);
        }
        if (route.brokers().isEmpty() || route.queues().isEmpty()) {
            askAgain();
            return;
        }
        String address = route.brokers().getFirst().addresses().get(BrokerAddresses.MASTER_ID);
        if (address == null) {
            askAgain();
            return;
        }
        asking = false;
        queues = wanted.equals(topic) ? route.queues().getFirst().writeQueues() : 0;
        broker = new Conversation(scheduler, life, network, Endpoint.parse(address));
        beat();
    }

    private void beat() {
        Conversation now = broker;
        if (now != null) {
            now.ask(heartbeat(), PATIENCE, answer -> {});
            scheduler.after(HEARTBEAT_NANOS, life, "heartbeat", () -> {
                if (broker == now) {
                    beat();
                }
            });
        }
    }

    abstract Command heartbeat();
}
