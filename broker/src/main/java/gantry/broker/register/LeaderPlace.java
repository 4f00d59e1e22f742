package gantry.broker.register;

import gantry.base.Endpoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where a leader is, as a nameserver says.
///
/// For:   followers.
/// Owner: none (immutable).
///
/// @param clients   where its clients connect
/// @param followers where its followers connect
record LeaderPlace(Endpoint clients, Endpoint followers) {
    /// From a nameserver's answer: both have to be addresses, and a broker is not its own leader.
    static Optional<LeaderPlace> read(@Nullable String clients, @Nullable String followers, String self) {
        if (clients == null || followers == null || clients.equals(self)) {
            return Optional.empty();
        }
        try {
            LeaderPlace place = new LeaderPlace(Endpoint.parse(clients), Endpoint.parse(followers));
            return place.clients.port() == 0 || place.followers.port() == 0 ? Optional.empty() : Optional.of(place);
        } catch (IllegalArgumentException e) {
            // It names nobody then.
            return Optional.empty();
        }
    }
}
