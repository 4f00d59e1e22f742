package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.List;

/// What the commands that look for messages have in common.
///
/// For:   asking every master of a topic for messages with a key.
/// Owner: the main thread.
abstract class QueryTool extends Tool {
    static TopicRoute route(Routes routes, String topic) throws CallFailed {
        TopicRoute route = routes.find(topic, PATIENCE);
        if (route == null) {
            throw CallFailed.because("topic \"" + topic + "\" does not exist: topicList shows those that do");
        }
        return route;
    }

    static Command byKey(String topic, String key, int most, long beginMillis, long endMillis) {
        return Command.request(RequestCodes.QUERY_MESSAGE)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.KEY, key)
                .with(FieldNames.MAX_NUM, most)
                .with(FieldNames.BEGIN_TIMESTAMP, beginMillis)
                .with(FieldNames.END_TIMESTAMP, endMillis);
    }

    /// Asks all masters, and shows what they found.
    ///
    /// @return the exit code: failed when a master did not answer
    int showAll(RemotingClient client, TopicRoute route, Command request) throws CallFailed {
        Found found = new Found();
        List<String> failures = new ArrayList<>();
        for (BrokerAddresses broker : route.brokers()) {
            Endpoint master = Routes.master(route, broker.brokerName());
            if (master == null) {
                failures.add("broker " + broker.brokerName() + " has no master that could be asked");
                continue;
            }
            try {
                Command answer = client.call(master, request, PATIENCE);
                if (answer.code() == ResponseCodes.SUCCESS) {
                    found.add(master, broker.brokerName(), answer.body());
                } else if (answer.code() != ResponseCodes.QUERY_NOT_FOUND) {
                    failures.add(broker.brokerName() + " at " + master + " answered with code " + answer.code() + ": "
                            + answer.remark());
                }
            } catch (CallFailed e) {
                failures.add(e.sentence());
            }
        }
        show(found);
        if (!failures.isEmpty()) {
            throw CallFailed.because("not every broker was searched: " + String.join("; ", failures));
        }
        return DONE;
    }

    void show(Found found) {
        show(found.table());
        if (found.count() == 0) {
            say("no messages");
        }
    }
}
