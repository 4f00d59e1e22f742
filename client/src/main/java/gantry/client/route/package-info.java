/// Where topics are, as several nameservers say.
///
/// Neighbours: `call` asks; `produce`, `pull` and the tools want to know.
@NullMarked
package gantry.client.route;

import org.jspecify.annotations.NullMarked;
