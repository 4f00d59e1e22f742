/// A small HTTP port: a few pages, read by tools and people of this machine.
///
/// ```
///   connection ─▶ HttpServerCodec (bounded line and headers) ─▶ HttpExchange: one request, one answer, closed
///                                                                    └─ Pages: the path's page, made now
/// ```
/// It has a thread of its own, so that it answers while an event loop of the broker's is stuck, and says so.
/// Neighbours: `gantry.server` gives the pages; Netty's codec reads what strangers send.
@NullMarked
package gantry.net.http;

import org.jspecify.annotations.NullMarked;
