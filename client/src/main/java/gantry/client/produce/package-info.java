/// Sending messages.
///
/// Neighbours: `route` says which queues there are; `call` carries the sends.
@NullMarked
package gantry.client.produce;

import org.jspecify.annotations.NullMarked;
