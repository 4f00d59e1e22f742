package gantry.control.routes;

import gantry.base.Notices;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Which brokers live, and what they have; the rules of registration and removal.
///
/// For:   turning what brokers say, and when links close, into routes.
/// Owner: the routes sequencer.
/// Never: reads a clock, closes a link, answers: time is an argument, the rest is `takeEffects`.
/// Holds: ROUTE-1 every address of a broker name belongs to a living process of that name and id;
///        ROUTE-2 every layout belongs to a broker name with an address; ROUTE-3 a process is removed by its own
///        promise, its own link, its own word, or a successor with no older state.
///
/// ```
///   absent ── register ──▶ living ── heard: lives on ──┐
///     ▲                     │ ▲ ▲──────────────────────┘
///     │                     │ └──── heard ───── suspect ◀── not heard for half of a short promise ── living
///     │                     │                      │
///     │                     ├──────────────────────┤
///     │                     ├─ unregister, on a link that it was heard on
///     └─────────────────────┼─ that link closed, and it was heard on no other since
///                           ├─ not heard within its promise (its link is closed too)
///                           └─ another process took its id, with no older state
/// ```
/// Whatever comes first after we stood still gives every broker its promise anew, and lets go of all links.
public final class RouteTable {
    /// Nothing and no tick for so long means that we stood still ourselves and could not hear anybody.
    public static final long STOOD_STILL_NANOS = Duration.ofSeconds(3).toNanos();

    private final RouteRules rules;
    private final TopicShelves topics = new TopicShelves();
    private final Brokers brokers = new Brokers();
    private List<RouteEffect> effects = new ArrayList<>();
    private RouteImage image;
    private boolean ticked;
    private long tickedNanos;
    private long listeningNanos;

    public RouteTable(RouteRules rules, long nowNanos) {
        this.rules = rules;
        this.listeningNanos = nowNanos;
        this.image = RouteImage.empty(nowNanos);
    }

    /// A broker registers, for the first time or again.
    public Registered register(BrokerRegistration event, long session, long nowNanos) {
        attend(nowNanos);
        BrokerIdentity broker = event.broker();
        String refusal = refusal(event);
        if (refusal != null) {
            return new Registered.Refused(refusal);
        }
        Living renamed = brokers.renamed(broker);
        if (renamed != null) {
            leave(renamed, Notices.Level.INFO, "is " + broker + " now");
        }
        boolean newName = brokers.addresses(broker.brokerName()) == null;
        Living holder = brokers.holder(broker);
        Living before = holder != null && holder.broker.equals(broker) ? holder : null;
        if (holder != null && before == null) {
            if (holder.version.stateVersion() > event.version().stateVersion()) {
                return new Registered.Outdated(holder.broker.address());
            }
            brokers.leave(holder);
            notice("broker " + broker + " took over from " + holder.broker.address());
        }
        if (before != null && before.suspect) {
            back(before, nowNanos);
        }
        Living now = new Living(event, rules.brokerTimeout(), before, session, nowNanos);
        Living first = brokers.first(broker.brokerName());
        brokers.enter(now, event.isActing(), event.zone());
        tellMinimum(broker.brokerName(), first, null);
        if (before == null) {
            notice("broker " + broker + " of cluster " + broker.cluster() + " registered");
        }
        if (broker.isMaster() || (event.actingMaster() != null && brokers.first(broker.brokerName()) == now)) {
            takeOver(event, now, before, holder == null, newName);
        }
        return accepted(broker);
    }

    private @Nullable String refusal(BrokerRegistration event) {
        BrokerIdentity broker = event.broker();
        if (brokers.find(broker.key()) == null && brokers.count() >= rules.maxBrokers()) {
            return "this nameserver takes " + rules.maxBrokers() + " brokers, and they are all there";
        }
        Living elsewhere = brokers.elsewhere(broker);
        if (elsewhere != null) {
            return "the broker name " + broker.brokerName() + " is taken in the cluster " + elsewhere.broker.cluster()
                    + " by " + elsewhere.broker;
        }
        TopicTable table = event.body().table();
        // Brokers also send single topics that changed. From a broker that is not known such a part would look like
        // all that it has.
        if (brokers.holder(broker) == null && table.topics().size() == 1) {
            return "broker " + broker + " is not known here and registers one topic only: register the whole table";
        }
        int room = rules.maxTopicEntries() - topics.layouts();
        if (table.topics().size() > room && additions(event) > room) {
            return "this nameserver takes " + rules.maxTopicEntries() + " topics, and there is no room for these";
        }
        return null;
    }

    /// How many of the topics are new for this broker name.
    private int additions(BrokerRegistration event) {
        int additions = 0;
        for (TopicConfig config : event.body().table().topics().values()) {
            TopicEntry entry = topics.find(config.topic());
            if (entry == null || entry.layout(event.broker().brokerName()) == null) {
                additions++;
            }
        }
        return additions;
    }

    private void takeOver(
            BrokerRegistration event, Living now, @Nullable Living before, boolean newId, boolean newName) {
        if (now.shown) {
            return;
        }
        String brokerName = event.broker().brokerName();
        boolean changed = newId || before == null || !before.version.equals(now.version);
        int withheld = event.broker().isMaster() || !event.isActing() ? 0 : Permission.WRITE;
        TopicTable table = event.body().table();
        for (TopicConfig config : table.topics().values()) {
            QueueLayout layout = config.layout(brokerName);
            QueueLayout shown = layout.withPermission(layout.permission() & ~withheld);
            topics.update(
                    config.topic(), entry -> changed || entry.layout(brokerName) == null ? entry.with(shown) : entry);
        }
        if (changed) {
            table.mappings().values().forEach(mapping -> topics.update(mapping.topic(), entry -> entry.with(mapping)));
        }
        boolean replaces = event.gone().all() || (rules.registrationReplaces() && Living.isWhole(event));
        // By ROUTE-2 a name that was not there has nothing to be replaced; a thousand brokers come at once after a
        // start.
        if (replaces && !newName && table.mappings().isEmpty()) {
            topics.updateAll(entry -> table.topics().containsKey(entry.topic()) ? entry : entry.without(brokerName));
        }
        for (String topic : event.gone().topics()) {
            if (topics.find(topic) != null && !table.topics().containsKey(topic)) {
                topics.update(topic, entry -> entry.without(brokerName));
            }
        }
        now.shown = true;
    }

    private Registered accepted(BrokerIdentity broker) {
        Living master = broker.isMaster() ? null : brokers.master(broker.brokerName());
        return master == null
                ? new Registered.Accepted(null, null)
                : new Registered.Accepted(master.broker.address(), master.haAddress);
    }

    /// A broker says that it lives.
    ///
    /// @return false when it is not known; it has to register
    public boolean heard(BrokerKey key, long session, long nowNanos) {
        attend(nowNanos);
        Living known = brokers.find(key);
        if (known == null) {
            return false;
        }
        if (known.suspect) {
            back(known, nowNanos);
            known.suspect = false;
        }
        known.heard(session, nowNanos);
        return true;
    }

    private void back(Living suspect, long nowNanos) {
        brokers.touch();
        notice("broker " + suspect.broker + " is heard again after "
                + suspect.silence(nowNanos).toMillis() + " ms");
    }

    /// Which version of its table is known of a broker, null when none is.
    public @Nullable DataVersion version(BrokerKey key) {
        Living known = brokers.find(key);
        return known == null ? null : known.version;
    }

    /// Whether a broker with this version of its table has to register again.
    public boolean isStale(BrokerKey key, DataVersion version) {
        Living known = brokers.find(key);
        return known == null || !known.whole || !known.version.equals(version);
    }

    /// A broker says that it goes.
    ///
    /// @return null, or why nothing was removed
    public @Nullable String unregister(BrokerKey key, long session, long nowNanos) {
        attend(nowNanos);
        Living known = brokers.find(key);
        if (known == null) {
            return null;
        }
        if (known.session != session && known.heardOn != session) {
            return "broker " + known.broker + " is registered over another connection";
        }
        leave(known, Notices.Level.INFO, "unregistered");
        return null;
    }

    /// A link is gone: so is every broker that it carried, unless it was heard on another since.
    public void closed(long session, long nowNanos) {
        attend(nowNanos);
        for (Living each : brokers.all()) {
            if (each.session == session && each.heardOn == session) {
                leave(each, Notices.Level.WARN, "closed its connection without unregistering");
            } else if (each.session == session) {
                each.session = each.heardOn;
            } else if (each.heardOn == session) {
                each.heardOn = each.session;
            }
        }
    }

    /// A link is gone that we let go of: nobody goes with it.
    public void letGo(long session) {
        brokers.all().forEach(each -> each.letGo(session));
    }

    /// Notices that we stood still: the first thing at every event that has a time, because what was sent meanwhile,
    /// and the links that others gave up, come before the next tick.
    private void attend(long nowNanos) {
        long late = ticked ? nowNanos - tickedNanos : 0;
        if (late <= STOOD_STILL_NANOS) {
            return;
        }
        tickedNanos = nowNanos;
        listeningNanos = nowNanos;
        brokers.all().forEach(each -> each.forgive(nowNanos));
        brokers.touch();
        String what =
                "this nameserver stood still for " + Duration.ofNanos(late).toMillis() + " ms";
        effects.add(new RouteEffect.Notice(
                Notices.Level.WARN,
                what + ": nobody was heard or answered. All connections are closed, so that clients ask elsewhere"
                        + " and brokers register again; brokers keep their place and their promise begins anew"));
        effects.add(new RouteEffect.LetGo(what));
    }

    /// Suspects whoever was not heard for half of a short promise, and removes whoever was not for all of it.
    public void tick(long nowNanos) {
        attend(nowNanos);
        ticked = true;
        tickedNanos = nowNanos;
        for (Living each : brokers.all()) {
            if (each.isExpired(nowNanos)) {
                String silence = "was not heard for " + each.silence(nowNanos).toSeconds() + " s";
                leave(each, Notices.Level.WARN, silence);
                effects.add(new RouteEffect.CloseLink(each.session, "broker " + each.broker + " " + silence));
            } else if (!each.suspect && each.isMissed(nowNanos)) {
                suspect(each, nowNanos);
            }
        }
    }

    private void suspect(Living missed, long nowNanos) {
        missed.suspect = true;
        brokers.touch();
        effects.add(new RouteEffect.Notice(
                Notices.Level.WARN,
                "broker " + missed.broker + " was not heard for "
                        + missed.silence(nowNanos).toMillis() + " ms and is suspect"
                        + (missed.broker.isMaster()
                                ? ": until it is heard, its queues are shown for reading only"
                                : "")));
    }

    private void leave(Living gone, Notices.Level level, String why) {
        String brokerName = gone.broker.brokerName();
        Living first = brokers.first(brokerName);
        brokers.leave(gone);
        BrokerAddresses rest = brokers.addresses(brokerName);
        if (rest == null) {
            topics.updateAll(entry -> entry.without(brokerName));
        } else if (!rest.hasMaster() && rest.actingMaster()) {
            permit(brokerName, permission -> permission & ~Permission.WRITE);
        }
        tellMinimum(brokerName, first, gone.broker.address());
        effects.add(new RouteEffect.Notice(level, "broker " + gone.broker + " " + why));
    }

    /// Tells the members of a broker when the smallest id is another one than before.
    private void tellMinimum(String brokerName, @Nullable Living before, @Nullable String offlineAddress) {
        Living now = brokers.first(brokerName);
        if (!rules.tellMinimumId() || before == null || now == null || before.broker.equals(now.broker)) {
            return;
        }
        List<Living> members = brokers.members(brokerName);
        for (Living member : members) {
            if (offlineAddress != null || members.size() == 1 || member != now) {
                effects.add(new RouteEffect.TellMinimum(
                        member.session,
                        brokerName,
                        now.broker.brokerId(),
                        now.broker.address(),
                        offlineAddress,
                        now.haAddress));
            }
        }
    }

    /// Forgets a topic, everywhere or in one cluster. A broker that still has it brings it back when it registers next.
    public void deleteTopic(String topic, @Nullable String cluster) {
        TopicEntry entry = topics.find(topic);
        if (entry == null) {
            return;
        }
        for (QueueLayout layout : entry.layouts()) {
            BrokerAddresses broker = brokers.addresses(layout.brokerName());
            if (cluster == null || (broker != null && broker.cluster().equals(cluster))) {
                topics.update(topic, before -> before.without(layout.brokerName()));
                brokers.members(layout.brokerName()).forEach(member -> member.shown = false);
            }
        }
    }

    /// One topic more of brokers that are known; others are left out.
    ///
    /// @return how many brokers were left out
    public int addTopic(String topic, List<QueueLayout> layouts) {
        int leftOut = 0;
        for (QueueLayout layout : layouts) {
            if (brokers.addresses(layout.brokerName()) == null || topics.layouts() >= rules.maxTopicEntries()) {
                leftOut++;
            } else {
                topics.update(topic, entry -> entry.with(layout));
            }
        }
        return leftOut;
    }

    /// Changes the permission of every topic of a broker, until the broker's own table changes.
    ///
    /// @return how many topics the broker has
    public int permit(String brokerName, IntUnaryOperator change) {
        int[] count = new int[1];
        topics.updateAll(entry -> {
            QueueLayout layout = entry.layout(brokerName);
            if (layout == null) {
                return entry;
            }
            count[0]++;
            return entry.with(layout.withPermission(change.applyAsInt(layout.permission())));
        });
        return count[0];
    }

    private void notice(String text) {
        effects.add(new RouteEffect.Notice(Notices.Level.INFO, text));
    }

    /// What has to happen outside since the last call, in this order.
    public List<RouteEffect> takeEffects() {
        List<RouteEffect> taken = effects;
        effects = taken.isEmpty() ? taken : new ArrayList<>();
        return taken;
    }

    /// The table as it is now; the same object while nothing changes.
    public RouteImage image() {
        if (topics.changed() || brokers.changed()) {
            image = new RouteImage(topics.image(), brokers.addressImage(), brokers.processImage(), listeningNanos);
        }
        return image;
    }
}
