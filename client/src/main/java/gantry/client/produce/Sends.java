package gantry.client.produce;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Sequencer;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.PublishQueues.PublishQueue;
import gantry.client.route.RouteSource;
import gantry.client.route.Routes;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Gets messages to brokers that take them.
///
/// For:   choosing queues, gathering messages into requests, and trying again elsewhere within each message's time.
/// Owner: its sequencer; `tick` comes several times a second.
/// Never: blocks; sends a message under a second name: whoever gets it twice can tell.
/// Holds: SEND-1 every message ends: with a receipt or a failure, at its deadline at the latest; SEND-2 messages with
///        one order key are never in two requests at a time.
///
/// ```
///   send ──▶ lane of the topic ── a broker has a free slot ──▶ request ── stored ──▶ receipts
///              ▲   (or of the order key's slot)                  │
///              └── back to the front, the broker is left out ◀──┴─ refused for now, or no answer in time
/// ```
/// While fewer than `SLOTS` requests are on their way to a broker a message leaves at once; later ones gather.
final class Sends {
    /// Requests on their way to one broker for one topic.
    static final int SLOTS = 2;

    /// An order key is one of so many per topic; messages of one number follow one another.
    static final int ORDER_SLOTS = 1024;

    /// Messages that are not confirmed yet; more are refused.
    static final int MOST_OUTGOING = 100_000;

    /// Their bytes.
    static final long MOST_OUTGOING_BYTES = 128L * 1024 * 1024;

    /// How long one try may take when there is no other broker to try.
    private static final Duration ONLY_BROKER = Duration.ofSeconds(3);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration ROUTE_PATIENCE = Duration.ofSeconds(3);

    /// A route that is used is kept; who keeps them is told so often.
    private static final Duration USED_EVERY = Duration.ofMinutes(1);

    private static final String CLOSED = "this client is closed";

    private record Flight(Endpoint broker, String topic) {}

    private record LaneKey(String topic, @Nullable Integer slot) {}

    private final RemotingClient client;
    private final RouteSource routes;
    private final String group;
    private final Clock clock;
    private final Sequencer sequencer;
    private final BrokerHealth health = new BrokerHealth();
    private final Map<LaneKey, Lane> lanes = new LinkedHashMap<>();
    private final Map<Flight, Integer> flights = new LinkedHashMap<>();
    /// Topics that were sent to since the last look, so that their routes are kept.
    private final Set<String> used = new LinkedHashSet<>();
    private long usedNanos;
    private int outgoing;
    private long outgoingBytes;
    private int turn;
    private boolean closed;

    Sends(RemotingClient client, RouteSource routes, String group, int turn, Sequencer.Faults faults) {
        this.client = client;
        this.routes = routes;
        this.group = group;
        this.clock = client.clock();
        this.turn = turn;
        this.sequencer = new Sequencer("sends", Runnable::run, faults);
    }

    void send(Outgoing one) {
        boolean taken = sequencer.submit(() -> {
            if (closed) {
                refuse(one, CLOSED);
                return;
            }
            if (outgoing >= MOST_OUTGOING || outgoingBytes >= MOST_OUTGOING_BYTES) {
                refuse(one, outgoing + " messages with " + outgoingBytes + " bytes are not confirmed yet");
                return;
            }
            outgoing++;
            outgoingBytes += one.message.sizeBytes();
            Lane lane = lanes.computeIfAbsent(key(one), key -> new Lane(key.topic, key.slot));
            lane.add(one);
            pump(lane);
        });
        if (!taken) {
            one.receipt.completeExceptionally(CallFailed.because("this client has too much to do"));
        }
    }

    /// From now on nothing is sent, nor tried again.
    void close() {
        sequencer.runAndWait(() -> {
            closed = true;
            for (Lane lane : lanes.values()) {
                while (!lane.isEmpty()) {
                    lane.take().forEach(each -> fail(each, CallFailed.because(CLOSED)));
                }
            }
        });
    }

    void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            for (Lane lane : new ArrayList<>(lanes.values())) {
                for (Outgoing late : lane.takeLate(now)) {
                    fail(late, late.late());
                }
                if (lane.isIdle()) {
                    lanes.remove(new LaneKey(lane.topic, lane.slot), lane);
                } else {
                    pump(lane);
                }
            }
            keepRoutes(now);
        });
    }

    private void keepRoutes(long nowNanos) {
        if (nowNanos - usedNanos >= USED_EVERY.toNanos()) {
            usedNanos = nowNanos;
            List<String> topics = List.copyOf(used);
            used.clear();
            sequencer.after(() -> topics.forEach(topic -> routes.find(topic, ROUTE_PATIENCE)));
        }
    }

    private static LaneKey key(Outgoing one) {
        String orderKey = one.message.orderKey();
        Integer slot = orderKey == null ? null : Math.floorMod(orderKey.hashCode(), ORDER_SLOTS);
        return new LaneKey(one.message.topic(), slot);
    }

    /// Sends what can leave now.
    private void pump(Lane lane) {
        long now = clock.nanos();
        while (!lane.isEmpty() && !isPausing(lane, now)) {
            if (lane.isOrdered() && lane.inFlight > 0) {
                return;
            }
            PublishQueues queues = queues(lane, now);
            if (queues == null) {
                return;
            }
            PublishQueue queue = lane.slot == null ? free(queues, lane.topic, now) : queues.at(lane.slot);
            if (queue == null) {
                return;
            }
            begin(lane, queue, queues, lane.take(), now);
        }
    }

    private static boolean isPausing(Lane lane, long nowNanos) {
        if (lane.pausing && nowNanos - lane.notBeforeNanos >= 0) {
            lane.pausing = false;
        }
        return lane.pausing;
    }

    /// The topic's queues; null when they are not known, and then they are being asked for.
    private @Nullable PublishQueues queues(Lane lane, long nowNanos) {
        used.add(lane.topic);
        TopicRoute route = routes.known(lane.topic);
        if (route != null) {
            PublishQueues queues = PublishQueues.of(route);
            if (queues.isEmpty()) {
                routes.doubt(lane.topic);
                pause(lane, nowNanos);
                return null;
            }
            return queues;
        }
        TopicRoute pattern = routes.known(Routes.DEFAULT_TOPIC);
        if (lane.failures > 0 && pattern != null) {
            return PublishQueues.ofDefault(pattern);
        }
        pause(lane, nowNanos);
        ask(lane);
        return null;
    }

    /// Asks for the topic, and if nobody knows it for the pattern after which brokers create topics.
    private void ask(Lane lane) {
        sequencer.after(() -> routes.find(lane.topic, ROUTE_PATIENCE)
                .thenCompose(found -> found == null ? routes.find(Routes.DEFAULT_TOPIC, ROUTE_PATIENCE) : done(found))
                .whenComplete((found, failure) -> sequencer.submitAlways(() -> {
                    long now = clock.nanos();
                    lane.pausing = false;
                    lane.failures++;
                    if (found == null) {
                        pause(lane, now);
                    }
                    pump(lane);
                })));
    }

    private static CompletionStage<@Nullable TopicRoute> done(TopicRoute found) {
        return CompletableFuture.completedFuture(found);
    }

    /// The next queue in turn whose broker is well and has a free slot; one of a broker that is not well when none is.
    private @Nullable PublishQueue free(PublishQueues queues, String topic, long nowNanos) {
        PublishQueue unwell = null;
        boolean anyWell = false;
        for (int i = 0; i < queues.size(); i++) {
            PublishQueue queue = queues.at(turn + i);
            boolean well = health.isWell(queue.address(), nowNanos);
            anyWell |= well;
            if (flights.getOrDefault(new Flight(queue.address(), topic), 0) >= SLOTS) {
                continue;
            }
            if (well) {
                turn += i + 1;
                return queue;
            }
            if (unwell == null
                    || (!unwell.address().equals(queue.address())
                            && health.lessUnwell(queue.address(), unwell.address())
                                    .equals(queue.address()))) {
                unwell = queue;
            }
        }
        turn++;
        return anyWell ? null : unwell;
    }

    private void begin(Lane lane, PublishQueue queue, PublishQueues queues, List<Outgoing> messages, long nowNanos) {
        Endpoint broker = queue.address();
        boolean elsewhere = !lane.isOrdered() && queues.hasOtherThan(queue.brokerName());
        long left = Long.MAX_VALUE;
        for (Outgoing each : messages) {
            left = Math.min(left, each.deadlineNanos - nowNanos);
        }
        Duration patience = elsewhere ? health.patience(broker) : ONLY_BROKER;
        Duration limit = Duration.ofNanos(Math.clamp(left, 1_000_000, patience.toNanos()));
        health.begins(broker);
        lane.inFlight++;
        flights.merge(new Flight(broker, lane.topic), 1, Integer::sum);
        Command request = SendRequests.of(group, queue, messages);
        sequencer.after(() -> client.ask(broker, request, limit)
                .whenComplete((answer, failure) -> sequencer.submitAlways(
                        () -> ended(lane, queue, messages, nowNanos, request, answer, failure))));
    }

    private void ended(
            Lane lane,
            PublishQueue queue,
            List<Outgoing> messages,
            long begunNanos,
            Command request,
            @Nullable Command answer,
            @Nullable Throwable failure) {
        long now = clock.nanos();
        Endpoint broker = queue.address();
        lane.inFlight--;
        flights.computeIfPresent(new Flight(broker, lane.topic), (flight, count) -> count == 1 ? null : count - 1);
        if (answer == null) {
            health.failed(broker, now);
            again(
                    lane,
                    messages,
                    String.valueOf(failure == null ? null : failure.getMessage()),
                    CallFailed.NO_ANSWER,
                    now);
        } else if (SendRequests.isStored(answer.code())) {
            health.answered(broker, now - begunNanos, now);
            lane.failures = 0;
            stored(queue, messages, answer);
        } else {
            refused(lane, queue, messages, RemotingClient.refused(broker, request, answer), now);
        }
        pump(lane);
    }

    private void stored(PublishQueue queue, List<Outgoing> messages, Command answer) {
        try {
            List<SendReceipt> receipts = SendRequests.receipts(queue.address(), queue, messages, answer);
            for (int i = 0; i < messages.size(); i++) {
                Outgoing each = messages.get(i);
                SendReceipt receipt = receipts.get(i);
                forget(each);
                sequencer.after(() -> each.receipt.complete(receipt));
            }
            String topic = messages.getFirst().message.topic();
            if (routes.known(topic) == null) {
                // This send has created it.
                sequencer.after(() -> routes.find(topic, ROUTE_PATIENCE));
            }
        } catch (CallFailed e) {
            messages.forEach(each -> fail(each, e));
        }
    }

    private void refused(Lane lane, PublishQueue queue, List<Outgoing> messages, CallFailed why, long nowNanos) {
        if (SendRequests.isWorthAnotherTry(why.code())) {
            health.failed(queue.address(), nowNanos);
            again(lane, messages, why.sentence(), why.code(), nowNanos);
        } else if (messages.size() > 1) {
            // One of them may be what the broker does not take; each gets an answer of its own.
            messages.forEach(each -> each.alone = true);
            lane.putBack(messages);
        } else {
            fail(messages.getFirst(), why);
        }
    }

    /// The messages of a failed request go back, to be sent elsewhere at once; to the only broker after a pause.
    private void again(Lane lane, List<Outgoing> messages, String sentence, int code, long nowNanos) {
        List<Outgoing> left = new ArrayList<>(messages.size());
        for (Outgoing each : messages) {
            each.failed(sentence, code);
            if (closed || each.isLate(nowNanos)) {
                fail(each, each.late());
            } else {
                left.add(each);
            }
        }
        lane.putBack(left);
        lane.failures++;
        routes.doubt(lane.topic);
        TopicRoute route = routes.known(lane.topic);
        PublishQueues queues = route == null ? null : PublishQueues.of(route);
        if (lane.isOrdered() || queues == null || !queues.anyAddress(each -> health.isWell(each, nowNanos))) {
            pause(lane, nowNanos);
        }
    }

    private static void pause(Lane lane, long nowNanos) {
        long doubled = FIRST_PAUSE.toNanos() << Math.min(lane.failures, 10);
        lane.pausing = true;
        lane.notBeforeNanos = nowNanos + Math.min(doubled, LONGEST_PAUSE.toNanos());
    }

    private void refuse(Outgoing one, String sentence) {
        sequencer.after(() -> one.receipt.completeExceptionally(CallFailed.because(sentence)));
    }

    private void fail(Outgoing one, CallFailed why) {
        forget(one);
        sequencer.after(() -> one.receipt.completeExceptionally(why));
    }

    private void forget(Outgoing one) {
        outgoing--;
        outgoingBytes -= one.message.sizeBytes();
    }
}
