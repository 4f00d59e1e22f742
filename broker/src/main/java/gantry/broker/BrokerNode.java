package gantry.broker;

import gantry.base.Clock;
import gantry.base.Directory;
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
import gantry.broker.group.Groups;
import gantry.broker.legacy.LegacyFollower;
import gantry.broker.legacy.LegacyMaster;
import gantry.broker.legacy.LegacySlaves;
import gantry.broker.pull.ParkedPulls;
import gantry.broker.query.BrokerView;
import gantry.broker.query.Settings;
import gantry.broker.register.Registrations;
import gantry.broker.replica.GroupMember;
import gantry.broker.replica.MemberGround;
import gantry.broker.replica.Reopening;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.session.Bursts;
import gantry.broker.session.ClientSession;
import gantry.broker.session.HandlersByRole;
import gantry.broker.session.Traffic;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.TopicRetention;
import gantry.replica.hello.Identity;
import gantry.store.Confirmation;
import gantry.store.Disk;
import gantry.store.EntryRule;
import gantry.store.OpenFailed;
import gantry.store.SideStore;
import gantry.store.State;
import gantry.store.Store;
import gantry.store.StoreAtRest;
import gantry.store.StoreConfig;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import gantry.wire.message.RecordHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.function.Consumer;

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
    /// RocketMQ's own distance.
    private static final int SECOND_PORT_BELOW = 2;

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
    private final FactFold fold;
    private final RecordAppender appender;
    private final RequestTables tables;
    private final Traffic traffic = new Traffic();
    private final Directory<Long, Link> links = new Directory<>();
    private final Image<Integer> haPort;
    private final Image<Settings> settings = new Image<>(Settings.NONE);

    /// What depends on the address, which is known once the broker listens.
    private record Serving(
            Network.Listener listener, HandlersByRole handlers, Bursts bursts, Registrations registrations) {}

    /// Its place in a replica group, and what others write there; set while it is opened.
    private final Image<Optional<GroupPlace>> place = new Image<>(Optional.empty());

    /// Of a member: whether its state came from RocketMQ's files, and whether it has to be said once more in facts, for
    /// those who copy the log.
    private final Image<Boolean> adopted = new Image<>(false);

    private final Image<Boolean> restates = new Image<>(false);

    private final Image<Optional<Serving>> serving = new Image<>(Optional.empty());

    /// Of a broker that RocketMQ's slaves may copy.
    private final Image<Optional<Network.Listener>> below = new Image<>(Optional.empty());

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
        this.haPort = new Image<>(config.haPort());
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
        this.fold = new FactFold(store, catalogue, groups, delay);
        this.snapshots = new SnapshotExport(
                snapshot,
                facts,
                this::foldedTo,
                catalogue,
                groups,
                delay,
                config.catalogue()::isGiven,
                config.snapshotPeriod(),
                clock,
                offload,
                notices,
                faults);
        this.facts.keepFrom(snapshots::exported);
        this.tables = new RequestTables(
                config,
                store,
                catalogue,
                groups,
                parked,
                appender,
                offload,
                clock,
                this::registered,
                place,
                settings,
                snapshots::gatherPlain,
                traffic);
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
        SideStore.settle(disk, notices);
        Snapshot snapshot = new Snapshot(disk, notices);
        Map<StateFile, Found> files;
        try {
            files = snapshot.load();
            Adoption.check(files, StoreAtRest.ranHereLast(disk), StoreAtRest.isEmpty(disk));
        } catch (FactLog.Unreadable e) {
            throw new OpenFailed(String.valueOf(e.getMessage()));
        }
        EntryRule rule = new DueTimes(config.send().delayLevels());
        StoreConfig wanted = config.store();
        if (config.replica().isPresent()) {
            GroupPlace.proveAlone(config.replica().get(), wanted, disk, clock, offload, notices, faults, rule);
            wanted = wanted.withConfirmation(Confirmation.BY_OWNER);
        }
        Store store = Store.open(wanted, disk, clock, offload, notices, faults, parked, rule);
        BrokerNode node =
                new BrokerNode(config, store, snapshot, parked, network, clock, entropy, offload, notices, faults);
        boolean opened = false;
        try {
            node.join(disk, wanted);
            node.recover(snapshot, files);
            opened = true;
        } catch (FactLog.Unreadable e) {
            throw new OpenFailed(String.valueOf(e.getMessage()));
        } finally {
            if (!opened) {
                store.close();
            }
        }
        node.catalogue.start();
        node.snapshots.reserved(node.topicConfigs());
        node.topicRetention.start();
        return node;
    }

    /// Takes its place in the group: from here on the log is confirmed by what the members hold.
    private void join(Disk disk, StoreConfig stored) throws OpenFailed {
        boolean follows = config.replica().isPresent() && config.replica().get().role() == ReplicaRole.FOLLOWER;
        if (!follows) {
            // Its log is the one that others copy.
            SideStore.discard(disk);
        }
        if (config.replica().isEmpty()) {
            return;
        }
        ReplicaConfig replica = config.replica().get();
        catalogue.follow();
        groups.follow();
        Identity self = new Identity(
                config.catalogue().clusterName(),
                config.catalogue().brokerName(),
                config.brokerId(),
                entropy.fork("instance").nextLong());
        Optional<LegacyMaster> copied = config.legacy().master();
        GroupMember member = copied.isPresent()
                ? LegacyFollower.begin(copied.get(), self, replica.promise(), store, disk, clock, offload, notices)
                : GroupMember.begin(
                        replica,
                        self,
                        this::leaderAddress,
                        this::gather,
                        new MemberGround(store, stored, disk, clock, entropy, offload, notices, faults));
        StatePoints points = new StatePoints(
                facts, snapshots::newestDigest, replica.limits().compare(), clock, offload, notices, faults);
        GroupPlace there =
                new GroupPlace(member, facts, points, () -> !catalogue.owesFacts() && !handsOver(), this::lead);
        config.legacy()
                .slaves()
                .ifPresent(door ->
                        there.serves(new LegacySlaves(door, groups::settle, store, clock, offload, notices, faults)));
        place.publish(Optional.of(there));
    }

    /// Which topics were dropped is asked last: a fact that drops one is in the copied log, or its topic is told here.
    private void gather(Consumer<SequencedMap<String, byte[]>> taker, Consumer<String> failed) {
        snapshots.gather(
                parts -> {
                    parts.putAll(store.copyParts());
                    taker.accept(parts);
                },
                failed);
    }

    private void recover(Snapshot snapshot, Map<StateFile, Found> files) throws FactLog.Unreadable {
        Recovery recovery = new Recovery(store, facts, catalogue, groups, fold, notices);
        boolean adopts = recovery.run(files);
        snapshot.setDamagedAside(clock.wallMillis());
        if (place.read().isPresent()) {
            snapshots.writesConfirmedOnly(recovery.foldedTo(), recovery.wholeFrom());
        }
        place.read()
                .ifPresent(there -> there.foldsOn(new FactFollower(
                        store,
                        facts,
                        fold,
                        catalogue,
                        recovery.foldedTo(),
                        recovery.wholeFrom(),
                        snapshots::digestServed,
                        new StateCheck(
                                config.replica()
                                        .orElseThrow()
                                        .limits()
                                        .compare()
                                        .stateEvery(),
                                clock,
                                notices),
                        offload,
                        notices,
                        faults)));
        if (place.read().isPresent()) {
            adopted.publish(adopts);
            restates.publish(adopts || place.read().get().member().bringsALog());
            place.read().get().look();
            return;
        }
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

    /// Lets these settings be read and changed; called before `start`.
    public void allow(Settings running) {
        settings.publish(running);
    }

    /// Opens the port that followers connect to, or begins to connect to a leader; nothing for who stands alone.
    /// Called once, before `start`.
    ///
    /// @return where followers connect; empty when nobody does
    public Optional<Endpoint> listenForFollowers() throws Network.ListenFailed {
        Optional<GroupPlace> there = place.read();
        if (there.isEmpty()) {
            return Optional.empty();
        }
        Optional<Endpoint> opened = there.get().member().start(network);
        opened.ifPresent(address -> haPort.publish(address.port()));
        return opened;
    }

    /// Opens the port that RocketMQ's slaves connect to, if any may; nameservers then tell it to every follower of this
    /// broker. Called once, before `start`.
    ///
    /// @return where they connect; empty when none may
    public Optional<Endpoint> listenForSlaves() throws Network.ListenFailed {
        Optional<LegacySlaves> slaves = slaves();
        if (slaves.isEmpty()) {
            return Optional.empty();
        }
        Endpoint opened = slaves.get().start(network);
        haPort.publish(opened.port());
        return Optional.of(opened);
    }

    /// Listens, and tells the nameservers.
    ///
    /// @return where it listens
    public Endpoint start(Endpoint here) throws Network.ListenFailed {
        Endpoint haAddress = new Endpoint(config.advertisedHost(), haPort.read());
        Network.Listener listener = network.listen(here, this);
        if (config.legacy().slaves().isPresent()) {
            listenBelow(listener);
        }
        Endpoint advertised =
                new Endpoint(config.advertisedHost(), listener.local().port());
        RecordHost storeHost = RecordHost.of(advertised);
        Registrations registrations = new Registrations(
                config.registration(advertised, haAddress),
                catalogue,
                this::reign,
                network,
                clock,
                offload,
                notices,
                faults);
        Bursts bursts = new Bursts(store, storeHost, entropy.fork("unique keys"), tables.late(), traffic);
        HandlersByRole handlers = new HandlersByRole(tables.of(registrations));
        serving.publish(Optional.of(new Serving(listener, handlers, bursts, registrations)));
        registrations.tick();
        return listener.local();
    }

    /// The epoch in which this member leads; 0 while it does not, and without a group.
    private long reign() {
        return place.read()
                .filter(GroupPlace::leads)
                .map(there -> there.status().epoch())
                .orElse(0L);
    }

    /// RocketMQ's brokers have a second port for clients, and their slaves ask for some things there alone.
    private void listenBelow(Network.Listener listener) throws Network.ListenFailed {
        Endpoint clients = listener.local();
        Endpoint second = new Endpoint(clients.host(), Math.max(1, clients.port() - SECOND_PORT_BELOW));
        try {
            below.publish(Optional.of(network.listen(second, this)));
        } catch (Network.ListenFailed e) {
            listener.close();
            throw new Network.ListenFailed(
                    "RocketMQ's slaves (legacySlaves) ask for topics at the port two below, " + second + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private Optional<Endpoint> leaderAddress() {
        return config.replica()
                .flatMap(ReplicaConfig::leader)
                .or(() -> serving.read().flatMap(now -> now.registrations().leaderHa()));
    }

    /// Takes changes from now on.
    private void lead() {
        catalogue.lead();
        groups.lead();
        if (adopted.read()) {
            facts.append(new Fact.Adopted(), Outcome.IGNORED);
        }
        if (restates.read()) {
            catalogue.restate();
            groups.restate();
            delay.restate();
        }
        serving.read().ifPresent(now -> now.handlers().become(tables.of(now.registrations())));
    }

    private boolean leads() {
        return place.read().map(GroupPlace::leads).orElse(true);
    }

    /// Whether the log is to come to its end.
    private boolean handsOver() {
        return slaves().flatMap(slaves -> slaves.handOver().refuses()).isPresent();
    }

    private long foldedTo() {
        return place.read().map(GroupPlace::foldedTo).orElse(Long.MAX_VALUE);
    }

    @Override
    public Network.Session accept(Link link) {
        Optional<Serving> read = serving.read();
        if (read.isEmpty()) {
            link.close("the broker is not serving");
            return new Deaf();
        }
        Serving now = read.get();
        links.put(link.id(), link);
        return new ClientSession(link, now.handlers(), now.bursts(), gone -> {
            links.remove(gone.id());
            groups.linkClosed(gone);
            parked.linkClosed(gone);
        });
    }

    /// Runs `then` once the nameservers that can be reached know what this broker serves, or after
    /// about a second.
    public void whenTold(Runnable then) {
        serving.read().ifPresentOrElse(now -> now.registrations().whenTold(catalogue.changes(), then), then);
    }

    /// Whether `config/` is this broker's state: not while it is kept as a RocketMQ master's.
    private boolean exports() {
        return config.legacy().master().isEmpty();
    }

    public void tick() {
        store.tick();
        place.read().ifPresent(GroupPlace::tick);
        parked.tick();
        groups.tick();
        catalogue.tick();
        topicRetention.tick();
        if (leads() && !handsOver()) {
            delay.tick();
        }
        if (exports()) {
            snapshots.tick();
        }
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
        below.read().ifPresent(Network.Listener::close);
        place.read().ifPresent(GroupPlace::stop);
    }

    /// Runs `then` once RocketMQ's slaves have all that is confirmed; at once if there are none. After `stop`.
    public void whenSlavesHaveAll(Runnable then) {
        slaves().ifPresentOrElse(there -> there.whenTaken(then), then);
    }

    /// They are waited for no longer; what each lacks is told.
    public void closeSlaves() {
        slaves().ifPresent(LegacySlaves::stop);
    }

    private Optional<LegacySlaves> slaves() {
        return place.read().flatMap(GroupPlace::slaves);
    }

    /// Closes every client's link, for a broker that goes on in the same process with another store.
    public void disconnect(String why) {
        links.values().forEach(link -> link.close(why));
    }

    /// Whether the state has everything that is confirmed, and the log everything that the state says.
    public boolean hasFolded() {
        return foldedTo() >= facts.end() && !catalogue.owesFacts();
    }

    /// Every topic's settings, sorted by name.
    public Map<String, TopicConfig> topicConfigs() {
        return catalogue.topicConfigs();
    }

    /// Every consumer group's settings, sorted by name.
    public Map<String, SubscriptionGroup> groupConfigs() {
        return catalogue.groupConfigs();
    }

    /// `topic@group` → queue → offset, as the log has them. Waits for each shard.
    public Map<String, SortedMap<Integer, Long>> consumerOffsets() {
        return groups.offsetsNow();
    }

    /// Where a follower's leader listens for followers, as nameservers say.
    public Optional<Endpoint> leaderHa() {
        return serving.read().flatMap(now -> now.registrations().leaderHa());
    }

    /// How it stands in its replica group; empty when it stands alone.
    public Optional<ReplicaStatus> replica() {
        return place.read().map(GroupPlace::status);
    }

    /// Does to a closed store what its last node asked for. Waits for the disk.
    ///
    /// @return whether it could be done; else it need not be tried again soon
    public static boolean change(Reopening work, BrokerConfig config, Disk disk, Clock clock, Notices notices)
            throws OpenFailed {
        return work.carryOut(disk, config.store().withConfirmation(Confirmation.BY_OWNER), notices, clock.wallMillis());
    }

    /// What has to be done to the closed store before this broker can go on following.
    public Optional<Reopening> reopening() {
        return place.read().flatMap(there -> there.member().reopening());
    }

    /// Exports the state, flushes and closes the store. Blocks.
    ///
    /// @return whether the stop was clean: every message is on disk
    public boolean close() {
        closeSlaves();
        if (store.state() instanceof State.Serving) {
            groups.settle();
            String trouble = exports() ? snapshots.writeLast() : null;
            if (trouble != null) {
                notices.warn("the exported state in config/ could not be written: " + trouble
                        + ". Nothing is lost, the log has it; but RocketMQ would find it as it was before");
            }
        }
        return store.close();
    }

    /// How it is now; asked at any time on any thread, and waits for nobody.
    public BrokerView view() {
        Optional<Serving> now = serving.read();
        return new BrokerView(
                config.catalogue().brokerName(),
                config.brokerId(),
                store.state(),
                store.troubles(),
                store.figures(),
                place.read().map(GroupPlace::status),
                new BrokerView.Nameservers(
                        config.nameservers().size(),
                        registered(),
                        now.map(there -> there.registrations().troubles()).orElse(List.of())),
                links.size(),
                parked.parked(),
                catalogue.topicCount(),
                traffic.figures());
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
