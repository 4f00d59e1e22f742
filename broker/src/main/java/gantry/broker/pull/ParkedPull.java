package gantry.broker.pull;

import gantry.broker.session.Request;
import gantry.store.ConsumeQueue;
import gantry.store.TagCodes;

/// A pull that waits for messages.
///
/// For:   going on with it when its queue has grown, or when its time is over.
/// Owner: the shard of `ParkedPulls` where it waits, then whoever takes it out.
/// Never: waits twice in one place.
///
/// @param request a detached copy
/// @param from    where to look next; what lies before has been looked at
record ParkedPull(
        Request request,
        ConsumeQueue queue,
        long from,
        TagCodes tags,
        int maxMessages,
        int maxBytes,
        long deadlineNanos,
        Owner owner) {
    /// Goes on with a pull that waited; called outside of the shard.
    interface Owner {
        void grown(ParkedPull pull);

        void expired(ParkedPull pull);
    }

    ParkedPull from(long next) {
        return new ParkedPull(request, queue, next, tags, maxMessages, maxBytes, deadlineNanos, owner);
    }
}
