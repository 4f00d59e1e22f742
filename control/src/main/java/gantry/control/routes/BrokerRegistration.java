package gantry.control.routes;

import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A broker registers.
///
/// For:   the event that brings brokers and topics into the route table.
/// Owner: none (immutable).
///
/// @param haAddress where followers connect
/// @param timeout what the broker promises to be heard within; null when it promises nothing
/// @param actingMaster whether the smallest id may act for a missing master; null from 4.9 brokers
/// @param body what came in the frame's body
/// @param gone which topics the broker has no more
/// @param fingerprint of the body's bytes; equal bytes give the same `Registration` object, see `RouteImage.known`
public record BrokerRegistration(
        BrokerIdentity broker,
        String haAddress,
        @Nullable Duration timeout,
        @Nullable Boolean actingMaster,
        @Nullable String zone,
        Registration body,
        long fingerprint,
        Gone gone) {
    /// What the broker says that it has no more; RocketMQ's brokers cannot say it.
    ///
    /// @param all every topic that is not in `body`
    /// @param topics these
    public record Gone(boolean all, List<String> topics) {
        public static final Gone NONE = new Gone(false, List.of());
    }

    DataVersion version() {
        return body.table().version();
    }

    boolean isActing() {
        return Boolean.TRUE.equals(actingMaster);
    }

    Duration timeout(Duration absent) {
        return timeout == null ? absent : timeout;
    }
}
