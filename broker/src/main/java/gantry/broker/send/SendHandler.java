package gantry.broker.send;

import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicNames;
import gantry.wire.body.Permission;
import gantry.wire.body.TopicConfig;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.SendHeader;
import org.jspecify.annotations.Nullable;

/// Takes in one message, or a batch of them (requests 10, 310 and 320).
///
/// For:   the hot path of a send, up to the record in the session's burst.
/// Owner: none; works on the session's objects.
/// Never: waits, copies a body more than once, makes a string of a topic it has seen on this connection.
///
/// ```
///   header ─▶ topic known? ─no─▶ detach, ask the catalogue, wait for its route, handle again
///                 │ yes
///                 ▼
///             admitted? ─no─▶ refuse
///                 │ yes
///                 ▼
///             retry topic and redelivered too often? ─▶ RetrySends decides
///                 ▼
///             stage one record, or one for each item of a batch
/// ```
public final class SendHandler implements RequestHandler {
    private final SendConfig config;
    private final Catalogue catalogue;
    private final RouteNews news;
    private final RetrySends retries;
    private final MessageStager stager;

    public SendHandler(
            SendConfig config, Catalogue catalogue, RouteNews news, RetrySends retries, MessageStager stager) {
        this.config = config;
        this.catalogue = catalogue;
        this.news = news;
        this.retries = retries;
        this.stager = stager;
    }

    @Override
    public void handle(Request request) {
        SendHeader send = request.sendHeader();
        if (!send.read(request.header())) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the send's header is not complete: " + send.fault());
            return;
        }
        if (!Permission.isWriteable(config.permission())) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "this broker takes no messages now (brokerPermission=" + config.permission()
                            + "): send to another one");
            return;
        }
        Topic topic = topicOf(request, send);
        if (topic == null) {
            create(request, send);
        } else if (topic.isRetry() && send.redeliveries() > 0) {
            retries.handle(request, topic, this);
        } else {
            accept(request, send, topic);
        }
    }

    private @Nullable Topic topicOf(Request request, SendHeader send) {
        Topic topic = request.names().find(send.bytes(), send.topicFrom(), send.topicLength(), Topic.class);
        if (topic != null && !topic.isGone()) {
            return topic;
        }
        topic = catalogue.topic(send.topic());
        if (topic != null) {
            request.names().remember(send.bytes(), send.topicFrom(), send.topicLength(), topic);
        }
        return topic;
    }

    private void create(Request request, SendHeader send) {
        String name = send.topic();
        String fault = TopicNames.faultOfTopic(name);
        if (fault != null) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, fault);
            return;
        }
        if (TopicNames.isClosedToSenders(name)) {
            request.refuse(ResponseCodes.NO_PERMISSION, closed(name));
            return;
        }
        Request again = request.detach();
        boolean taken = catalogue.createForSend(name, send.defaultTopic(), send.defaultTopicQueues(), creation -> {
            switch (creation) {
                // Who has sent a first message looks for the topic's route next.
                case Catalogue.Creation.Exists _ ->
                    news.whenTold(catalogue.changes(), () -> again.finish(this::handle));
                case Catalogue.Creation.Refused refused ->
                    again.finish(r -> r.refuse(refused.code(), refused.sentence()));
            }
        });
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "too many topics are being created: try again");
        }
    }

    /// Checks what depends on the topic, then stages.
    void accept(Request request, SendHeader send, Topic topic) {
        TopicConfig settings = topic.config();
        if (topic.isClosedToSenders()) {
            request.refuse(ResponseCodes.NO_PERMISSION, closed(topic.name()));
            return;
        }
        if (!Permission.isWriteable(settings.permission())) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "topic \"" + topic.name() + "\" is closed to producers (perm=" + settings.permission()
                            + "): give it write permission with updateTopic -p 6");
            return;
        }
        if (send.queueId() >= Math.max(settings.readQueues(), settings.writeQueues())) {
            request.refuse(
                    ResponseCodes.INVALID_PARAMETER,
                    "topic \"" + topic.name() + "\" has " + settings.writeQueues()
                            + " message queues here, so there is no queue " + send.queueId()
                            + ": the client's route is out of date");
            return;
        }
        if (request.header().bodyLength() == 0) {
            request.refuse(ResponseCodes.MESSAGE_ILLEGAL, "the message has no body");
            return;
        }
        if (request.header().bodyLength() > config.mostBodyBytes()) {
            request.refuse(
                    ResponseCodes.MESSAGE_ILLEGAL,
                    "the message's body has " + request.header().bodyLength() + " bytes, at most "
                            + config.mostBodyBytes() + " are allowed (maxMessageSize)");
            return;
        }
        stager.stage(request, send, topic);
    }

    /// A message that nobody could consume: to queue 0 of the dead-letter topic, without a delay.
    void acceptDead(Request request, SendHeader send, Topic deadLetters) {
        stager.stageDead(request, send, deadLetters);
    }

    private static String closed(String topic) {
        return "topic \"" + topic + "\" is written by the broker only";
    }
}
