/// Questions about topics and queues that change nothing, and the few changes that operators and clients ask for.
///
/// Neighbours: `topic` and `store` know the answers.
@NullMarked
package gantry.broker.query;

import org.jspecify.annotations.NullMarked;
