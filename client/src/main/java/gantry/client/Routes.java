package gantry.client;

import gantry.base.Endpoint;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks nameservers where topics are.
///
/// For:   an answer from the first nameserver that gives one, each with its slice of the time.
/// Owner: none (immutable).
/// Never: keeps a route; the full client will.
public final class Routes {
    /// Whose route a producer uses for a topic that nobody knows yet (nameserver.md §5).
    public static final String DEFAULT_TOPIC = "TBW102";

    private final RemotingClient client;
    private final List<Endpoint> nameservers;

    public Routes(RemotingClient client, List<Endpoint> nameservers) {
        if (nameservers.isEmpty()) {
            throw new IllegalArgumentException("name at least one nameserver, as HOST:PORT");
        }
        this.client = client;
        this.nameservers = List.copyOf(nameservers);
    }

    /// The route of a topic, or null when the nameservers do not know it.
    public @Nullable TopicRoute find(String topic, Duration limit) throws CallFailed {
        Command request = Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.ACCEPT_STANDARD_JSON_ONLY, true);
        Command answer = ask(request, limit);
        if (answer.code() == ResponseCodes.TOPIC_NOT_EXIST) {
            return null;
        }
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw new CallFailed(
                    "the nameserver answered code " + answer.code() + ": " + answer.remark(), answer.code());
        }
        try {
            return TopicRoute.fromJson(Json.read(answer.body()));
        } catch (JsonFault e) {
            throw new CallFailed("the nameserver's route cannot be read: " + e.sentence(), answer.code());
        }
    }

    /// The answer of the first nameserver that answers within its slice of `limit`.
    public Command ask(Command request, Duration limit) throws CallFailed {
        Duration slice = limit.dividedBy(nameservers.size());
        List<String> tried = new ArrayList<>();
        for (Endpoint nameserver : nameservers) {
            try {
                return client.call(nameserver, request, slice);
            } catch (CallFailed e) {
                tried.add(e.sentence());
            }
        }
        throw new CallFailed("no nameserver answered: " + String.join("; ", tried), CallFailed.NO_ANSWER);
    }

    /// The master of a broker name in a route, or null when it has none.
    public static @Nullable Endpoint master(TopicRoute route, String brokerName) {
        for (BrokerAddresses broker : route.brokers()) {
            String address = broker.addresses().get(BrokerAddresses.MASTER_ID);
            if (broker.brokerName().equals(brokerName) && address != null) {
                return Endpoint.parse(address);
            }
        }
        return null;
    }
}
