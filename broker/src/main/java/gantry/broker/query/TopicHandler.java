package gantry.broker.query;

import gantry.broker.append.Outcome;
import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicAttributes;
import gantry.broker.topic.TopicNames;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Creates, changes, deletes and lists topics (requests 17 and 18, 215 and 21).
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
            case RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST -> updateAll(request);
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
        String filterType = header.text(FieldNames.TOPIC_FILTER_TYPE);
        TopicConfig next = new TopicConfig(
                topic,
                header.requireInt(FieldNames.READ_QUEUE_NUMS),
                header.requireInt(FieldNames.WRITE_QUEUE_NUMS),
                header.requireInt(FieldNames.PERM),
                filterType == null ? TopicConfig.SINGLE_TAG : filterType,
                header.intOr(FieldNames.TOPIC_SYS_FLAG, 0),
                header.booleanOr(FieldNames.ORDER, false),
                attributesOf(topic));
        String fault = header.fault() != null ? header.fault() : faultOf(next);
        if (fault != null) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, fault);
            return;
        }
        switch (TopicAttributes.change(next.attributes(), header.text(FieldNames.ATTRIBUTES))) {
            case TopicAttributes.Changed.Refused refused ->
                request.refuse(ResponseCodes.INVALID_PARAMETER, refused.sentence());
            case TopicAttributes.Changed.To to -> {
                Reply reply = request.later();
                answerBusyUnless(request, catalogue.update(next.with(to.attributes()), answering(reply)));
            }
        }
    }

    private Map<String, String> attributesOf(String topic) {
        Topic known = catalogue.topic(topic);
        return known == null ? Map.of() : known.config().attributes();
    }

    /// All of them or, when one cannot be, none. The answer comes when the log carries the last.
    private void updateAll(Request request) {
        List<TopicConfig> wanted = new ArrayList<>();
        String attributeFault = null;
        try {
            List<Json> items = Json.read(
                            request.frame(),
                            request.header().bodyOffset(),
                            request.header().bodyLength())
                    .asObject("a list of topics")
                    .array("topicConfigList");
            for (Json item : items) {
                TopicConfig next = TopicConfig.fromJson(item);
                switch (TopicAttributes.change(attributesOf(next.topic()), next.attributes())) {
                    case TopicAttributes.Changed.Refused refused -> attributeFault = refused.sentence();
                    case TopicAttributes.Changed.To to -> wanted.add(next.with(to.attributes()));
                }
            }
        } catch (JsonFault e) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, "the list of topics cannot be read: " + e.sentence());
            return;
        }
        String fault =
                attributeFault != null ? attributeFault : wanted.isEmpty() ? "the list of topics is empty" : null;
        for (TopicConfig next : wanted) {
            fault = fault != null ? fault : faultOf(next);
        }
        if (fault != null) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, fault + "; no topic of the list was changed");
            return;
        }
        Reply reply = request.later();
        answerBusyUnless(request, catalogue.update(wanted, answering(reply)));
    }

    private static @Nullable String faultOf(TopicConfig next) {
        String topic = next.topic();
        String fault = TopicNames.faultOfTopic(topic);
        if (fault != null) {
            return fault;
        }
        if (TopicNames.isSystem(topic)) {
            return "topic \"" + topic + "\" is the system's own and cannot be changed";
        }
        return isQueueCount(next.readQueues()) && isQueueCount(next.writeQueues())
                ? null
                : "topic \"" + topic + "\" was to have " + next.readQueues() + " message queues to read and "
                        + next.writeQueues() + " to write: it has between 1 and " + MOST_QUEUES + " on a broker";
    }

    private static boolean isQueueCount(int queues) {
        return queues >= 1 && queues <= MOST_QUEUES;
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
                reply.answer(Refusals.codeOf(refusal), refusal.remark());
            }
        };
    }

    private static void answerBusyUnless(Request request, boolean taken) {
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "too many topics are being changed: try again");
        }
    }
}
