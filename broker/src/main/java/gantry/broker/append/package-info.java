/// Appends of the broker's own making, one record at a time.
///
/// For everything but the hot path: facts, redeliveries, dead letters.
/// Neighbours: `facts` and `send` use it; it knows only the store.
@NullMarked
package gantry.broker.append;

import org.jspecify.annotations.NullMarked;
