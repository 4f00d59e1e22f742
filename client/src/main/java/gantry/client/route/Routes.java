package gantry.client.route;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.Deadline;
import gantry.client.call.RemotingClient;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Finds out from several nameservers where topics are.
///
/// For:   one answer in bounded time although a nameserver hangs, lies dead or does not know the topic yet.
/// Owner: one thread at a time.
/// Never: spends on one nameserver more than its share of the time that is left.
public final class Routes {
    /// Whose route a producer uses for a topic that nobody knows yet: the brokers that create topics on send have it.
    public static final String DEFAULT_TOPIC = "TBW102";

    /// So long a route is used without asking again.
    static final Duration FRESH = Duration.ofSeconds(30);

    /// A nameserver that is not ready is asked again so soon.
    private static final Duration AGAIN = Duration.ofMillis(200);

    /// Topics whose routes are kept.
    private static final int MOST_KEPT = 1024;

    private record Known(TopicRoute route, long sinceNanos) {}

    private final RemotingClient client;
    private final List<Endpoint> nameservers;
    private final Map<String, Known> kept = new LinkedHashMap<>(16, 0.75f, true);
    /// Whom to ask first: the last one that answered.
    private int preferred;

    public Routes(RemotingClient client, List<Endpoint> nameservers) {
        if (nameservers.isEmpty()) {
            throw new IllegalArgumentException("name at least one nameserver, as HOST:PORT");
        }
        this.client = client;
        this.nameservers = List.copyOf(nameservers);
    }

    /// The route of a topic. A route that is not fresh any more is still used when no nameserver answers.
    ///
    /// @return null when no nameserver knows the topic
    /// @throws CallFailed when none answered, and it was not known before
    public @Nullable TopicRoute find(String topic, Duration limit) throws CallFailed {
        Known known = kept.get(topic);
        long now = client.clock().nanos();
        if (known != null && now - known.sinceNanos < FRESH.toNanos()) {
            return known.route;
        }
        try {
            TopicRoute found = ask(topic, limit);
            if (found == null) {
                kept.remove(topic);
            } else {
                keep(topic, found);
            }
            return found;
        } catch (CallFailed e) {
            if (known == null) {
                throw e;
            }
            return known.route;
        }
    }

    /// The next `find` asks again, but may still fall back on what is known.
    public void expire(String topic) {
        Known known = kept.get(topic);
        if (known != null) {
            kept.put(topic, new Known(known.route, client.clock().nanos() - FRESH.toNanos()));
        }
    }

    /// The first answer to `request` that any nameserver gives, whatever its code.
    public Command ask(Command request, Duration limit) throws CallFailed {
        return ask(request, limit, answer -> true);
    }

    /// Where the master of a broker is; null when it has none in this route.
    public static @Nullable Endpoint master(TopicRoute route, String brokerName) {
        for (BrokerAddresses broker : route.brokers()) {
            String address = broker.addresses().get(BrokerAddresses.MASTER_ID);
            if (broker.brokerName().equals(brokerName) && address != null) {
                return Endpoint.parse(address);
            }
        }
        return null;
    }

    private @Nullable TopicRoute ask(String topic, Duration limit) throws CallFailed {
        Command request = Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.ACCEPT_STANDARD_JSON_ONLY, true);
        // Nameservers share nothing: one that does not know a topic says nothing about the others.
        Deadline deadline = Deadline.after(client.clock(), limit);
        Command answer = ask(request, limit, one -> one.code() == ResponseCodes.SUCCESS);
        while (answer.code() == ResponseCodes.SYSTEM_ERROR && deadline.left().compareTo(AGAIN) > 0) {
            // Whoever has just started says so, and knows more in a moment.
            pause();
            answer = ask(request, deadline.left(), one -> one.code() == ResponseCodes.SUCCESS);
        }
        if (answer.code() == ResponseCodes.TOPIC_NOT_EXIST) {
            return null;
        }
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw RemotingClient.refused(nameservers.get(preferred), request, answer);
        }
        try {
            return TopicRoute.fromJson(Json.read(answer.body()));
        } catch (JsonFault e) {
            throw new CallFailed(
                    "the route of \"" + topic + "\" from " + nameservers.get(preferred) + " cannot be read: "
                            + e.sentence(),
                    answer.code());
        }
    }

    private static void pause() throws CallFailed {
        try {
            TimeUnit.NANOSECONDS.sleep(AGAIN.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CallFailed.because("interrupted while a nameserver was not ready");
        }
    }

    /// What decides whether to ask further.
    private interface Good {
        boolean isGood(Command answer);
    }

    /// The first good answer; else the last one that says "unknown", else the last one.
    private Command ask(Command request, Duration limit, Good good) throws CallFailed {
        Deadline deadline = Deadline.after(client.clock(), limit);
        List<String> failures = new ArrayList<>();
        Command best = null;
        int first = preferred;
        for (int i = 0; i < nameservers.size(); i++) {
            int index = (first + i) % nameservers.size();
            try {
                Command answer = client.call(nameservers.get(index), request, deadline.share(nameservers.size() - i));
                if (good.isGood(answer)) {
                    preferred = index;
                    return answer;
                }
                if (best == null || best.code() != ResponseCodes.TOPIC_NOT_EXIST) {
                    preferred = index;
                    best = answer;
                }
            } catch (CallFailed e) {
                failures.add(e.sentence());
            }
        }
        if (best == null) {
            throw new CallFailed("no nameserver answered: " + String.join("; ", failures), CallFailed.NO_ANSWER);
        }
        return best;
    }

    private void keep(String topic, TopicRoute route) {
        kept.put(topic, new Known(route, client.clock().nanos()));
        if (kept.size() > MOST_KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
    }
}
