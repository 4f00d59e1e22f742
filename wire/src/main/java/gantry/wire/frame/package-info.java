/// The frames that peers exchange on one connection, and their headers in both serialisations.
///
/// ```
///   bytes of a frame ──▶ HeaderReader (hot: no maps, no strings)   Command (cold: a value with a map) ◀── tests, tools
///   answer fields    ──▶ FrameWriter  ──▶ bytes for Link.send
///                codes: RequestCodes, ResponseCodes     names: FieldName, FieldNames     bits: FrameFlags
/// ```
/// Neighbours: `header` reads and writes whole headers with these; imports `gantry.base` only.
@NullMarked
package gantry.wire.frame;

import org.jspecify.annotations.NullMarked;
