package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;

/// How many queues of a topic one broker has, and what may be done with them.
///
/// For:   the queue part of a route.
/// Owner: none (immutable).
///
/// @param permission bits of `Permission`
/// @param topicFlags 1 unit, 2 unit subscription
public record QueueLayout(String brokerName, int readQueues, int writeQueues, int permission, int topicFlags)
        implements Body {
    public QueueLayout withPermission(int changed) {
        return new QueueLayout(brokerName, readQueues, writeQueues, changed, topicFlags);
    }

    public static QueueLayout fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a queue layout");
        return new QueueLayout(
                object.requireText("brokerName"),
                object.whole("readQueueNums", 0),
                object.whole("writeQueueNums", 0),
                object.whole("perm", 0),
                object.whole("topicSysFlag", 0));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("brokerName", brokerName)
                .field("perm", permission)
                .field("readQueueNums", readQueues)
                .field("topicSysFlag", topicFlags)
                .field("writeQueueNums", writeQueues)
                .endObject();
    }
}
