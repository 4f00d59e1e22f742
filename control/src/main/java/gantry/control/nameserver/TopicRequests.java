package gantry.control.nameserver;

import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.JsonFault;
import java.util.List;

/// Changes of topics: 205 and 327 permission to write, 216 delete, 217 one topic more.
///
/// For:   tools, and brokers that announce one topic.
/// Owner: none (stateless); `RoutesOwner` owns the table.
final class TopicRequests {
    private final RoutesOwner routes;

    TopicRequests(RoutesOwner routes) {
        this.routes = routes;
    }

    void handle(Request request) {
        switch (request.code()) {
            case RequestCodes.WIPE_WRITE_PERM_OF_BROKER, RequestCodes.ADD_WRITE_PERM_OF_BROKER -> permit(request);
            case RequestCodes.DELETE_TOPIC_IN_NAMESRV -> delete(request);
            default -> add(request);
        }
    }

    private void permit(Request request) {
        String brokerName = request.text(FieldNames.BROKER_NAME);
        boolean wipe = request.code() == RequestCodes.WIPE_WRITE_PERM_OF_BROKER;
        if (request.isRefused()) {
            return;
        }
        routes.submit(request.reply(), (table, nowNanos) -> {
            int count = table.permit(
                    brokerName, permission -> wipe ? permission & ~Permission.WRITE : Permission.READ_WRITE);
            return Answer.OK.with(wipe ? FieldNames.WIPE_TOPIC_COUNT : FieldNames.ADD_TOPIC_COUNT, count);
        });
    }

    private void delete(Request request) {
        String topic = request.text(FieldNames.TOPIC);
        String cluster = request.header().text(FieldNames.CLUSTER_NAME);
        if (request.isRefused()) {
            return;
        }
        routes.submit(request.reply(), (table, nowNanos) -> {
            table.deleteTopic(topic, cluster == null || cluster.isEmpty() ? null : cluster);
            return Answer.OK;
        });
    }

    private void add(Request request) {
        String topic = request.text(FieldNames.TOPIC);
        if (request.isRefused()) {
            return;
        }
        List<QueueLayout> layouts;
        try {
            layouts = request.hasBody() ? TopicRoute.fromJson(request.body()).queues() : List.of();
        } catch (JsonFault e) {
            request.answer(Answer.failed("the body is no route: " + e.sentence()));
            return;
        }
        routes.submit(request.reply(), (table, nowNanos) -> {
            int leftOut = table.addTopic(topic, layouts);
            return leftOut == 0
                    ? Answer.OK
                    : Answer.failed(leftOut + " of " + layouts.size() + " brokers of topic " + topic
                            + " are not known here or have no room: register them first");
        });
    }
}
