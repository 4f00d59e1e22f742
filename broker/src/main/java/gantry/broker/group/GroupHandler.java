package gantry.broker.group;

import gantry.broker.append.Outcome;
import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.topic.Catalogue;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;

/// Deletes groups, or what a group has consumed of one topic (requests 207 and 77001).
///
/// For:   operators' tools.
/// Owner: none; submits to the catalogue and to the group's shard.
/// Never: leaves offsets behind, whatever `cleanOffset` says: a group that is made again would skip messages, or get
///        them twice.
public final class GroupHandler implements RequestHandler {
    private final Groups groups;
    private final Catalogue catalogue;

    public GroupHandler(Groups groups, Catalogue catalogue) {
        this.groups = groups;
        this.catalogue = catalogue;
    }

    @Override
    public void handle(Request request) {
        HeaderReader header = request.header();
        boolean wholeGroup = header.code() == RequestCodes.DELETE_SUBSCRIPTIONGROUP;
        String group = header.requireText(wholeGroup ? FieldNames.GROUP_NAME : FieldNames.CONSUMER_GROUP);
        String topic = wholeGroup ? "" : header.requireText(FieldNames.TOPIC);
        if (header.fault() != null || group.isEmpty()) {
            request.refuse(ResponseCodes.INVALID_PARAMETER, "name a group: " + header.fault());
            return;
        }
        Reply reply = request.later();
        Outcome answer = refusal -> {
            if (refusal == null) {
                reply.succeed();
            } else {
                reply.answer(Refusals.codeOf(refusal), refusal.remark());
            }
        };
        boolean taken = wholeGroup
                ? catalogue.deleteGroup(group, answer)
                : groups.submit(group, shard -> shard.cleanTopic(group, topic, answer));
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "too much is being changed: try again");
        }
    }
}
