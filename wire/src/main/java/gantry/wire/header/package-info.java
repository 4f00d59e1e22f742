/// Whole headers of the requests and answers that occur once per message.
///
/// ```
///   HeaderReader ──▶ SendHeader, PullHeader (reused, one pass)     SendAnswer, PullAnswer ──▶ FrameWriter
/// ```
/// Neighbours: `broker` reads requests and writes answers with these; imports `frame` and `message`.
@NullMarked
package gantry.wire.header;

import org.jspecify.annotations.NullMarked;
