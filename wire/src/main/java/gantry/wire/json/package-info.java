/// The JSON that RocketMQ peers write and read, which is a little more than JSON: keys may be bare, whole
/// numbers or objects.
///
/// ```
///   body bytes ──▶ JsonReader ──▶ Json (a tree) ──▶ records of gantry.wire.body
///   records of gantry.wire.body ──▶ JsonWriter ──▶ text       (dialect PEER, or STANDARD for route answers)
/// ```
/// Whatever arrives is bounded by `JsonReader`'s limits, and what is wrong with it is a `JsonFault` with a sentence.
/// Neighbours: `gantry.wire.body` gives the trees a meaning; this package knows none.
@NullMarked
package gantry.wire.json;

import org.jspecify.annotations.NullMarked;
