package gantry.broker.send;

import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.TopicNames;
import gantry.store.Store;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;

/// Takes back a message that a consumer could not process (request 36): it comes again later, or ends as a dead letter.
///
/// For:   redelivery of concurrent consumption (messages.md §6).
/// Owner: none.
/// Never: believes the offset; a record that is not there, or not whole, is refused.
public final class SendBackHandler implements RequestHandler {
    private final Store store;
    private final Catalogue catalogue;
    private final Redelivery redelivery;

    public SendBackHandler(Store store, Catalogue catalogue, Redelivery redelivery) {
        this.store = store;
        this.catalogue = catalogue;
        this.redelivery = redelivery;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        long logOffset = header.requireLong(FieldNames.OFFSET);
        String groupName = header.requireText(FieldNames.GROUP);
        int delayLevel = header.requireInt(FieldNames.DELAY_LEVEL);
        int mostTimes = header.intOr(FieldNames.MAX_RECONSUME_TIMES, -1);
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        SubscriptionGroup group = catalogue.group(groupName);
        if (group == null) {
            request.refuse(
                    ResponseCodes.SUBSCRIPTION_GROUP_NOT_EXIST,
                    "consumer group \"" + groupName
                            + "\" does not exist on this broker: create it with updateSubGroup");
            return;
        }
        if (group.retryQueues() <= 0) {
            request.succeed();
            return;
        }
        int most = mostTimes >= 0 ? mostTimes : group.maxRedeliveries();
        Redelivery.@org.jspecify.annotations.Nullable Original original = read(logOffset);
        if (original == null) {
            request.refuse(
                    ResponseCodes.SYSTEM_ERROR,
                    "there is no message at logOffset " + logOffset + " any more: it is not redelivered");
            return;
        }
        boolean dead = original.redeliveries() >= most || delayLevel < 0;
        String topic = dead ? TopicNames.deadLetterTopicOf(groupName) : TopicNames.retryTopicOf(groupName);
        Reply reply = request.later();
        boolean taken = catalogue.createForGroup(topic, dead ? 1 : group.retryQueues(), creation -> {
            switch (creation) {
                case Catalogue.Creation.Exists exists ->
                    redelivery.store(original, exists.topic(), dead ? 0 : delayLevel, dead, reply);
                case Catalogue.Creation.Refused refused -> reply.answer(refused.code(), refused.sentence());
            }
        });
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "too many topics are being created: try again");
        }
    }

    private Redelivery.@org.jspecify.annotations.Nullable Original read(long logOffset) {
        Redelivery.@org.jspecify.annotations.Nullable Original[] found = new Redelivery.Original[1];
        boolean there = logOffset >= 0
                && store.view(logOffset, bytes -> {
                    RecordView view = new RecordView();
                    if (view.wrap(bytes, bytes.position(), bytes.limit(), true) == Check.OK
                            && view.logOffset() == logOffset) {
                        found[0] = Redelivery.Original.of(view);
                    }
                });
        return there ? found[0] : null;
    }
}
