package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of one consumer group on a broker.
///
/// For:   codes 200, 201 and 352, and `subscriptionGroup.json`.
/// Owner: none (immutable).
///
/// @param brokerId where the group reads at first
/// @param slowBrokerId where it reads when it has fallen behind memory
/// @param subscriptions of 5.x, kept as they came; null when there are none
public record SubscriptionGroup(
        String group,
        boolean consumeEnabled,
        boolean consumeFromMinEnabled,
        boolean broadcastEnabled,
        boolean orderly,
        int retryQueues,
        int maxRedeliveries,
        RetryPolicy retryPolicy,
        long brokerId,
        long slowBrokerId,
        boolean notifyMemberChanges,
        int groupFlags,
        int consumeTimeoutMinutes,
        @Nullable Json subscriptions,
        Map<String, String> attributes)
        implements Body {
    public SubscriptionGroup {
        attributes = attributes.isEmpty() ? Map.of() : Tables.frozen(attributes);
    }

    /// A group with the settings that every broker gives to a new one.
    public static SubscriptionGroup named(String group) {
        return new SubscriptionGroup(
                group, true, true, true, false, 1, 16, RetryPolicy.BUILT_IN, 0, 1, true, 0, 15, null, Map.of());
    }

    public static SubscriptionGroup fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a subscription group");
        SubscriptionGroup absent = named(object.requireText("groupName"));
        Json policy = object.find("groupRetryPolicy");
        return new SubscriptionGroup(
                absent.group,
                object.flag("consumeEnable", absent.consumeEnabled),
                object.flag("consumeFromMinEnable", absent.consumeFromMinEnabled),
                object.flag("consumeBroadcastEnable", absent.broadcastEnabled),
                object.flag("consumeMessageOrderly", absent.orderly),
                object.whole("retryQueueNums", absent.retryQueues),
                object.whole("retryMaxTimes", absent.maxRedeliveries),
                policy == null ? absent.retryPolicy : RetryPolicy.fromJson(policy),
                object.whole("brokerId", absent.brokerId),
                object.whole("whichBrokerWhenConsumeSlowly", absent.slowBrokerId),
                object.flag("notifyConsumerIdsChangedEnable", absent.notifyMemberChanges),
                object.whole("groupSysFlag", absent.groupFlags),
                object.whole("consumeTimeoutMinute", absent.consumeTimeoutMinutes),
                object.find("subscriptionDataSet"),
                object.textTable("attributes"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("attributes", attributes)
                .field("brokerId", brokerId)
                .field("consumeBroadcastEnable", broadcastEnabled)
                .field("consumeEnable", consumeEnabled)
                .field("consumeFromMinEnable", consumeFromMinEnabled)
                .field("consumeMessageOrderly", orderly)
                .field("consumeTimeoutMinute", consumeTimeoutMinutes)
                .field("groupName", group);
        retryPolicy.write(out.name("groupRetryPolicy"));
        out.field("groupSysFlag", groupFlags)
                .field("notifyConsumerIdsChangedEnable", notifyMemberChanges)
                .field("retryMaxTimes", maxRedeliveries)
                .field("retryQueueNums", retryQueues);
        if (subscriptions != null) {
            out.name("subscriptionDataSet").value(subscriptions);
        }
        out.field("whichBrokerWhenConsumeSlowly", slowBrokerId).endObject();
    }
}
