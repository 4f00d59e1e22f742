package gantry.broker.query;

import gantry.base.Clock;
import gantry.broker.pull.ParkedPulls;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.store.ScrubState;
import gantry.store.State;
import gantry.store.Store;
import gantry.store.Trouble;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.frame.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Says how the broker is (request 28), under the keys that RocketMQ's tools know, and some of ours.
///
/// For:   `./gantry health`, and the tools' lists.
/// Owner: none; reads what others publish.
/// Never: a value that is not measured; a key that is missing is better than one that is made up.
public final class StatusHandler implements RequestHandler {
    private final Store store;
    private final Catalogue catalogue;
    private final ParkedPulls parked;
    private final LongSupplier registered;
    private final int nameservers;
    private final Supplier<Optional<ReplicaStatus>> group;
    private final Clock clock;
    private final long startedMillis;

    /// @param registered how many of the `nameservers` know this broker
    /// @param group      how it stands in its replica group
    public StatusHandler(
            Store store,
            Catalogue catalogue,
            ParkedPulls parked,
            LongSupplier registered,
            int nameservers,
            Supplier<Optional<ReplicaStatus>> group,
            Clock clock) {
        this.store = store;
        this.catalogue = catalogue;
        this.parked = parked;
        this.registered = registered;
        this.nameservers = nameservers;
        this.group = group;
        this.clock = clock;
        this.startedMillis = clock.wallMillis();
    }

    @Override
    public void handle(Request request) {
        request.answer(ResponseCodes.SUCCESS, new KeyValueTable(table()).toBytes());
    }

    private Map<String, String> table() {
        Map<String, String> table = new TreeMap<>();
        State state = store.state();
        boolean serving = state instanceof State.Serving;
        table.put("bootTimestamp", Long.toString(startedMillis));
        table.put("runtime", runtime(clock.wallMillis() - startedMillis));
        table.put("brokerVersion", Integer.toString(Versions.OURS));
        table.put("brokerVersionDesc", "Gantry");
        table.put("brokerActive", Boolean.toString(serving));
        table.put("commitLogMinOffset", Long.toString(store.minOffset()));
        table.put("commitLogMaxOffset", Long.toString(store.appended()));
        table.put("remainHowManyDataToFlush", (store.appended() - store.durable()) + " B");
        table.put("dispatchBehindBytes", Long.toString(store.appended() - store.confirmOffset()));
        table.put("gantry.confirmOffset", Long.toString(store.confirmOffset()));
        table.put("gantry.durableOffset", Long.toString(store.durable()));
        table.put("gantry.indexedOffset", Long.toString(store.indexedOffset()));
        Optional<ReplicaStatus> view = group.get();
        putState(table, state, store.troubles(), view);
        view.ifPresent(seen -> ReplicaFigures.put(table, seen));
        ScrubState scrub = store.scrub();
        table.put("gantry.scrub", scrub.phase());
        table.put("gantry.scrubOffset", Long.toString(scrub.logOffset()));
        table.put("gantry.scrubRounds", Long.toString(scrub.rounds()));
        table.put("gantry.damagedPlaces", Long.toString(scrub.damageCount()));
        if (scrub.lastDamage() != null) {
            table.put("gantry.lastDamage", scrub.lastDamage());
        }
        table.put("gantry.parkedPulls", Long.toString(parked.parked()));
        table.put("gantry.topics", Integer.toString(catalogue.topicConfigs().size()));
        table.put("gantry.nameservers", Integer.toString(nameservers));
        table.put("gantry.registeredAt", Long.toString(registered.getAsLong()));
        return table;
    }

    /// What keeps it from doing all it should: one word or two each, and the sentences.
    static void putState(Map<String, String> table, State state, List<Trouble> troubles, Optional<ReplicaStatus> view) {
        List<Reason> reasons = new ArrayList<>(Health.own("broker", state, troubles, view));
        view.ifPresent(seen -> reasons.addAll(Health.comparison("broker", seen.comparison())));
        table.put(
                "gantry.state",
                reasons.isEmpty()
                        ? "serving"
                        : reasons.stream().map(Reason::state).collect(Collectors.joining(", ")));
        if (!reasons.isEmpty()) {
            table.put(
                    "gantry.stateReason", reasons.stream().map(Reason::sentence).collect(Collectors.joining(" ")));
        }
    }

    private static String runtime(long millis) {
        long seconds = millis / 1000;
        return "[ " + seconds / 86_400 + " days, " + seconds / 3600 % 24 + " hours, " + seconds / 60 % 60 + " minutes, "
                + seconds % 60 + " seconds ]";
    }
}
