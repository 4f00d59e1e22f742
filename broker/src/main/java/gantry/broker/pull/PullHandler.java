package gantry.broker.pull;

import gantry.base.Clock;
import gantry.base.Offload;
import gantry.broker.group.ConsumerGroup;
import gantry.broker.group.Groups;
import gantry.broker.group.Tags;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.broker.session.Traffic;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.Topic;
import gantry.store.ConsumeQueue;
import gantry.store.Fetch;
import gantry.store.FetchRequest;
import gantry.store.Store;
import gantry.store.TagCodes;
import gantry.wire.body.Permission;
import gantry.wire.body.Subscription;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.PullAnswer;
import gantry.wire.header.PullFlags;
import gantry.wire.header.PullHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Gives out the messages of one queue from an offset on (requests 11 and 361).
///
/// For:   the hot path of a pull, and its waiting.
/// Owner: none; works on the session's objects.
/// Never: shows a message above confirmOffset (the store does not give it); copies a message more than once.
///
/// ```
///   checks ─▶ far behind, and not read ahead? away from the event loop
///                 ▼
///             fetch ─▶ FOUND ────────────────▶ 0  with the stored bytes
///                 ├─▶ NO_NEW, may wait ──────▶ parked: looked at again when the queue grows
///                 ├─▶ NO_NEW ────────────────▶ 19
///                 ├─▶ nothing wanted so far ─▶ 20 with the next offset (parked pulls go on looking)
///                 ├─▶ being rebuilt ─────────▶ 2  to be asked again: nothing is skipped
///                 └─▶ outside [min, max) ────▶ 21 with the nearest valid offset
/// ```
public final class PullHandler implements RequestHandler, ParkedPull.Owner {
    private final PullConfig config;
    private final BooleanSupplier knowsEnds;
    private final Store store;
    private final Catalogue catalogue;
    private final Groups groups;
    private final ParkedPulls parked;
    private final Offload offload;
    private final Clock clock;
    private final Traffic traffic;

    /// @param knowsEnds whether this broker is the one to say where a queue ends, and has all of it in sight
    public PullHandler(
            PullConfig config,
            BooleanSupplier knowsEnds,
            Store store,
            Catalogue catalogue,
            Groups groups,
            ParkedPulls parked,
            Offload offload,
            Clock clock,
            Traffic traffic) {
        this.config = config;
        this.knowsEnds = knowsEnds;
        this.store = store;
        this.catalogue = catalogue;
        this.groups = groups;
        this.parked = parked;
        this.offload = offload;
        this.clock = clock;
        this.traffic = traffic;
    }

    @Override
    public void handle(Request request) {
        PullHeader pull = request.pullHeader();
        if (!pull.read(request.header())) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the pull's header is not complete: " + pull.fault());
            return;
        }
        String groupName = pull.group();
        if (!mayConsume(request, groupName)) {
            return;
        }
        Topic topic = topicOf(request, pull);
        if (topic == null || !mayRead(request, pull, topic)) {
            return;
        }
        TagCodes tags = tagsOf(request, pull, groupName);
        if (tags == null) {
            return;
        }
        if (PullFlags.has(pull.flags(), PullFlags.COMMIT_OFFSET) && pull.consumedOffset() >= 0) {
            groups.progress(groupName, topic, pull.queueId(), pull.consumedOffset());
        }
        ConsumeQueue queue = topic.queue(pull.queueId());
        if (queue.maxOffset() - pull.queueOffset() <= config.hotMessages()) {
            give(request, queue, tags);
        } else if (!giveAhead(request, queue, tags)) {
            Request aside = request.detach();
            offload.run(() -> giveAside(aside, queue, tags));
        }
    }

    /// Where the disk may be waited for; the pulls that follow find what they want in memory.
    private void giveAside(Request aside, ConsumeQueue queue, TagCodes tags) {
        long[] next = {-1};
        aside.finish(r -> {
            if (r.pullHeader().read(r.header())) {
                next[0] = give(r, queue, tags).nextOffset();
            }
        });
        if (queue.maxOffset() - next[0] > config.hotMessages()) {
            store.readAhead(queue, next[0]);
        }
    }

    /// @return false when it would have to wait for the disk
    private boolean giveAhead(Request request, ConsumeQueue queue, TagCodes tags) {
        PullHeader pull = request.pullHeader();
        Fetch fetch =
                store.fetchAhead(queue, wanted(pull, tags), (found, ranges) -> answerWith(request, found, ranges));
        if (fetch == null) {
            return false;
        }
        answerWithout(request, judged(fetch, pull.queueOffset()), pull.queueOffset());
        return true;
    }

    private FetchRequest wanted(PullHeader pull, TagCodes tags) {
        int maxMessages = Math.clamp(pull.maxMessages(), 1, config.mostMessages());
        int maxBytes = Math.clamp(pull.maxBytes(), 1, config.mostBytes());
        return new FetchRequest(pull.queueOffset(), maxMessages, maxBytes, tags);
    }

    /// Who does not know yet, or only from others, where queues end sends no consumer back: what it has seen was
    /// there, and will be again.
    private Fetch judged(Fetch fetch, long asked) {
        boolean beyond = fetch.status() == Fetch.Status.OVERFLOW_BADLY
                || (fetch.status() == Fetch.Status.NO_MESSAGE_IN_QUEUE && asked > 0);
        return !beyond || knowsEnds.getAsBoolean()
                ? fetch
                : new Fetch(Fetch.Status.NO_NEW, asked, fetch.minOffset(), asked, 0, 0);
    }

    private Fetch give(Request request, ConsumeQueue queue, TagCodes tags) {
        PullHeader pull = request.pullHeader();
        FetchRequest wanted = wanted(pull, tags);
        Fetch fetch = judged(
                store.fetch(queue, wanted, (found, ranges) -> answerWith(request, found, ranges)), pull.queueOffset());
        boolean mayWait = PullFlags.has(pull.flags(), PullFlags.SUSPEND) && pull.suspendMillis() > 0;
        if (mayWait && waitsFor(fetch, pull.queueOffset())) {
            long wait = Math.min(pull.suspendMillis(), config.longestWait().toMillis());
            long deadline = clock.nanos() + wait * 1_000_000;
            parked.park(new ParkedPull(
                    request.detach(),
                    queue,
                    pull.queueOffset(),
                    tags,
                    wanted.maxMessages(),
                    wanted.maxBytes(),
                    deadline,
                    this));
        } else {
            answerWithout(request, fetch, pull.queueOffset());
        }
        return fetch;
    }

    @Override
    public void grown(ParkedPull pull) {
        Request request = pull.request();
        if (pull.queue().isDropped()) {
            request.finish(r -> refuseTopic(r, pull.queue().topic()));
            return;
        }
        Fetch fetch = judged(
                store.fetch(
                        pull.queue(),
                        new FetchRequest(pull.from(), pull.maxMessages(), pull.maxBytes(), pull.tags()),
                        (found, ranges) -> answerWith(request, found, ranges)),
                pull.from());
        switch (fetch.status()) {
            case FOUND -> {}
            case NO_NEW, NO_MATCHED_MESSAGE -> parked.park(pull.from(Math.max(pull.from(), fetch.nextOffset())));
            case NO_MESSAGE_IN_QUEUE, OFFSET_TOO_SMALL, OVERFLOW_BADLY, MESSAGE_WAS_REMOVING, REBUILDING, UNREADABLE ->
                request.finish(r -> answerWithout(r, fetch, pull.from()));
        }
    }

    @Override
    public void expired(ParkedPull pull) {
        Request request = pull.request();
        PullHeader header = request.pullHeader();
        long asked = header.read(request.header()) ? header.queueOffset() : pull.from();
        int code = pull.from() > asked ? ResponseCodes.PULL_RETRY_IMMEDIATELY : ResponseCodes.PULL_NOT_FOUND;
        request.finish(r -> answer(
                r,
                code,
                "no new message",
                pull.from(),
                pull.queue().minOffset(),
                pull.queue().maxOffset()));
    }

    private boolean mayConsume(Request request, String groupName) {
        if (!Permission.isReadable(config.permission())) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "this broker gives out no messages now (brokerPermission=" + config.permission() + ")");
            return false;
        }
        if (!catalogue.ensureGroup(groupName)) {
            request.refuse(
                    ResponseCodes.SUBSCRIPTION_GROUP_NOT_EXIST,
                    "consumer group \"" + groupName
                            + "\" does not exist on this broker: create it with updateSubGroup");
            return false;
        }
        SubscriptionGroup settings = catalogue.group(groupName);
        if (settings != null && !settings.consumeEnabled()) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "consumer group \"" + groupName
                            + "\" may not consume (consumeEnable=false): change it with updateSubGroup");
            return false;
        }
        return true;
    }

    private @Nullable Topic topicOf(Request request, PullHeader pull) {
        Topic topic = request.names().find(pull.bytes(), pull.topicFrom(), pull.topicLength(), Topic.class);
        if (topic == null || topic.isGone()) {
            topic = catalogue.topic(pull.topic());
            if (topic == null) {
                refuseTopic(request, pull.topic());
                return null;
            }
            request.names().remember(pull.bytes(), pull.topicFrom(), pull.topicLength(), topic);
        }
        return topic;
    }

    private static void refuseTopic(Request request, String topic) {
        request.refuse(
                ResponseCodes.TOPIC_NOT_EXIST,
                "topic \"" + topic + "\" does not exist on this broker: create it with updateTopic");
    }

    private boolean mayRead(Request request, PullHeader pull, Topic topic) {
        if (!Permission.isReadable(topic.config().permission())) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "topic \"" + topic.name() + "\" is closed to consumers (perm="
                            + topic.config().permission() + ")");
            return false;
        }
        if (pull.queueId() < 0 || pull.queueId() >= topic.config().readQueues()) {
            request.refuse(
                    ResponseCodes.INVALID_PARAMETER,
                    "topic \"" + topic.name() + "\" has " + topic.config().readQueues()
                            + " message queues here, so there is no queue " + pull.queueId()
                            + ": the client's route is out of date");
            return false;
        }
        return true;
    }

    /// @return null when the request was refused
    private @Nullable TagCodes tagsOf(Request request, PullHeader pull, String groupName) {
        if (PullFlags.has(pull.flags(), PullFlags.SUBSCRIPTION)) {
            String expression = pull.subscription();
            if (!pull.expressionType().isEmpty() && !pull.expressionType().equals(Subscription.TAG)) {
                refuseExpression(request, pull.expressionType());
                return null;
            }
            return expression == null ? TagCodes.ANY : Tags.of(expression);
        }
        ConsumerGroup group = groups.find(groupName);
        ConsumerGroup.Subscribed subscribed = group == null ? null : group.subscribed(pull.topic());
        if (subscribed == null) {
            request.refuse(
                    ResponseCodes.SUBSCRIPTION_NOT_EXIST,
                    "consumer group \"" + groupName + "\" has not said that it subscribes to topic \"" + pull.topic()
                            + "\": its next heartbeat will");
            return null;
        }
        if (!subscribed.subscription().isByTag()) {
            refuseExpression(request, subscribed.subscription().expressionType());
            return null;
        }
        if (subscribed.subscription().version() < pull.subscriptionVersion()) {
            request.refuse(
                    ResponseCodes.SUBSCRIPTION_NOT_LATEST,
                    "the subscription known here is older than the client's: its next heartbeat brings the new one");
            return null;
        }
        return subscribed.tags();
    }

    private static void refuseExpression(Request request, String type) {
        request.refuse(
                ResponseCodes.SYSTEM_ERROR,
                "filter expressions of type " + type
                        + " are not available in this version of Gantry: subscribe by tags");
    }

    private static boolean waitsFor(Fetch fetch, long asked) {
        return switch (fetch.status()) {
            case NO_NEW -> true;
            case NO_MESSAGE_IN_QUEUE -> asked == 0;
            case FOUND,
                    NO_MATCHED_MESSAGE,
                    OFFSET_TOO_SMALL,
                    OVERFLOW_BADLY,
                    MESSAGE_WAS_REMOVING,
                    REBUILDING,
                    UNREADABLE -> false;
        };
    }

    private void answerWith(Request request, Fetch found, List<ByteBuffer> ranges) {
        traffic.given(found.messageCount(), found.sizeBytes());
        FrameWriter out = request.answers();
        PullAnswer.begin(
                out,
                request.header().codec(),
                ResponseCodes.SUCCESS,
                request.header().correlationId(),
                "FOUND",
                0,
                found.nextOffset(),
                found.minOffset(),
                found.maxOffset());
        out.end(found.sizeBytes());
        request.sendWithBody(ranges);
    }

    private static void answerWithout(Request request, Fetch fetch, long asked) {
        switch (fetch.status()) {
            case FOUND -> {} // answered by the sink
            case NO_MATCHED_MESSAGE, MESSAGE_WAS_REMOVING ->
                answer(request, ResponseCodes.PULL_RETRY_IMMEDIATELY, fetch);
            case NO_NEW -> answer(request, ResponseCodes.PULL_NOT_FOUND, fetch);
            case NO_MESSAGE_IN_QUEUE ->
                answer(request, asked == 0 ? ResponseCodes.PULL_NOT_FOUND : ResponseCodes.PULL_OFFSET_MOVED, fetch);
            case OFFSET_TOO_SMALL, OVERFLOW_BADLY -> answer(request, ResponseCodes.PULL_OFFSET_MOVED, fetch);
            case REBUILDING ->
                request.refuse(
                        ResponseCodes.SYSTEM_BUSY,
                        "REBUILDING: the queue's files were lost, and its messages from queueOffset " + asked
                                + " on are being found again in the commit log: pull again in a moment");
            case UNREADABLE ->
                request.refuse(
                        ResponseCodes.SYSTEM_ERROR,
                        "the broker's disk could not be read at queueOffset " + asked + ": see the broker's log");
        }
    }

    private static void answer(Request request, int code, Fetch fetch) {
        answer(request, code, fetch.status().name(), fetch.nextOffset(), fetch.minOffset(), fetch.maxOffset());
    }

    private static void answer(Request request, int code, String remark, long next, long min, long max) {
        if (request.header().isOneway()) {
            return;
        }
        FrameWriter out = request.answers();
        PullAnswer.begin(
                out, request.header().codec(), code, request.header().correlationId(), remark, 0, next, min, max);
        out.end(0);
    }
}
