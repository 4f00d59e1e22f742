package gantry.control.nameserver;

import gantry.base.Link;
import gantry.base.Network;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;

/// One link: reads requests and hands each to its family of handlers.
///
/// For:   the way from a frame to a handler.
/// Owner: the link's event loop.
/// Never: answers a malformed frame; its sender speaks something else, so the link is closed.
final class NameserverSession implements Network.Session {
    private final NameserverNode node;
    private final Link link;
    private final HeaderReader header = new HeaderReader();

    NameserverSession(NameserverNode node, Link link) {
        this.node = node;
        this.link = link;
    }

    @Override
    public void frame(ByteBuffer frame, int offset, int length) {
        if (!header.read(frame, offset, length)) {
            link.close("a malformed frame: " + header.fault());
            return;
        }
        if (!header.isAnswer()) {
            dispatch(new Request(header, frame, link, new Reply(link, header)));
        }
    }

    private void dispatch(Request request) {
        switch (request.code()) {
            case RequestCodes.REGISTER_BROKER,
                    RequestCodes.UNREGISTER_BROKER,
                    RequestCodes.QUERY_DATA_VERSION,
                    RequestCodes.BROKER_HEARTBEAT -> node.brokerRequests.handle(request);
            case RequestCodes.GET_ROUTEINFO_BY_TOPIC,
                    RequestCodes.GET_BROKER_CLUSTER_INFO,
                    RequestCodes.GET_ALL_TOPIC_LIST_FROM_NAMESERVER,
                    RequestCodes.GET_TOPICS_BY_CLUSTER,
                    RequestCodes.GET_SYSTEM_TOPIC_LIST_FROM_NS,
                    RequestCodes.GET_UNIT_TOPIC_LIST,
                    RequestCodes.GET_HAS_UNIT_SUB_TOPIC_LIST,
                    RequestCodes.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST,
                    RequestCodes.GET_BROKER_MEMBER_GROUP -> node.routeRequests.handle(request);
            case RequestCodes.WIPE_WRITE_PERM_OF_BROKER,
                    RequestCodes.ADD_WRITE_PERM_OF_BROKER,
                    RequestCodes.DELETE_TOPIC_IN_NAMESRV,
                    RequestCodes.REGISTER_TOPIC_IN_NAMESRV -> node.topicRequests.handle(request);
            case RequestCodes.GANTRY_WATCH_ROUTES -> node.watchRequests.handle(request);
            case RequestCodes.PUT_KV_CONFIG,
                    RequestCodes.GET_KV_CONFIG,
                    RequestCodes.DELETE_KV_CONFIG,
                    RequestCodes.GET_KVLIST_BY_NAMESPACE -> node.keyValueRequests.handle(request);
            default ->
                request.answer(Answer.refused(
                        ResponseCodes.REQUEST_CODE_NOT_SUPPORTED,
                        "a nameserver does not support requests of code " + request.code()));
        }
    }

    @Override
    public void burstEnded() {}

    @Override
    public void closed(String reason) {
        node.closed(link.id());
    }
}
