package gantry.control.nameserver;

import gantry.wire.body.TopicList;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.JsonFault;
import java.util.List;

/// Our clients' wish to be told of changes: 77003 which topics.
///
/// For:   checking the list.
/// Owner: none (stateless); `RoutesOwner` owns the watches.
final class WatchRequests {
    /// RocketMQ's brokers take no longer name.
    private static final int LONGEST_NAME = 255;

    private final RoutesOwner routes;

    WatchRequests(RoutesOwner routes) {
        this.routes = routes;
    }

    void handle(Request request) {
        if (!request.hasBody()) {
            refuse(request, "there is no list of topics");
            return;
        }
        List<String> topics;
        try {
            topics = TopicList.fromJson(request.body()).topics();
        } catch (JsonFault e) {
            refuse(request, "the body is no list of topics: " + e.sentence());
            return;
        }
        if (topics.size() > Watches.MOST_OF_ONE) {
            refuse(
                    request,
                    "one connection may watch " + Watches.MOST_OF_ONE + " topics, and these are " + topics.size());
        } else if (topics.stream().anyMatch(topic -> topic.isEmpty() || topic.length() > LONGEST_NAME)) {
            refuse(request, "a topic's name has 1 to " + LONGEST_NAME + " characters");
        } else {
            routes.watch(request.link(), request.reply(), topics);
        }
    }

    private static void refuse(Request request, String sentence) {
        request.answer(Answer.refused(ResponseCodes.INVALID_PARAMETER, sentence));
    }
}
