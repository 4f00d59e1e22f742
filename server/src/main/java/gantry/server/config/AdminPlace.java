package gantry.server.config;

import gantry.base.Endpoint;

/// Where a process shows its health and metrics.
///
/// For:   the component "ServerConfig" in the table of keys.
/// Owner: none (immutable).
///
/// @param chosen whether somebody has asked for this very port; a default may give way to a free one
public record AdminPlace(Endpoint listen, boolean chosen) {
    public static AdminPlace ofBroker(Values values) throws StartRefused {
        return of(values, AdminKeys.ADDRESS, AdminKeys.PORT);
    }

    public static AdminPlace ofNameserver(Values values) throws StartRefused {
        return of(values, AdminKeys.NAMESERVER_ADDRESS, AdminKeys.NAMESERVER_PORT);
    }

    private static AdminPlace of(Values values, Key<String> address, Key<Integer> port) throws StartRefused {
        return new AdminPlace(
                new Endpoint(values.of(address), values.of(port)),
                values.find(port).isPresent());
    }
}
