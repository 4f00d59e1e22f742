package gantry.broker.query;

import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.store.KeyAnswer;
import gantry.store.KeyQuery;
import gantry.store.Store;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.MessageLayout;
import java.nio.ByteBuffer;
import java.util.List;

/// Shows stored messages by a key, of a time window (request 12).
///
/// For:   looking for a message whose unique key, or a word of whose `KEYS`, is known.
/// Owner: none.
/// Never: a message that has not the key; clients look again, but they need not.
public final class KeyQueryHandler implements RequestHandler {
    /// How many messages are looked for by unique key, whatever the client asks for: resends share it.
    private static final int UNIQUE_KEY_MESSAGES = 32;

    private final Store store;

    public KeyQueryHandler(Store store) {
        this.store = store;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        String topic = header.requireText(FieldNames.TOPIC);
        String key = header.requireText(FieldNames.KEY);
        int maxCount = header.requireInt(FieldNames.MAX_NUM);
        long begin = header.requireLong(FieldNames.BEGIN_TIMESTAMP);
        long end = header.requireLong(FieldNames.END_TIMESTAMP);
        if (header.fault() != null) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the header is not complete: " + header.fault());
            return;
        }
        KeyQuery.Kind kind = kind(header);
        int most = kind == KeyQuery.Kind.UNIQUE ? UNIQUE_KEY_MESSAGES : maxCount;
        store.query(
                new KeyQuery(topic, key, kind, begin, end, most),
                new Answer(request.later(), topic, key, store.topicEnds().droppedBelow(topic)));
    }

    /// Clients before 5.5 mark a question for a unique key by a field of its own.
    private static KeyQuery.Kind kind(HeaderReader header) {
        String type = header.text(FieldNames.INDEX_TYPE);
        if (header.booleanOr(FieldNames.UNIQUE_KEY_QUERY, false) || "U".equals(type)) {
            return KeyQuery.Kind.UNIQUE;
        }
        return "T".equals(type) ? KeyQuery.Kind.TAG : KeyQuery.Kind.ANY;
    }

    /// @param from messages below it were gone with an earlier topic of that name
    private record Answer(Reply reply, String topic, String key, long from) implements KeyAnswer {
        @Override
        public void found(List<ByteBuffer> all, long indexedMillis, long indexedOffset) {
            List<ByteBuffer> records = all.stream()
                    .filter(record -> record.getLong(record.position() + MessageLayout.LOG_OFFSET) >= from)
                    .toList();
            if (records.isEmpty()) {
                reply.answer(
                        ResponseCodes.QUERY_NOT_FOUND,
                        "no message of topic \"" + topic + "\" with key \"" + key + "\" was stored in that time");
                return;
            }
            FrameWriter out = reply.begin(ResponseCodes.SUCCESS, null);
            out.field(FieldNames.INDEX_LAST_UPDATE_TIMESTAMP, indexedMillis);
            out.field(FieldNames.INDEX_LAST_UPDATE_PHYOFFSET, indexedOffset);
            int bytes = 0;
            for (ByteBuffer each : records) {
                bytes += each.remaining();
            }
            out.end(bytes);
            reply.send(out, records);
        }

        @Override
        public void refused(String why) {
            reply.answer(ResponseCodes.SYSTEM_ERROR, why);
        }
    }
}
