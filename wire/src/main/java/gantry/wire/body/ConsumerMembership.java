package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;

/// A client's membership in a consumer group.
///
/// For:   heartbeats.
/// Owner: none (immutable).
public record ConsumerMembership(
        String group,
        ConsumeType type,
        MessageModel model,
        ConsumeFromWhere from,
        List<Subscription> subscriptions,
        boolean unitMode)
        implements Body {
    public ConsumerMembership {
        subscriptions = List.copyOf(subscriptions);
    }

    public static ConsumerMembership fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a consumer");
        return new ConsumerMembership(
                object.requireText("groupName"),
                Names.read(object, "consumeType", ConsumeType.CONSUME_PASSIVELY),
                Names.read(object, "messageModel", MessageModel.CLUSTERING),
                Names.read(object, "consumeFromWhere", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET),
                Tables.list(object, "subscriptionDataSet", Subscription::fromJson),
                object.flag("unitMode", false));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("consumeFromWhere", from.name())
                .field("consumeType", type.name())
                .field("groupName", group)
                .field("messageModel", model.name());
        Tables.write(out, "subscriptionDataSet", subscriptions);
        out.field("unitMode", unitMode).endObject();
    }
}
