package gantry.control.nameserver;

import gantry.base.Endpoint;
import gantry.control.routes.BrokerIdentity;
import gantry.control.routes.BrokerKey;
import gantry.control.routes.BrokerRegistration;
import gantry.control.routes.Registered;
import gantry.control.routes.RouteTable;
import gantry.wire.body.CompressedRegistration;
import gantry.wire.body.DataVersion;
import gantry.wire.body.KeyValueSpaces;
import gantry.wire.body.KeyValueTable;
import gantry.wire.body.Registration;
import gantry.wire.frame.FieldName;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What brokers say about themselves: 103 register, 104 unregister, 322 is my version known, 904 I live.
///
/// For:   reading these requests and turning them into events of the route table.
/// Owner: none (stateless); `RoutesOwner` owns the table.
final class BrokerRequests {
    /// A broker that promises to be heard within longer is believed for a day.
    private static final Duration LONGEST_PROMISE = Duration.ofDays(1);

    private static final FieldName CHANGED = FieldName.of("changed");

    private final RoutesOwner routes;
    private final KeyValues values;
    private final boolean orderToBrokers;

    BrokerRequests(RoutesOwner routes, KeyValues values, boolean orderToBrokers) {
        this.routes = routes;
        this.values = values;
        this.orderToBrokers = orderToBrokers;
    }

    void handle(Request request) {
        BrokerIdentity broker = new BrokerIdentity(
                request.text(FieldNames.CLUSTER_NAME),
                request.text(FieldNames.BROKER_NAME),
                request.header().longOr(FieldNames.BROKER_ID, 0),
                request.text(FieldNames.BROKER_ADDR));
        if (request.isRefused()) {
            return;
        }
        if (broker.cluster().isEmpty() || broker.brokerName().isEmpty()) {
            request.answer(Answer.failed("a broker needs a name and a cluster"));
            return;
        }
        switch (request.code()) {
            case RequestCodes.REGISTER_BROKER -> register(request, broker);
            case RequestCodes.UNREGISTER_BROKER -> unregister(request, broker.key());
            case RequestCodes.QUERY_DATA_VERSION -> queryVersion(request, broker.key());
            default -> heartbeat(request, broker);
        }
    }

    private void register(Request request, BrokerIdentity broker) {
        HeaderReader header = request.header();
        long promise = header.longOr(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, 0);
        String haAddress = header.text(FieldNames.HA_SERVER_ADDR);
        Boolean acting = header.has(FieldNames.ENABLE_ACTING_MASTER)
                ? Boolean.valueOf(header.booleanOr(FieldNames.ENABLE_ACTING_MASTER, false))
                : null;
        int checksum = Registration.checksum(request.frame(), header.bodyOffset(), header.bodyLength());
        int wanted = header.intOr(FieldNames.BODY_CRC32, 0);
        if (request.isRefused()) {
            return;
        }
        if (!isAddress(broker.address())) {
            request.answer(Answer.failed("\"" + broker.address() + "\" is no address: a broker is at host:port"));
            return;
        }
        if (request.hasBody() && wanted != 0 && wanted != checksum) {
            request.answer(Answer.failed("the body's checksum is " + checksum + ", the header says " + wanted));
            return;
        }
        long fingerprint = (long) header.bodyLength() << Integer.SIZE | checksum;
        Registration body;
        try {
            body = registration(request, broker.key(), fingerprint);
        } catch (JsonFault e) {
            request.answer(Answer.failed("the body is no registration: " + e.sentence()));
            return;
        }
        BrokerRegistration event = new BrokerRegistration(
                broker,
                haAddress == null ? "" : haAddress,
                promise <= 0 ? null : Duration.ofMillis(Math.min(promise, LONGEST_PROMISE.toMillis())),
                acting,
                header.text(FieldNames.ZONE_NAME),
                body,
                fingerprint,
                gone(header));
        long session = request.session();
        // RocketMQ's brokers expect silence when they are outdated; ours name what is wrong.
        boolean ours = header.has(FieldNames.GANTRY_WHOLE);
        routes.submit(
                request.reply(),
                (table, nowNanos) -> registered(table.register(event, session, nowNanos), broker, ours));
    }

    private static BrokerRegistration.Gone gone(HeaderReader header) {
        String names = header.text(FieldNames.GANTRY_GONE);
        return new BrokerRegistration.Gone(
                header.booleanOr(FieldNames.GANTRY_WHOLE, false),
                names == null ? List.of() : List.of(names.split(",")));
    }

    private static boolean isAddress(String text) {
        try {
            return Endpoint.parse(text).port() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// The body, read only when its bytes are not those that the broker sent last.
    private Registration registration(Request request, BrokerKey key, long fingerprint) throws JsonFault {
        if (!request.hasBody()) {
            return Registration.EMPTY;
        }
        Registration known = routes.image().known(key, fingerprint);
        if (known != null) {
            return known;
        }
        HeaderReader header = request.header();
        return header.booleanOr(FieldNames.COMPRESSED, false)
                ? CompressedRegistration.read(
                        request.frame(), header.bodyOffset(), header.bodyLength(), header.version())
                : Registration.fromJson(request.body());
    }

    private Answer registered(Registered outcome, BrokerIdentity broker, boolean ours) {
        return switch (outcome) {
            case Registered.Accepted(String masterAddress, String masterHaAddress) ->
                Answer.OK
                        .with(FieldNames.MASTER_ADDR, masterAddress)
                        .with(FieldNames.HA_SERVER_ADDR, masterHaAddress)
                        .withBody(orders());
            case Registered.Outdated(String holder) -> {
                String sentence = "broker " + broker + " is outdated: " + holder
                        + " has its name and id with a newer state. End one of the two";
                routes.warn(sentence);
                yield ours ? Answer.failed(sentence) : Answer.OK;
            }
            case Registered.Refused(String sentence) -> {
                routes.warn(sentence);
                yield Answer.failed(sentence);
            }
        };
    }

    private @Nullable KeyValueTable orders() {
        Map<String, String> orders = orderToBrokers ? values.space(KeyValueSpaces.ORDER_TOPIC_CONFIG) : null;
        return orders == null ? null : new KeyValueTable(orders);
    }

    private void unregister(Request request, BrokerKey key) {
        long session = request.session();
        routes.submit(request.reply(), (table, nowNanos) -> {
            String problem = table.unregister(key, session, nowNanos);
            return problem == null ? Answer.OK : Answer.failed(problem);
        });
    }

    private void queryVersion(Request request, BrokerKey key) {
        DataVersion version;
        try {
            version = request.hasBody() ? DataVersion.fromJson(request.body()) : DataVersion.NONE;
        } catch (JsonFault e) {
            request.answer(Answer.failed("the body is no data version: " + e.sentence()));
            return;
        }
        long session = request.session();
        routes.submit(request.reply(), (table, nowNanos) -> {
            table.heard(key, session, nowNanos);
            return versionAnswer(table, key, version);
        });
    }

    private static Answer versionAnswer(RouteTable table, BrokerKey key, DataVersion version) {
        return Answer.OK
                .with(CHANGED, Boolean.toString(table.isStale(key, version)))
                .withBody(table.version(key));
    }

    private void heartbeat(Request request, BrokerIdentity broker) {
        long session = request.session();
        routes.submit(
                request.reply(),
                (table, nowNanos) -> table.heard(broker.key(), session, nowNanos)
                        ? Answer.OK
                        : Answer.refused(
                                ResponseCodes.BROKER_NOT_EXIST,
                                "broker " + broker + " is not known here: register it"));
    }
}
