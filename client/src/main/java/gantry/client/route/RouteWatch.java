package gantry.client.route;

import gantry.base.Endpoint;
import gantry.base.Sequencer;
import gantry.client.call.RemotingClient;
import gantry.wire.body.TopicList;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Asks nameservers to say at once when a route changes, and thereby learns whether they live.
///
/// For:   changes that are known in a moment, not at the next poll, and nameservers that hang while nobody asks.
/// Owner: the route sequencer.
/// Never: relies on it: a nameserver of Apache's does not know the request; that it says so is a sign of life, too.
final class RouteWatch {
    /// The list is told again so often: a connection may have been another one meanwhile.
    private static final Duration EVERY = Duration.ofSeconds(5);

    /// A list that has changed is told after so long.
    private static final Duration SOON = Duration.ofMillis(200);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// Nameservers that are watched at the same time.
    private static final int WATCHED = 2;

    /// @param kept whether it has said that it will tell
    private record Told(List<String> topics, long atNanos, boolean kept) {}

    private final RemotingClient client;
    private final RouteBook book;
    private final Sequencer sequencer;
    private final Map<Endpoint, Told> told = new HashMap<>();

    RouteWatch(RemotingClient client, RouteBook book, Sequencer sequencer) {
        this.client = client;
        this.book = book;
        this.sequencer = sequencer;
    }

    void tick(long nowNanos) {
        List<String> topics = book.topics();
        if (topics.isEmpty()) {
            return;
        }
        List<Endpoint> order = book.order(nowNanos);
        told.keySet().retainAll(order);
        for (Endpoint nameserver : order.subList(0, Math.min(WATCHED, order.size()))) {
            Told last = told.get(nameserver);
            Duration pause = last != null && last.topics.equals(topics) ? EVERY : SOON;
            if (last == null || nowNanos - last.atNanos >= pause.toNanos()) {
                boolean kept = last != null && last.kept;
                told.put(nameserver, new Told(topics, nowNanos, kept));
                tell(nameserver, topics, kept);
            }
        }
    }

    private void tell(Endpoint nameserver, List<String> topics, boolean kept) {
        Command request =
                Command.request(RequestCodes.GANTRY_WATCH_ROUTES).withBody(new TopicList(topics, null).toBytes());
        client.ask(nameserver, request, PATIENCE)
                .whenComplete(
                        (answer, failure) -> sequencer.submitAlways(() -> answered(nameserver, topics, kept, answer)));
    }

    private void answered(Endpoint nameserver, List<String> topics, boolean kept, @Nullable Command answer) {
        long now = client.clock().nanos();
        if (answer == null) {
            book.silent(nameserver, now);
            told.computeIfPresent(nameserver, (address, last) -> new Told(last.topics, last.atNanos, false));
            return;
        }
        book.heard(nameserver);
        if (answer.code() == ResponseCodes.SUCCESS && !kept) {
            told.computeIfPresent(nameserver, (address, last) -> new Told(last.topics, last.atNanos, true));
            // What changed before it began to tell has to be asked for.
            topics.forEach(topic -> book.doubt(topic, now));
        }
    }

    /// A nameserver says that routes have changed.
    void changed(Endpoint nameserver, Command notice, long nowNanos) {
        book.heard(nameserver);
        List<String> topics;
        try {
            boolean all = Boolean.parseBoolean(notice.fieldOr(FieldNames.GANTRY_ALL, ""));
            topics = all
                    ? book.topics()
                    : TopicList.fromJson(Json.read(notice.body())).topics();
        } catch (JsonFault e) {
            topics = book.topics();
        }
        topics.forEach(topic -> book.doubt(topic, nowNanos));
    }
}
