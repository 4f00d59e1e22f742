package gantry.base;

/// A host name or address, with a port.
///
/// For:   naming where something listens; text form `host:port`, IPv6 hosts in brackets.
/// Owner: none (immutable).
/// Never: resolves names.
public record Endpoint(String host, int port) {
    public Endpoint {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("an endpoint needs a host");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
        }
    }

    /// Parses `host:port`, `[v6]:port`, with an optional `http://` before it.
    ///
    /// @throws IllegalArgumentException with a sentence that quotes `text`
    public static Endpoint parse(String text) {
        String bare = text.strip();
        if (bare.startsWith("http://")) {
            bare = bare.substring("http://".length());
        }
        int colon = bare.lastIndexOf(':');
        if (colon <= 0 || colon == bare.length() - 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not of the form host:port");
        }
        String host = bare.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new Endpoint(host, Integer.parseInt(bare.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not of the form host:port: the port is no number", e);
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
