package gantry.control.routes;

import gantry.base.Notices;
import org.jspecify.annotations.Nullable;

/// What has to happen outside because the route table changed.
///
/// For:   keeping the route table free of links and logs.
/// Owner: none (immutable).
public sealed interface RouteEffect {
    /// A broker is gone by its own promise: whatever its link still is, close it.
    record CloseLink(long session, String reason) implements RouteEffect {}

    /// We stood still: whoever is connected goes elsewhere, or comes back; close all links. The end of none of them
    /// is the end of a broker.
    record LetGo(String reason) implements RouteEffect {}

    /// Tell a member of a broker that the smallest living id changed.
    ///
    /// @param offlineAddress of the member that left, when one did
    record TellMinimum(
            long session,
            String brokerName,
            long minimumId,
            String minimumAddress,
            @Nullable String offlineAddress,
            @Nullable String haAddress)
            implements RouteEffect {}

    /// Tell the operator.
    record Notice(Notices.Level level, String text) implements RouteEffect {}
}
