package gantry.broker;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Offload;
import gantry.broker.append.RecordAppender;
import gantry.broker.group.GroupHandler;
import gantry.broker.group.Groups;
import gantry.broker.group.LockHandler;
import gantry.broker.group.MembershipHandler;
import gantry.broker.group.OffsetHandler;
import gantry.broker.legacy.HandOver;
import gantry.broker.legacy.LegacySlaves;
import gantry.broker.legacy.SlaveTables;
import gantry.broker.pull.ParkedPulls;
import gantry.broker.pull.PullHandler;
import gantry.broker.query.HaStatusHandler;
import gantry.broker.query.KeyQueryHandler;
import gantry.broker.query.MessageHandler;
import gantry.broker.query.QueueHandler;
import gantry.broker.query.Settings;
import gantry.broker.query.SettingsHandler;
import gantry.broker.query.StatusHandler;
import gantry.broker.query.TopicHandler;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.send.MessageStager;
import gantry.broker.send.Redelivery;
import gantry.broker.send.RetrySends;
import gantry.broker.send.SendBackHandler;
import gantry.broker.send.SendHandler;
import gantry.broker.session.Aside;
import gantry.broker.session.HandlerTable;
import gantry.broker.session.LateAnswer;
import gantry.broker.session.Refusing;
import gantry.broker.session.RequestHandler;
import gantry.broker.session.Traffic;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import gantry.store.Store;
import gantry.wire.frame.RequestCodes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Which request is done by whom, for each role of a broker.
///
/// For:   one place that says what a broker answers, and what it leaves to the leader of its group.
/// Owner: none (immutable).
/// Never: answers a request itself.
final class RequestTables {
    /// What a leader with too few followers refuses.
    private static final Set<Integer> SENDS = Set.of(
            RequestCodes.SEND_MESSAGE,
            RequestCodes.SEND_MESSAGE_V2,
            RequestCodes.SEND_BATCH_MESSAGE,
            RequestCodes.CONSUMER_SEND_MSG_BACK);

    /// What only a leader does.
    private static final Set<Integer> CHANGES = union(
            SENDS,
            RequestCodes.LOCK_BATCH_MQ,
            RequestCodes.UNLOCK_BATCH_MQ,
            RequestCodes.UPDATE_CONSUMER_OFFSET,
            RequestCodes.UPDATE_AND_CREATE_TOPIC,
            RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST,
            RequestCodes.DELETE_TOPIC_IN_BROKER,
            RequestCodes.DELETE_SUBSCRIPTIONGROUP,
            RequestCodes.GANTRY_CLEAN_TOPIC_OF_GROUP);

    /// While a leader does not see all of its log again, ends and offsets are lower than clients have seen them.
    private static final Set<Integer> CHANGES_AND_ENDS = union(
            CHANGES,
            RequestCodes.GET_MAX_OFFSET,
            RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP,
            RequestCodes.QUERY_CONSUMER_OFFSET);

    private static final Set<Integer> CHANGES_AND_PULLS =
            union(CHANGES, RequestCodes.PULL_MESSAGE, RequestCodes.LITE_PULL_MESSAGE);

    private final BrokerConfig config;
    private final Store store;
    private final Catalogue catalogue;
    private final Groups groups;
    private final ParkedPulls parked;
    private final RecordAppender appender;
    private final Offload offload;
    private final Clock clock;
    private final LongSupplier registered;
    private final Image<Optional<GroupPlace>> place;
    private final Image<Settings> settings;
    private final SlaveTables.State exported;
    private final Traffic traffic;

    /// @param exported what RocketMQ's slaves are told
    /// @param registered how many nameservers know this broker
    /// @param place in a replica group; empty when it stands alone
    RequestTables(
            BrokerConfig config,
            Store store,
            Catalogue catalogue,
            Groups groups,
            ParkedPulls parked,
            RecordAppender appender,
            Offload offload,
            Clock clock,
            LongSupplier registered,
            Image<Optional<GroupPlace>> place,
            Image<Settings> settings,
            SlaveTables.State exported,
            Traffic traffic) {
        this.config = config;
        this.store = store;
        this.catalogue = catalogue;
        this.groups = groups;
        this.parked = parked;
        this.appender = appender;
        this.offload = offload;
        this.clock = clock;
        this.registered = registered;
        this.place = place;
        this.settings = settings;
        this.exported = exported;
        this.traffic = traffic;
    }

    private Optional<ReplicaStatus> group() {
        return place.read().map(GroupPlace::status);
    }

    private boolean leads() {
        return place.read().map(GroupPlace::leads).orElse(true);
    }

    /// What is done with each request now.
    HandlerTable of(RouteNews news) {
        Map<Integer, RequestHandler> table = table(news);
        place.read().ifPresent(there -> {
            closed(there)
                    .forEach(code ->
                            table.computeIfPresent(code, (_, handler) -> new Refusing(there::refuses, handler)));
        });
        place.read().flatMap(GroupPlace::slaves).ifPresent(slaves -> serve(slaves, table));
        return new HandlerTable(table);
    }

    /// What RocketMQ's slaves ask besides the log, and the step by which everything goes to them.
    private void serve(LegacySlaves slaves, Map<Integer, RequestHandler> table) {
        HandOver handOver = slaves.handOver();
        for (Integer code : CHANGES_AND_PULLS) {
            Supplier<Optional<String>> why =
                    code == RequestCodes.UPDATE_CONSUMER_OFFSET ? handOver::refusesCommits : handOver::refuses;
            table.computeIfPresent(code, (_, handler) -> new Refusing(why, handler));
        }
        RequestHandler nobody = new HandlerTable(Map.of());
        SlaveTables.CODES.forEach(
                code -> table.put(code, new SlaveTables(slaves, exported, clock, table.getOrDefault(code, nobody))));
    }

    /// What is said of a message that is not confirmed in time.
    LateAnswer late() {
        boolean others =
                config.replica().map(replica -> replica.promise().members() > 1).orElse(false);
        return others ? LateAnswer.MEMBERS : LateAnswer.DISK;
    }

    private Set<Integer> closed(GroupPlace there) {
        if (there.leads()) {
            return SENDS;
        }
        if (there.member().mayLead()) {
            return CHANGES_AND_ENDS;
        }
        return config.replica().map(ReplicaConfig::lends).orElse(true) ? CHANGES : CHANGES_AND_PULLS;
    }

    private Map<Integer, RequestHandler> table(RouteNews news) {
        MessageStager stager = new MessageStager(config.send(), catalogue, clock);
        RequestHandler sends =
                new SendHandler(config.send(), catalogue, news, new RetrySends(catalogue, groups), stager);
        RequestHandler pulls =
                new PullHandler(config.pull(), this::leads, store, catalogue, groups, parked, offload, clock, traffic);
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
                        registered,
                        config.nameservers().size(),
                        this::group,
                        clock));
        table.put(RequestCodes.GET_BROKER_HA_STATUS, new HaStatusHandler(this::group, store::appended, clock));
        table.put(RequestCodes.GET_BROKER_CONFIG, new SettingsHandler(settings.read()));
        table.put(RequestCodes.UPDATE_BROKER_CONFIG, new SettingsHandler(settings.read()));
        table.put(RequestCodes.UPDATE_AND_CREATE_TOPIC, topics);
        table.put(RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST, topics);
        table.put(RequestCodes.DELETE_TOPIC_IN_BROKER, topics);
        table.put(RequestCodes.GET_ALL_TOPIC_CONFIG, topics);
        RequestHandler ofGroups = new GroupHandler(groups, catalogue);
        table.put(RequestCodes.DELETE_SUBSCRIPTIONGROUP, ofGroups);
        table.put(RequestCodes.GANTRY_CLEAN_TOPIC_OF_GROUP, ofGroups);
        return table;
    }

    private static Set<Integer> union(Set<Integer> some, Integer... more) {
        Set<Integer> all = new HashSet<>(some);
        all.addAll(List.of(more));
        return Set.copyOf(all);
    }
}
