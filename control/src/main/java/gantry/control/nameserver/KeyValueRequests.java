package gantry.control.nameserver;

import gantry.base.Sequencer;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The key-value configuration: 100 put, 101 get, 102 delete, 219 list.
///
/// For:   queue orders of ordered topics, and whatever tools keep here.
/// Owner: none (stateless); `KeyValues` owns the values.
final class KeyValueRequests {
    private final KeyValues values;
    private final Sequencer sequencer;

    KeyValueRequests(KeyValues values, Sequencer sequencer) {
        this.values = values;
        this.sequencer = sequencer;
    }

    void handle(Request request) {
        String namespace = request.text(FieldNames.NAMESPACE);
        String key = request.code() == RequestCodes.GET_KVLIST_BY_NAMESPACE ? "" : request.text(FieldNames.KEY);
        String value = request.code() == RequestCodes.PUT_KV_CONFIG ? request.text(FieldNames.VALUE) : null;
        if (request.isRefused()) {
            return;
        }
        switch (request.code()) {
            case RequestCodes.PUT_KV_CONFIG, RequestCodes.DELETE_KV_CONFIG ->
                change(request.reply(), namespace, key, value);
            case RequestCodes.GET_KV_CONFIG -> request.answer(get(namespace, key));
            default -> request.answer(list(namespace));
        }
    }

    private void change(Reply reply, String namespace, String key, @Nullable String value) {
        boolean taken = sequencer.submit(() -> values.change(
                namespace,
                key,
                value,
                problem -> sequencer.after(() -> reply.send(problem == null ? Answer.OK : Answer.failed(problem)))));
        if (!taken) {
            reply.send(Answer.refused(ResponseCodes.SYSTEM_BUSY, "this nameserver has too many changes waiting"));
        }
    }

    private Answer get(String namespace, String key) {
        Map<String, String> space = values.space(namespace);
        String value = space == null ? null : space.get(key);
        return value == null
                ? Answer.refused(
                        ResponseCodes.QUERY_NOT_FOUND,
                        "there is no value for " + key + " in the namespace " + namespace)
                : Answer.OK.with(FieldNames.VALUE, value);
    }

    private Answer list(String namespace) {
        Map<String, String> space = values.space(namespace);
        return space == null || space.isEmpty()
                ? Answer.refused(ResponseCodes.QUERY_NOT_FOUND, "there is nothing in the namespace " + namespace)
                : Answer.of(new KeyValueTable(space));
    }
}
