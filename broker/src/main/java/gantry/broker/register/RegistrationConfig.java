package gantry.broker.register;

import gantry.base.Endpoint;
import gantry.base.Require;
import java.time.Duration;
import java.util.List;

/// Who this broker is, and whom it tells.
///
/// For:   the settings of `Registration`.
/// Owner: none (immutable).
/// Never: topics.
///
/// @param nameservers `namesrvAddr`; may be empty
/// @param address     where clients reach this broker, `brokerIP1:listenPort`
/// @param haAddress   where followers reach it, `brokerIP1:haListenPort`
/// @param period      between full registrations (`registerNameServerPeriod`)
/// @param beat        between light heartbeats, or a follower's questions
/// @param promise     after this long without a heartbeat a nameserver may drop us
/// @param patience    how long one nameserver may take to answer a registration
public record RegistrationConfig(
        List<Endpoint> nameservers,
        String clusterName,
        String brokerName,
        long brokerId,
        String address,
        String haAddress,
        Duration period,
        Duration beat,
        Duration promise,
        Duration patience) {
    public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(30);
    public static final Duration DEFAULT_BEAT = Duration.ofSeconds(1);
    public static final Duration DEFAULT_PROMISE = Duration.ofSeconds(10);
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(3);

    public RegistrationConfig {
        nameservers = List.copyOf(nameservers);
        Require.that(brokerId >= 0, "brokerId is " + brokerId + ", it must be 0 (master) or more");
        Require.that(period.isPositive(), "registerNameServerPeriod must be positive");
        Require.that(
                promise.compareTo(beat) > 0,
                "a broker must promise more time than passes between two of its heartbeats");
    }

    /// Whether it has a leader to learn of.
    boolean follows() {
        return brokerId > 0;
    }
}
