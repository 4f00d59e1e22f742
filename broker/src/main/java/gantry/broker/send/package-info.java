/// Taking messages in: sends, batch sends, and what consumers send back.
///
/// ```
///   SendHandler ─▶ Admission (may it? where?) ─▶ AppendBurst ─▶ store
///        └─ unknown topic, retry topic: detached, goes on when the catalogue or the group has answered
/// ```
/// Neighbours: `session` carries bursts, `topic` knows what exists, `delay` owns what waits for its time.
@NullMarked
package gantry.broker.send;

import org.jspecify.annotations.NullMarked;
