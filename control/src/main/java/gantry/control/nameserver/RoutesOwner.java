package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Notices;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.control.routes.RouteEffect;
import gantry.control.routes.RouteImage;
import gantry.control.routes.RouteRules;
import gantry.control.routes.RouteTable;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The route table behind its sequencer.
///
/// For:   changing the table one command at a time, publishing its image, and doing what a change asks for.
/// Owner: the routes sequencer; `submit` is the way in, `image` may be read by anybody.
/// Never: decides; see `RouteTable`.
final class RoutesOwner {
    /// One change of the table, with the time of its turn.
    interface Change {
        Answer apply(RouteTable table, long nowNanos);
    }

    private final Sequencer sequencer;
    private final Clock clock;
    private final RouteTable table;
    private final NoticeBudget notices;
    private final Image<RouteImage> image;
    /// All links that were accepted and not closed by us, by id.
    private final Map<Long, Link> links = new TreeMap<>();
    /// Links that we let go of because we stood still, until they are closed.
    private final Set<Long> letGo = new HashSet<>();
    private final Watches watches = new Watches();
    private final Published tickedNanos;
    private final Published stalls = new Published(0);

    RoutesOwner(RouteRules rules, Sequencer sequencer, Clock clock, Notices notices) {
        this.sequencer = sequencer;
        this.clock = clock;
        long now = clock.nanos();
        this.table = new RouteTable(rules, now);
        this.tickedNanos = new Published(now);
        this.notices = new NoticeBudget(notices, now);
        this.image = new Image<>(table.image());
    }

    RouteImage image() {
        return image.read();
    }

    /// For how long brokers have been heard without a gap; 0 when it is not known yet that we stood still.
    long listeningNanos(long nowNanos) {
        return nowNanos - tickedNanos.read() > RouteTable.STOOD_STILL_NANOS
                ? 0
                : Math.max(0, nowNanos - image().listeningNanos());
    }

    /// How often this nameserver stood still.
    long stalls() {
        return stalls.read();
    }

    /// Changes the table and answers afterwards.
    void submit(Reply reply, Change change) {
        boolean taken = sequencer.submit(() -> {
            Answer answer = change.apply(table, clock.nanos());
            settle();
            sequencer.after(() -> reply.send(answer));
        });
        if (!taken) {
            reply.send(Answer.refused(
                    ResponseCodes.SYSTEM_BUSY, "this nameserver has too many changes of routes waiting; try again"));
        }
    }

    /// From now on these are the topics of whose routes a link is told.
    void watch(Link link, Reply reply, List<String> topics) {
        submit(reply, (routes, nowNanos) -> {
            String refusal = links.containsKey(link.id()) ? watches.set(link, topics) : "this connection is closing";
            return refusal != null
                    ? Answer.refused(ResponseCodes.SYSTEM_BUSY, refusal)
                    : Answer.OK.with(
                            FieldNames.GANTRY_LISTENING_MILLIS,
                            Duration.ofNanos(listeningNanos(nowNanos)).toMillis());
        });
    }

    /// A link was accepted; when it closes, `closed` is told.
    void opened(Link link) {
        sequencer.submitAlways(() -> links.put(link.id(), link));
    }

    void closed(long session) {
        sequencer.submitAlways(() -> {
            links.remove(session);
            watches.forget(session);
            if (letGo.remove(session)) {
                table.letGo(session);
            } else {
                table.closed(session, clock.nanos());
            }
            settle();
        });
    }

    void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            notices.turn(now);
            table.tick(now);
            tickedNanos.reset(now);
            settle();
            for (Link full : watches.tell(image.read())) {
                sequencer.after(() -> full.close("news of routes could not be sent"));
            }
        });
    }

    /// From inside: tells the operator, within the budget.
    void warn(String text) {
        sequencer.requireInside();
        notices.tell(Notices.Level.WARN, text, clock.nanos());
    }

    private void settle() {
        RouteImage now = table.image();
        if (now != image.read()) {
            image.publish(now);
        }
        List<RouteEffect> effects = table.takeEffects();
        for (RouteEffect effect : effects) {
            switch (effect) {
                case RouteEffect.Notice(Notices.Level level, String text) -> notices.tell(level, text, clock.nanos());
                case RouteEffect.CloseLink(long session, String reason) -> close(session, reason);
                case RouteEffect.LetGo(String reason) -> letGo(reason);
                case RouteEffect.TellMinimum tell -> tell(tell);
            }
        }
    }

    private void letGo(String reason) {
        stalls.advance(stalls.read() + 1);
        List<Link> all = List.copyOf(links.values());
        links.clear();
        all.forEach(link -> letGo.add(link.id()));
        sequencer.after(() -> all.forEach(link -> link.close(reason)));
    }

    private void close(long session, String reason) {
        Link link = links.remove(session);
        if (link != null) {
            sequencer.after(() -> link.close(reason));
        }
    }

    private void tell(RouteEffect.TellMinimum tell) {
        Link link = links.get(tell.session());
        if (link == null) {
            return;
        }
        FrameWriter out = new FrameWriter();
        out.begin(Codec.JSON, RequestCodes.NOTIFY_MIN_BROKER_ID_CHANGE, FrameFlags.ONEWAY, 0);
        out.field(FieldNames.MIN_BROKER_ID, tell.minimumId());
        out.field(FieldNames.BROKER_NAME, tell.brokerName());
        out.field(FieldNames.MIN_BROKER_ADDR, tell.minimumAddress());
        out.field(FieldNames.OFFLINE_BROKER_ADDR, tell.offlineAddress());
        out.field(FieldNames.HA_BROKER_ADDR, tell.haAddress());
        out.end(0);
        // Oneway: a member that cannot be told asks by itself with 901.
        boolean taken = link.send(out.bytes(), 0, out.size());
        if (!taken) {
            links.remove(tell.session());
        }
    }
}
