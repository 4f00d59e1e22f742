package gantry.client.route;

import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Keeps the routes that a client uses, and keeps them fresh.
///
/// For:   carrying out what a `RouteBook` decides, and watching for changes.
/// Owner: its sequencer; every method is safe from any thread. Somebody calls `tick` several times a second.
/// Never: decides whom to ask or believe.
public final class RouteKeeper implements RouteSource {
    /// Whoever waits for a route at the same time; more are refused.
    static final int MOST_WAITING = 100_000;

    /// What is known is written down at most so often.
    private static final Duration SHELF_PAUSE = Duration.ofSeconds(5);

    private record Waiting(long deadlineNanos, CompletableFuture<@Nullable TopicRoute> route) {}

    private final RemotingClient client;
    private final RouteBook book;
    private final RouteShelf shelf;
    private final Offload offload;
    private final RouteLimits limits;
    private final Sequencer sequencer;
    private final RouteWatch watch;
    private final Map<String, List<Waiting>> waiting = new LinkedHashMap<>();
    private final Image<Map<String, TopicRoute>> known;
    private int waitingCount;
    private long shelvedNanos;
    private Map<String, TopicRoute> shelved;
    private boolean shelving;

    /// @param turn which nameserver is asked first; different in each process, so that they spread
    public RouteKeeper(
            RemotingClient client,
            List<Endpoint> nameservers,
            int turn,
            RouteShelf shelf,
            Offload offload,
            Sequencer.Faults faults) {
        this(client, nameservers, turn, shelf, offload, faults, RouteLimits.DEFAULT);
    }

    RouteKeeper(
            RemotingClient client,
            List<Endpoint> nameservers,
            int turn,
            RouteShelf shelf,
            Offload offload,
            Sequencer.Faults faults,
            RouteLimits limits) {
        this.client = client;
        this.shelf = shelf;
        this.offload = offload;
        this.limits = limits;
        this.sequencer = new Sequencer("routes", offload, faults);
        this.book = new RouteBook(limits, nameservers, turn);
        this.shelved = Map.copyOf(shelf.read());
        shelved.forEach(book::remember);
        this.known = new Image<>(shelved);
        this.watch = new RouteWatch(client, book, sequencer);
        client.answer(RequestCodes.GANTRY_ROUTES_CHANGED, (from, request, reply) -> {
            sequencer.submitAlways(() -> {
                watch.changed(from, request, client.clock().nanos());
                carryOut();
            });
        });
    }

    @Override
    public CompletableFuture<@Nullable TopicRoute> find(String topic, Duration limit) {
        CompletableFuture<@Nullable TopicRoute> route = new CompletableFuture<>();
        boolean taken = sequencer.submit(() -> {
            long now = client.clock().nanos();
            if (waitingCount >= MOST_WAITING) {
                sequencer.after(() ->
                        route.completeExceptionally(CallFailed.because(MOST_WAITING + " wait for routes already")));
                return;
            }
            waitingCount++;
            waiting.computeIfAbsent(topic, t -> new ArrayList<>()).add(new Waiting(now + limit.toNanos(), route));
            book.want(topic, now);
            carryOut();
        });
        if (!taken) {
            route.completeExceptionally(CallFailed.because("this client has too much to do"));
        }
        return route;
    }

    @Override
    public @Nullable TopicRoute known(String topic) {
        return known.read().get(topic);
    }

    @Override
    public void doubt(String topic) {
        sequencer.submit(() -> {
            book.doubt(topic, client.clock().nanos());
            carryOut();
        });
    }

    /// The list of nameservers has changed; connections to those that left it are closed.
    public void nameservers(List<Endpoint> now) {
        sequencer.submitAlways(() -> {
            book.nameservers(now);
            carryOut();
        });
    }

    public void tick() {
        sequencer.submitAlways(() -> {
            long now = client.clock().nanos();
            book.tick(now);
            watch.tick(now);
            carryOut();
            expire(now);
            putOnShelf(now);
        });
    }

    private void carryOut() {
        for (List<RouteStep> steps = book.takeSteps(); !steps.isEmpty(); steps = book.takeSteps()) {
            for (RouteStep step : steps) {
                switch (step) {
                    case RouteStep.Ask ask -> ask(ask);
                    case RouteStep.Settled(String topic, TopicRoute route) -> settled(topic, route);
                    case RouteStep.Failed(String topic, String sentence) -> failed(topic, sentence);
                    case RouteStep.Close(Endpoint nameserver) ->
                        client.disconnect(nameserver, "it is on the list of nameservers no more");
                }
            }
        }
    }

    private void ask(RouteStep.Ask step) {
        Command request = Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC)
                .with(FieldNames.TOPIC, step.topic())
                .with(FieldNames.ACCEPT_STANDARD_JSON_ONLY, true)
                .with(FieldNames.GANTRY_FRESHNESS, true);
        client.ask(step.nameserver(), request, limits.question())
                .whenComplete((answer, failure) -> sequencer.submitAlways(() -> {
                    heard(step, answer, failure);
                    carryOut();
                }));
    }

    private void heard(RouteStep.Ask step, @Nullable Command answer, @Nullable Throwable failure) {
        long now = client.clock().nanos();
        Endpoint from = step.nameserver();
        if (answer == null) {
            String why = failure == null ? "no answer" : String.valueOf(failure.getMessage());
            book.missed(from, step.topic(), step.inquiry(), why, now);
        } else if (answer.code() == ResponseCodes.TOPIC_NOT_EXIST) {
            book.unknown(from, step.topic(), step.inquiry(), now);
        } else if (answer.code() != ResponseCodes.SUCCESS) {
            String why = "nameserver " + from + " answered with code " + answer.code() + ", " + answer.remark();
            book.useless(from, step.topic(), step.inquiry(), why, now);
        } else {
            try {
                book.answered(Freshness.view(from, answer, now), step.topic(), step.inquiry(), now);
            } catch (JsonFault e) {
                String why = "the answer of nameserver " + from + " cannot be read: " + e.sentence();
                book.useless(from, step.topic(), step.inquiry(), why, now);
            }
        }
    }

    private void settled(String topic, @Nullable TopicRoute route) {
        Map<String, TopicRoute> before = known.read();
        if (route == null ? before.containsKey(topic) : !route.equals(before.get(topic))) {
            Map<String, TopicRoute> after = new LinkedHashMap<>(before);
            if (route == null) {
                after.remove(topic);
            } else {
                after.put(topic, route);
            }
            known.publish(after);
        }
        for (Waiting each : taken(topic)) {
            sequencer.after(() -> each.route.complete(route));
        }
    }

    private void failed(String topic, String sentence) {
        for (Waiting each : taken(topic)) {
            sequencer.after(() -> each.route.completeExceptionally(CallFailed.because(sentence)));
        }
    }

    private List<Waiting> taken(String topic) {
        List<Waiting> all = waiting.remove(topic);
        if (all == null) {
            return List.of();
        }
        waitingCount -= all.size();
        return all;
    }

    /// Whose time is over gets what is known, however old.
    private void expire(long nowNanos) {
        for (Map.Entry<String, List<Waiting>> each : new ArrayList<>(waiting.entrySet())) {
            String topic = each.getKey();
            TopicRoute old = book.known(topic);
            List<Waiting> left = each.getValue();
            for (Waiting one : new ArrayList<>(left)) {
                if (nowNanos - one.deadlineNanos < 0) {
                    continue;
                }
                left.remove(one);
                waitingCount--;
                sequencer.after(() -> {
                    if (old != null) {
                        one.route.complete(old);
                    } else {
                        one.route.completeExceptionally(
                                CallFailed.because("no nameserver has said in time where \"" + topic + "\" is"));
                    }
                });
            }
            if (left.isEmpty()) {
                waiting.remove(topic);
            }
        }
    }

    private void putOnShelf(long nowNanos) {
        Map<String, TopicRoute> now = known.read();
        if (shelving || now.equals(shelved) || nowNanos - shelvedNanos < SHELF_PAUSE.toNanos()) {
            return;
        }
        shelving = true;
        shelvedNanos = nowNanos;
        offload.run(() -> {
            shelf.write(now);
            sequencer.submitAlways(() -> {
                shelving = false;
                shelved = now;
            });
        });
    }
}
