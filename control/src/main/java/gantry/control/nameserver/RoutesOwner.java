package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Notices;
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
import java.util.List;
import java.util.Map;
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
    /// Links on which brokers spoke, by id.
    private final Map<Long, Link> links = new TreeMap<>();

    RoutesOwner(RouteRules rules, Sequencer sequencer, Clock clock, Notices notices) {
        this.sequencer = sequencer;
        this.clock = clock;
        this.table = new RouteTable(rules);
        this.notices = new NoticeBudget(notices, clock.nanos());
        this.image = new Image<>(table.image());
    }

    RouteImage image() {
        return image.read();
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

    /// A broker speaks on this link; when the link closes, `closed` is told.
    void submit(Link link, Reply reply, Change change) {
        submit(reply, (routes, nowNanos) -> {
            links.put(link.id(), link);
            return change.apply(routes, nowNanos);
        });
    }

    void closed(long session) {
        sequencer.submitAlways(() -> {
            links.remove(session);
            table.closed(session);
            settle();
        });
    }

    void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            notices.turn(now);
            table.tick(now);
            settle();
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
                case RouteEffect.TellMinimum tell -> tell(tell);
            }
        }
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
