package gantry.client.produce;

import gantry.client.call.FakeServer;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the nameservers of a test know.
final class FakeRoutes {
    private FakeRoutes() {}

    /// A topic with so many queues on each of these brokers, which are called b-a, b-b and so on.
    static TopicRoute route(int queues, FakeServer... brokers) {
        List<QueueLayout> layouts = new ArrayList<>();
        List<BrokerAddresses> addresses = new ArrayList<>();
        for (int i = 0; i < brokers.length; i++) {
            String name = "b-" + (char) ('a' + i);
            layouts.add(new QueueLayout(name, queues, queues, 6, 0));
            addresses.add(new BrokerAddresses(
                    "C", name, new TreeMap<>(Map.of(0L, brokers[i].local().toString())), false, null));
        }
        return new TopicRoute(layouts, addresses);
    }

    /// `server` answers with these routes, and knows no others.
    static FakeServer nameserver(FakeServer server, Map<String, TopicRoute> routes) {
        return server.on(RequestCodes.GET_ROUTEINFO_BY_TOPIC, request -> {
            @Nullable TopicRoute route = routes.get(request.fieldOr(FieldNames.TOPIC, ""));
            return route == null
                    ? Command.answer(request, ResponseCodes.TOPIC_NOT_EXIST).withRemark("no route")
                    : Command.answer(request, ResponseCodes.SUCCESS).withBody(route.toBytes());
        });
    }
}
