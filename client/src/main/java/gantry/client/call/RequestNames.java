package gantry.client.call;

import gantry.wire.frame.RequestCodes;

/// What requests are called in sentences.
///
/// For:   failures that an operator reads.
/// Owner: none (stateless).
/// Never: decides anything.
final class RequestNames {
    private RequestNames() {}

    static String of(int code) {
        String name = switch (code) {
            case RequestCodes.SEND_MESSAGE, RequestCodes.SEND_MESSAGE_V2 -> "send";
            case RequestCodes.PULL_MESSAGE -> "pull";
            case RequestCodes.QUERY_CONSUMER_OFFSET -> "query of a group's offset";
            case RequestCodes.UPDATE_CONSUMER_OFFSET -> "commit of a group's offset";
            case RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP -> "search of an offset by time";
            case RequestCodes.GET_MAX_OFFSET -> "query of the largest offset";
            case RequestCodes.GET_MIN_OFFSET -> "query of the smallest offset";
            case RequestCodes.GET_ROUTEINFO_BY_TOPIC -> "query of a route";
            case RequestCodes.GET_BROKER_CLUSTER_INFO -> "query of the clusters";
            case RequestCodes.GET_BROKER_RUNTIME_INFO -> "query of a broker's state";
            case RequestCodes.HEART_BEAT -> "heartbeat";
            case RequestCodes.UPDATE_AND_CREATE_TOPIC -> "creation of a topic";
            default -> "request";
        };
        return name + " (" + code + ")";
    }
}
