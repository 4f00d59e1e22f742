package gantry.broker.topic;

/// Says when the nameservers have heard of a topic.
///
/// For:   answers that a client takes for "now it can be found": a created topic, a first message.
/// Owner: none; whoever keeps nameservers told implements it.
/// Never: a wait without an end; a nameserver that is away or silent is not waited for long.
public interface RouteNews {
    /// Runs `then` once every nameserver that can be reached knows the topics as of `changes`
    /// (`Catalogue.changes`), or after a bounded time.
    void whenTold(long changes, Runnable then);
}
