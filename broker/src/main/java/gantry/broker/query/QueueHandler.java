package gantry.broker.query;

import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.store.Boundary;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import gantry.wire.frame.FieldName;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;

/// Where a queue begins and ends, and which offset belongs to a time (requests 29, 30, 31 and 32).
///
/// For:   clients that seek, and tools.
/// Owner: none.
/// Never: shows an end above confirmOffset.
public final class QueueHandler implements RequestHandler {
    private final Catalogue catalogue;
    private final Store store;

    public QueueHandler(Catalogue catalogue, Store store) {
        this.catalogue = catalogue;
        this.store = store;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        String topic = header.requireText(FieldNames.TOPIC);
        int queueId = header.requireInt(FieldNames.QUEUE_ID);
        boolean byTime = header.code() == RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP;
        long timestamp = byTime ? header.requireLong(FieldNames.TIMESTAMP) : 0;
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        if (catalogue.topic(topic) == null) {
            request.refuse(ResponseCodes.TOPIC_NOT_EXIST, "topic \"" + topic + "\" does not exist on this broker");
            return;
        }
        ConsumeQueue queue = queueId < 0 ? null : store.find(topic, queueId);
        if (byTime && queue != null && queue.isBeingRebuilt()) {
            request.refuse(
                    ResponseCodes.SYSTEM_BUSY,
                    "REBUILDING: the queue's files were lost and are being made again from the commit log, so that it"
                            + " cannot be told yet which of its messages was stored when: ask again in a moment");
            return;
        }
        switch (header.code()) {
            case RequestCodes.GET_MAX_OFFSET ->
                answer(
                        request,
                        FieldNames.OFFSET,
                        queue == null ? store.topicEnds().begin(topic) : queue.maxOffset());
            case RequestCodes.GET_MIN_OFFSET ->
                answer(
                        request,
                        FieldNames.OFFSET,
                        queue == null ? store.topicEnds().begin(topic) : queue.minOffset());
            case RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP -> {
                boolean upper = "upper".equalsIgnoreCase(header.text(FieldNames.BOUNDARY_TYPE));
                answer(
                        request,
                        FieldNames.OFFSET,
                        queue == null
                                ? store.topicEnds().begin(topic)
                                : store.offsetAt(queue, timestamp, upper ? Boundary.UPPER : Boundary.LOWER));
            }
            default ->
                answer(
                        request,
                        FieldNames.TIMESTAMP,
                        queue == null ? -1 : store.storeMillisAt(queue, queue.minOffset()));
        }
    }

    private static void answer(Request request, FieldName name, long value) {
        if (!request.header().isOneway()) {
            FrameWriter out = request.begin(ResponseCodes.SUCCESS, null);
            out.field(name, value);
            out.end(0);
        }
    }
}
