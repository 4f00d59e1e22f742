package gantry.broker.send;

import gantry.broker.group.Groups;
import gantry.broker.session.Request;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicNames;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.SendHeader;

/// Decides about messages that a client itself sends to the retry topic of its group.
///
/// For:   orderly consumers that give up on a message, and clients whose send-back failed: too many redeliveries, or a
///        group that consumes in order, lead to the dead-letter topic (remoting.md §3.1, messages.md §6).
/// Owner: none.
/// Never: the ordinary send-back; see `SendBackHandler`.
public final class RetrySends {
    private final Catalogue catalogue;
    private final Groups groups;

    public RetrySends(Catalogue catalogue, Groups groups) {
        this.catalogue = catalogue;
        this.groups = groups;
    }

    void handle(Request request, Topic retryTopic, SendHandler sends) {
        SendHeader send = request.sendHeader();
        String groupName = retryTopic.name().substring(TopicNames.RETRY_PREFIX.length());
        SubscriptionGroup group = catalogue.group(groupName);
        if (group == null) {
            request.refuse(
                    ResponseCodes.SUBSCRIPTION_GROUP_NOT_EXIST,
                    "consumer group \"" + groupName
                            + "\" does not exist on this broker: create it with updateSubGroup");
            return;
        }
        int most = send.maxRedeliveries() >= 0 ? send.maxRedeliveries() : group.maxRedeliveries();
        if (send.redeliveries() > most) {
            toDeadLetters(request.detach(), groupName, sends);
            return;
        }
        Request again = request.detach();
        boolean taken = groups.whetherLocked(groupName, locked -> {
            if (locked) {
                toDeadLetters(again, groupName, sends);
            } else {
                again.finish(r -> {
                    r.sendHeader().read(r.header());
                    sends.accept(r, r.sendHeader(), retryTopic);
                });
            }
        });
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "the group's state is busy: try again");
        }
    }

    private void toDeadLetters(Request detached, String groupName, SendHandler sends) {
        boolean taken = catalogue.createForGroup(
                TopicNames.deadLetterTopicOf(groupName),
                1,
                creation -> detached.finish(r -> {
                    switch (creation) {
                        case Catalogue.Creation.Exists exists -> {
                            r.sendHeader().read(r.header());
                            sends.acceptDead(r, r.sendHeader(), exists.topic());
                        }
                        case Catalogue.Creation.Refused refused -> r.refuse(refused.code(), refused.sentence());
                    }
                }));
        if (!taken) {
            detached.finish(r -> r.refuse(ResponseCodes.SYSTEM_BUSY, "too many topics are being created: try again"));
        }
    }
}
