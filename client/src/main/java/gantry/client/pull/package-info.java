/// Pulling messages queue by queue.
///
/// Neighbours: `route` says which queues there are; `call` carries the pulls.
@NullMarked
package gantry.client.pull;

import org.jspecify.annotations.NullMarked;
