package gantry.broker.query;

import gantry.broker.append.Outcome;
import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import gantry.broker.topic.TopicNames;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.Map;

/// Creates, changes, deletes and lists topics (requests 17, 215 and 21).
///
/// For:   operators' tools, and clients that create topics.
/// Owner: none; submits to the catalogue.
/// Never: touches messages; a deleted topic's messages go with the log's retention.
public final class TopicHandler implements RequestHandler {
    /// More queues than this in one topic of one broker are taken for a slip.
    static final int MOST_QUEUES = 1024;

    private final Catalogue catalogue;
    private final RouteNews news;

    public TopicHandler(Catalogue catalogue, RouteNews news) {
        this.catalogue = catalogue;
        this.news = news;
    }

    @Override
    public void handle(Request request) {
        switch (request.header().code()) {
            case RequestCodes.UPDATE_AND_CREATE_TOPIC -> update(request);
            case RequestCodes.DELETE_TOPIC_IN_BROKER -> delete(request);
            default ->
                request.answer(
                        ResponseCodes.SUCCESS,
                        new TopicTable(catalogue.topicVersion(), catalogue.topicConfigs()).toBytes());
        }
    }

    private void update(Request request) {
        HeaderReader header = request.header();
        String topic = header.requireText(FieldNames.TOPIC);
        int readQueues = header.requireInt(FieldNames.READ_QUEUE_NUMS);
        int writeQueues = header.requireInt(FieldNames.WRITE_QUEUE_NUMS);
        int permission = header.requireInt(FieldNames.PERM);
        String fault = header.fault();
        if (fault == null) {
            fault = TopicNames.faultOfTopic(topic);
        }
        if (fault == null && TopicNames.isSystem(topic)) {
            fault = "topic \"" + topic + "\" is the system's own and cannot be changed";
        }
        if (fault == null
                && (readQueues < 1 || readQueues > MOST_QUEUES || writeQueues < 1 || writeQueues > MOST_QUEUES)) {
            fault = "a topic has between 1 and " + MOST_QUEUES + " message queues on a broker";
        }
        if (fault != null) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, fault);
            return;
        }
        String filterType = header.text(FieldNames.TOPIC_FILTER_TYPE);
        TopicConfig next = new TopicConfig(
                topic,
                readQueues,
                writeQueues,
                permission,
                filterType == null ? TopicConfig.SINGLE_TAG : filterType,
                header.intOr(FieldNames.TOPIC_SYS_FLAG, 0),
                header.booleanOr(FieldNames.ORDER, false),
                Map.of());
        Reply reply = request.later();
        answerBusyUnless(request, catalogue.update(next, answering(reply)));
    }

    private void delete(Request request) {
        String topic = request.header().requireText(FieldNames.TOPIC);
        if (request.header().fault() != null || TopicNames.isSystem(topic)) {
            request.refuse(
                    ResponseCodes.INVALID_PARAMETER,
                    "name a topic that is not the system's own; this one cannot be deleted");
            return;
        }
        Reply reply = request.later();
        answerBusyUnless(request, catalogue.delete(topic, answering(reply)));
    }

    /// Who hears that a topic was created looks for its route next, so that has to be there by then.
    private Outcome answering(Reply reply) {
        return refusal -> {
            if (refusal == null) {
                news.whenTold(catalogue.changes(), reply::succeed);
            } else {
                reply.answer(Refusals.codeOf(refusal), refusal.sentence());
            }
        };
    }

    private static void answerBusyUnless(Request request, boolean taken) {
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "too many topics are being changed: try again");
        }
    }
}
