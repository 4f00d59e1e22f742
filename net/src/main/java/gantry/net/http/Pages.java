package gantry.net.http;

/// What an HTTP port shows.
///
/// For:   whoever knows what a path means.
/// Owner: none; called on the port's own thread, one request at a time.
/// Never: blocks: the next request waits behind it.
public interface Pages {
    /// @param path   without query
    /// @param accept what the reader takes, as it says; empty when it does not say
    Page page(String path, String accept);
}
