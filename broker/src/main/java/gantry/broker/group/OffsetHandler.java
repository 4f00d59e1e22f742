package gantry.broker.group;

import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import org.jspecify.annotations.Nullable;

/// Shows and stores consumed offsets (requests 14 and 15).
///
/// For:   a group's progress.
/// Owner: none; submits to the group's shard.
/// Never: shows an offset that a crash could take back.
public final class OffsetHandler implements RequestHandler {
    private final Groups groups;
    private final Catalogue catalogue;
    private final Store store;
    private final long hotLogBytes;

    /// @param hotLogBytes a new group starts at the beginning of a queue whose first message is at most this
    ///        far back
    public OffsetHandler(Groups groups, Catalogue catalogue, Store store, long hotLogBytes) {
        this.groups = groups;
        this.catalogue = catalogue;
        this.store = store;
        this.hotLogBytes = hotLogBytes;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        String group = header.requireText(FieldNames.CONSUMER_GROUP);
        String topic = header.requireText(FieldNames.TOPIC);
        int queueId = header.requireInt(FieldNames.QUEUE_ID);
        boolean stores = header.code() == RequestCodes.UPDATE_CONSUMER_OFFSET;
        long offset = stores ? header.requireLong(FieldNames.COMMIT_OFFSET) : 0;
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        if (stores && (offset < 0 || queueId < 0)) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "an offset or a queue id cannot be negative");
            return;
        }
        if (stores && catalogue.topic(topic) == null) {
            request.refuse(ResponseCodes.TOPIC_NOT_EXIST, sentenceOfMissing(topic));
            return;
        }
        Reply reply = request.later();
        boolean zeroIfNotFound = header.booleanOr(FieldNames.SET_ZERO_IF_NOT_FOUND, true);
        boolean taken = groups.submit(group, shard -> {
            if (stores && catalogue.topic(topic) == null) {
                reply.answer(ResponseCodes.TOPIC_NOT_EXIST, sentenceOfMissing(topic));
            } else if (stores) {
                shard.commit(group, topic, queueId, offset, reply);
            } else {
                shard.query(
                        group,
                        topic,
                        queueId,
                        shown -> show(
                                reply,
                                shown >= store.topicEnds().begin(topic)
                                        ? shown
                                        : ofNewGroup(topic, queueId, zeroIfNotFound)),
                        refusal -> refuse(reply, refusal));
            }
        });
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "the group's state is busy: try again");
        }
    }

    private static String sentenceOfMissing(String topic) {
        return "topic \"" + topic + "\" does not exist on this broker";
    }

    /// A group that has never committed starts at the queue's first message where it is still there, and that not far
    /// back; so does Apache's broker (observed), and clients count on it. Elsewhere the client decides. What it
    /// consumed of an earlier topic of that name lies below the begin, and counts for nothing.
    private long ofNewGroup(String topic, int queueId, boolean zeroIfNotFound) {
        ConsumeQueue queue = zeroIfNotFound ? store.find(topic, queueId) : null;
        if (queue == null || queue.minOffset() > queue.begin() || queue.maxOffset() == queue.begin()) {
            return -1;
        }
        return store.confirmOffset() - store.minOffset() <= hotLogBytes ? queue.begin() : -1;
    }

    private static void show(Reply reply, long offset) {
        if (offset < 0) {
            reply.answer(ResponseCodes.QUERY_NOT_FOUND, "the group has not committed an offset for this queue");
            return;
        }
        FrameWriter out = reply.begin(ResponseCodes.SUCCESS, null);
        out.field(FieldNames.OFFSET, offset);
        out.end(0);
        reply.send(out);
    }

    private static void refuse(Reply reply, gantry.store.@Nullable Refusal refusal) {
        if (refusal != null) {
            reply.answer(Refusals.codeOf(refusal), refusal.remark());
        }
    }
}
