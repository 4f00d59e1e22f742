package gantry.broker.group;

import gantry.base.Clock;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.TopicNames;
import gantry.wire.body.ConsumerMembership;
import gantry.wire.body.Heartbeat;
import gantry.wire.body.ProducerMembership;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;

/// Who is there: heartbeats (34), good-byes (35), the list of a group's consumers (38).
///
/// For:   membership requests.
/// Owner: none; submits to the groups' shards.
/// Never: keeps members.
public final class MembershipHandler implements RequestHandler {
    private final Groups groups;
    private final Catalogue catalogue;
    private final Clock clock;

    public MembershipHandler(Groups groups, Catalogue catalogue, Clock clock) {
        this.groups = groups;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    @Override
    public void handle(Request request) {
        switch (request.header().code()) {
            case RequestCodes.HEART_BEAT -> heartbeat(request);
            case RequestCodes.UNREGISTER_CLIENT -> leave(request);
            default -> list(request);
        }
    }

    private void heartbeat(Request request) {
        Heartbeat heartbeat;
        try {
            heartbeat = Heartbeat.fromJson(Json.read(
                    request.frame(),
                    request.header().bodyOffset(),
                    request.header().bodyLength()));
        } catch (JsonFault e) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the heartbeat cannot be read: " + e.sentence());
            return;
        }
        long now = clock.nanos();
        int version = request.header().version();
        boolean taken = true;
        for (ProducerMembership producer : heartbeat.producers()) {
            taken &= groups.submit(
                    producer.group(),
                    shard -> shard.heardProducer(producer.group(), heartbeat.clientId(), request.link(), version, now));
        }
        for (ConsumerMembership consumer : heartbeat.consumers()) {
            if (!catalogue.ensureGroup(consumer.group())) {
                request.refuse(
                        ResponseCodes.SUBSCRIPTION_GROUP_NOT_EXIST,
                        "consumer group \"" + consumer.group()
                                + "\" does not exist on this broker: create it with updateSubGroup");
                return;
            }
            createRetryTopic(consumer.group());
            taken &= groups.submit(
                    consumer.group(),
                    shard -> shard.heardConsumer(consumer, heartbeat.clientId(), request.link(), version, now));
        }
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "the groups' state is busy: the next heartbeat will do");
        } else if (!request.header().isOneway()) {
            // We keep no fingerprints, so clients of 5.x are told to go on sending whole heartbeats.
            FrameWriter out = request.begin(ResponseCodes.SUCCESS, null);
            out.field(FieldNames.IS_SUPPORT_HEART_BEAT_V2, false);
            out.field(FieldNames.IS_SUB_CHANGE, true);
            out.end(0);
        }
    }

    private void createRetryTopic(String group) {
        String topic = TopicNames.retryTopicOf(group);
        SubscriptionGroup settings = catalogue.group(group);
        if (catalogue.topic(topic) == null && (settings == null || settings.retryQueues() > 0)) {
            catalogue.createForGroup(topic, settings == null ? 1 : settings.retryQueues(), creation -> {});
        }
    }

    private void leave(Request request) {
        HeaderReader header = request.header();
        String clientId = header.requireText(FieldNames.UNREGISTERED_CLIENT_ID);
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        String producerGroup = header.text(FieldNames.PRODUCER_GROUP);
        if (producerGroup != null) {
            groups.submitAlways(producerGroup, shard -> shard.leave(producerGroup, clientId, false));
        }
        String consumerGroup = header.text(FieldNames.CONSUMER_GROUP);
        if (consumerGroup != null) {
            groups.submitAlways(consumerGroup, shard -> shard.leave(consumerGroup, clientId, true));
        }
        request.succeed();
    }

    private void list(Request request) {
        String group = request.header().requireText(FieldNames.CONSUMER_GROUP);
        if (request.header().fault() != null) {
            request.refuse(
                    ResponseCodes.SYSTEM_ERROR,
                    "the header is not complete: " + request.header().fault());
            return;
        }
        Reply reply = request.later();
        if (!groups.submit(group, shard -> shard.listConsumers(group, reply))) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "the group's state is busy: try again");
        }
    }
}
