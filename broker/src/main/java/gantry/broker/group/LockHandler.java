package gantry.broker.group;

import gantry.base.Clock;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.wire.body.LockRequest;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;

/// Locks queues for orderly consumers, and unlocks them (requests 41 and 42).
///
/// For:   one orderly consumer per queue.
/// Owner: none; submits to the group's shard.
/// Never: keeps locks.
public final class LockHandler implements RequestHandler {
    private final Groups groups;
    private final Clock clock;

    public LockHandler(Groups groups, Clock clock) {
        this.groups = groups;
        this.clock = clock;
    }

    @Override
    public void handle(Request request) {
        LockRequest wanted;
        try {
            wanted = LockRequest.fromJson(Json.read(
                    request.frame(),
                    request.header().bodyOffset(),
                    request.header().bodyLength()));
        } catch (JsonFault e) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the lock request cannot be read: " + e.sentence());
            return;
        }
        Reply reply = request.later();
        boolean locks = request.header().code() == RequestCodes.LOCK_BATCH_MQ;
        boolean taken = groups.submit(wanted.group(), shard -> {
            if (locks) {
                shard.lock(wanted, reply, clock.nanos());
            } else {
                shard.unlock(wanted, reply);
            }
        });
        if (!taken) {
            request.refuse(ResponseCodes.SYSTEM_BUSY, "the group's state is busy: try again");
        }
    }
}
