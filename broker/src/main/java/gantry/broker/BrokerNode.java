package gantry.broker;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Entropy;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.append.Outcome;
import gantry.broker.append.RecordAppender;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.delay.DueTimes;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Found;
import gantry.broker.facts.Snapshot;
import gantry.broker.facts.StateFile;
import gantry.broker.group.GroupHandler;
import gantry.broker.group.Groups;
import gantry.broker.group.LockHandler;
import gantry.broker.group.MembershipHandler;
import gantry.broker.group.OffsetHandler;
import gantry.broker.pull.ParkedPulls;
import gantry.broker.pull.PullHandler;
import gantry.broker.query.KeyQueryHandler;
import gantry.broker.query.MessageHandler;
import gantry.broker.query.QueueHandler;
import gantry.broker.query.StatusHandler;
import gantry.broker.query.TopicHandler;
import gantry.broker.register.Registrations;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.send.MessageStager;
import gantry.broker.send.Redelivery;
import gantry.broker.send.RetrySends;
import gantry.broker.send.SendBackHandler;
import gantry.broker.send.SendHandler;
import gantry.broker.session.Aside;
import gantry.broker.session.Bursts;
import gantry.broker.session.ClientSession;
import gantry.broker.session.HandlerTable;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import gantry.broker.topic.TopicRetention;
import gantry.store.Disk;
import gantry.store.EntryRule;
import gantry.store.OpenFailed;
import gantry.store.State;
import gantry.store.Store;
import gantry.wire.frame.RequestCodes;
import gantry.wire.message.RecordHost;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// One broker: the parts, put together, and its life.
///
/// For:   `server` and `sim`, which give it seams.
/// Owner: whoever made it calls `open`, `start`, `tick` (every 100 ms or so) and `stop`, one after another.
/// Never: decides anything about a message; the parts do.
///
/// ```
///   open: store recovered, facts folded ─▶ start: listens, registers ─▶ tick … ─▶ stop: withdraws, closes, flushes
/// ```
public final class BrokerNode implements Network.Acceptor {
    private final BrokerConfig config;
    private final Store store;
    private final ParkedPulls parked;
    private final Groups groups;
    private final Catalogue catalogue;
    private final DelayDelivery delay;
    private final TopicRetention topicRetention;
    private final SnapshotExport snapshots;
    private final Network network;
    private final Clock clock;
    private final Entropy entropy;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer.Faults faults;
    private final FactLog facts;
    private final RecordAppender appender;

    /// What depends on the address, which is known once the broker listens.
    private record Serving(
            Network.Listener listener, RequestHandler handlers, Bursts bursts, Registrations registrations) {}

    private final Image<Optional<Serving>> serving = new Image<>(Optional.empty());

    private BrokerNode(
            BrokerConfig config,
            Store store,
            Snapshot snapshot,
            ParkedPulls parked,
            Network network,
            Clock clock,
            Entropy entropy,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.config = config;
        this.store = store;
        this.parked = parked;
        this.network = network;
        this.clock = clock;
        this.entropy = entropy;
        this.offload = offload;
        this.notices = notices;
        this.faults = faults;
        this.appender = new RecordAppender(store, RecordHost.of(new Endpoint(config.advertisedHost(), 0)));
        this.facts = new FactLog(store, appender, clock);
        this.catalogue = new Catalogue(config.catalogue(), facts, store, clock, offload, faults);
        this.groups = new Groups(facts, clock, offload, faults);
        this.catalogue.tellGone(groups::forgetTopic, groups::forgetGroup);
        this.topicRetention = new TopicRetention(catalogue, store, clock, offload, faults);
        this.delay = new DelayDelivery(
                store, catalogue, facts, config.send().delayLevels(), clock, offload, notices, faults);
        this.snapshots = new SnapshotExport(
                snapshot, facts, catalogue, groups, delay, config.snapshotPeriod(), clock, offload, notices, faults);
        this.facts.keepFrom(snapshots::exported);
    }

    /// Opens the store, recovers it, and folds the broker's own state. Blocks.
    ///
    /// @throws OpenFailed with a sentence for the operator; nothing is kept open then
    public static BrokerNode open(
            BrokerConfig config,
            Disk disk,
            Network network,
            Clock clock,
            Entropy entropy,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults)
            throws OpenFailed {
        ParkedPulls parked = new ParkedPulls(clock, offload, faults);
        Snapshot snapshot = new Snapshot(disk, notices);
        Map<StateFile, Found> files;
        try {
            files = snapshot.load();
            Adoption.check(files, Store.ranHereLast(disk), Store.isEmpty(disk));
        } catch (FactLog.Unreadable e) {
            throw new OpenFailed(String.valueOf(e.getMessage()));
        }
        EntryRule rule = new DueTimes(config.send().delayLevels());
        Store store = Store.open(config.store(), disk, clock, offload, notices, faults, parked, rule);
        BrokerNode node =
                new BrokerNode(config, store, snapshot, parked, network, clock, entropy, offload, notices, faults);
        try {
            node.recover(snapshot, files);
        } catch (FactLog.Unreadable e) {
            store.close();
            throw new OpenFailed(String.valueOf(e.getMessage()));
        }
        node.catalogue.start();
        node.topicRetention.start();
        return node;
    }

    private void recover(Snapshot snapshot, Map<StateFile, Found> files) throws FactLog.Unreadable {
        boolean adopts = new Recovery(store, facts, catalogue, groups, delay, notices).run(files);
        snapshot.setDamagedAside(clock.wallMillis());
        if (!adopts) {
            return;
        }
        facts.append(new Fact.Adopted(), Outcome.IGNORED);
        String trouble = snapshots.writeNow();
        if (trouble != null) {
            throw new FactLog.Unreadable(
                    "what was taken over from RocketMQ could not be written down: " + trouble
                            + ". RocketMQ can still open" + " this store",
                    null);
        }
    }

    /// Listens, and tells the nameservers.
    ///
    /// @return where it listens
    public Endpoint start(Endpoint here) throws Network.ListenFailed {
        Network.Listener listener = network.listen(here, this);
        Endpoint advertised =
                new Endpoint(config.advertisedHost(), listener.local().port());
        RecordHost storeHost = RecordHost.of(advertised);
        Registrations registrations =
                new Registrations(config.registration(advertised), catalogue, network, clock, offload, notices, faults);
        Bursts bursts = new Bursts(store, storeHost, entropy.fork("unique keys"));
        serving.publish(
                Optional.of(new Serving(listener, new HandlerTable(handlers(registrations)), bursts, registrations)));
        registrations.tick();
        return listener.local();
    }

    private Map<Integer, RequestHandler> handlers(RouteNews news) {
        MessageStager stager = new MessageStager(config.send(), catalogue, clock);
        RequestHandler sends =
                new SendHandler(config.send(), catalogue, news, new RetrySends(catalogue, groups), stager);
        RequestHandler pulls = new PullHandler(config.pull(), store, catalogue, groups, parked, offload, clock);
        RequestHandler members = new MembershipHandler(groups, catalogue, clock);
        RequestHandler locks = new LockHandler(groups, clock);
        RequestHandler offsets = new OffsetHandler(groups, catalogue, store, config.hotLogBytes());
        RequestHandler queues = new QueueHandler(catalogue, store);
        RequestHandler topics = new TopicHandler(catalogue, news);
        Map<Integer, RequestHandler> table = new HashMap<>();
        table.put(RequestCodes.SEND_MESSAGE, sends);
        table.put(RequestCodes.SEND_MESSAGE_V2, sends);
        table.put(RequestCodes.SEND_BATCH_MESSAGE, sends);
        table.put(
                RequestCodes.CONSUMER_SEND_MSG_BACK,
                new Aside(
                        new SendBackHandler(
                                store,
                                catalogue,
                                new Redelivery(
                                        appender, catalogue, config.send().delayLevels(), clock)),
                        offload));
        table.put(RequestCodes.PULL_MESSAGE, pulls);
        table.put(RequestCodes.LITE_PULL_MESSAGE, pulls);
        table.put(RequestCodes.HEART_BEAT, members);
        table.put(RequestCodes.UNREGISTER_CLIENT, members);
        table.put(RequestCodes.GET_CONSUMER_LIST_BY_GROUP, members);
        table.put(RequestCodes.LOCK_BATCH_MQ, locks);
        table.put(RequestCodes.UNLOCK_BATCH_MQ, locks);
        table.put(RequestCodes.QUERY_CONSUMER_OFFSET, offsets);
        table.put(RequestCodes.UPDATE_CONSUMER_OFFSET, offsets);
        table.put(RequestCodes.GET_MAX_OFFSET, queues);
        table.put(RequestCodes.GET_MIN_OFFSET, queues);
        table.put(RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP, new Aside(queues, offload));
        table.put(RequestCodes.GET_EARLIEST_MSG_STORETIME, new Aside(queues, offload));
        table.put(RequestCodes.VIEW_MESSAGE_BY_ID, new Aside(new MessageHandler(store), offload));
        table.put(RequestCodes.QUERY_MESSAGE, new KeyQueryHandler(store));
        table.put(
                RequestCodes.GET_BROKER_RUNTIME_INFO,
                new StatusHandler(
                        store,
                        catalogue,
                        parked,
                        this::registered,
                        config.nameservers().size(),
                        clock));
        table.put(RequestCodes.UPDATE_AND_CREATE_TOPIC, topics);
        table.put(RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST, topics);
        table.put(RequestCodes.DELETE_TOPIC_IN_BROKER, topics);
        table.put(RequestCodes.GET_ALL_TOPIC_CONFIG, topics);
        RequestHandler ofGroups = new GroupHandler(groups, catalogue);
        table.put(RequestCodes.DELETE_SUBSCRIPTIONGROUP, ofGroups);
        table.put(RequestCodes.GANTRY_CLEAN_TOPIC_OF_GROUP, ofGroups);
        return table;
    }

    @Override
    public Network.Session accept(Link link) {
        Optional<Serving> read = serving.read();
        if (read.isEmpty()) {
            link.close("the broker is not serving");
            return new Deaf();
        }
        Serving now = read.get();
        return new ClientSession(link, now.handlers(), now.bursts(), gone -> {
            groups.linkClosed(gone);
            parked.linkClosed(gone);
        });
    }

    /// Runs `then` once the nameservers that can be reached know what this broker serves; within about a second
    /// anyway.
    public void whenTold(Runnable then) {
        serving.read().ifPresentOrElse(now -> now.registrations().whenTold(catalogue.changes(), then), then);
    }

    public void tick() {
        store.tick();
        parked.tick();
        groups.tick();
        catalogue.tick();
        topicRetention.tick();
        delay.tick();
        snapshots.tick();
        serving.read().ifPresent(now -> now.registrations().tick());
    }

    /// Withdraws from the nameservers and stops to accept; links that are open are the network's to close,
    /// before `close`.
    public void stop() {
        Optional<Serving> before = serving.read();
        serving.publish(Optional.empty());
        before.ifPresent(now -> {
            now.registrations().withdraw();
            now.listener().close();
        });
    }

    /// Where a follower's leader listens for followers, as nameservers say.
    public Optional<Endpoint> leaderHa() {
        return serving.read().flatMap(now -> now.registrations().leaderHa());
    }

    /// How it stands in its replica group; empty when it stands alone.
    public Optional<ReplicaStatus> replica() {
        return Optional.empty();
    }

    /// Exports the state, flushes and closes the store. Blocks.
    ///
    /// @return whether the stop was clean: every message is on disk
    public boolean close() {
        if (store.state() instanceof State.Serving) {
            groups.settle();
            String trouble = snapshots.writeLast();
            if (trouble != null) {
                notices.warn("the exported state in config/ could not be written: " + trouble
                        + ". Nothing is lost, the log has it; but RocketMQ would find it as it was before");
            }
        }
        return store.close();
    }

    public Store store() {
        return store;
    }

    /// How many nameservers know this broker.
    public long registered() {
        return serving.read().map(now -> now.registrations().registered()).orElse(0L);
    }

    /// Hears nothing; for links that come too early or too late.
    private static final class Deaf implements Network.Session {
        @Override
        public void frame(java.nio.ByteBuffer frame, int offset, int length) {}

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {}
    }
}
